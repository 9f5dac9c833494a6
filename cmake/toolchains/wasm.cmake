# SPDX-License-Identifier: MIT
# WebAssembly, as a program that Node runs; tools/wasm.sh makes the module for browsers.
set(OSSA_TARGET wasm)
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_C_FLAGS_INIT "-msimd128 -D_GNU_SOURCE")
# The stack comes first: one that overflows traps and destroys nothing.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,--stack-first -Wl,-z,stack-size=1048576")
set(CMAKE_CROSSCOMPILING_EMULATOR "node;--no-warnings;${CMAKE_CURRENT_LIST_DIR}/../../tests/peers/run_wasi.mjs")
include(${CMAKE_CURRENT_LIST_DIR}/common.cmake)
