# SPDX-License-Identifier: MIT
# 32-bit x86 with SSE2, under qemu.
set(OSSA_TARGET i386)
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR i686)
set(CMAKE_C_COMPILER i686-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER i686-linux-gnu-g++)
# The old unit for floating point rounds to other bits.
set(CMAKE_C_FLAGS_INIT "-msse2 -mfpmath=sse")
set(CMAKE_CXX_FLAGS_INIT "-msse2 -mfpmath=sse")
set(CMAKE_CROSSCOMPILING_EMULATOR "qemu-i386;-L;/usr/i686-linux-gnu")
include(${CMAKE_CURRENT_LIST_DIR}/common.cmake)
list(APPEND CMAKE_FIND_ROOT_PATH /usr/i686-linux-gnu)
