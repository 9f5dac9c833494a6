# SPDX-License-Identifier: MIT
# 64-bit Windows with MinGW-w64; its programs run under wine.
set(OSSA_TARGET windows)
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
# The variant with POSIX threads is the one with C11 atomics and threads in libgcc and winpthreads.
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
# Programs need no DLL but Windows' own.
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
set(CMAKE_SHARED_LINKER_FLAGS_INIT -static-libgcc)
set(CMAKE_CROSSCOMPILING_EMULATOR ${CMAKE_CURRENT_LIST_DIR}/../../tools/wine.sh)
include(${CMAKE_CURRENT_LIST_DIR}/common.cmake)
list(APPEND CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32)
