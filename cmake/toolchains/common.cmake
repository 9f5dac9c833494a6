# SPDX-License-Identifier: MIT
# For all toolchains, included after OSSA_TARGET is set: libraries and headers come from what
# tools/dependencies.sh built for this target, and never from the machine that compiles.
get_filename_component(dependencies ${CMAKE_CURRENT_LIST_DIR}/../../build/dependencies ABSOLUTE)
set(CMAKE_FIND_ROOT_PATH ${dependencies}/${OSSA_TARGET})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
