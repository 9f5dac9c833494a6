# SPDX-License-Identifier: MIT
# Every public header must compile alone, as C11 and as C++11. The build is the test.

file(GLOB public_headers CONFIGURE_DEPENDS
  RELATIVE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/include/ossa/*.h
  ${PROJECT_SOURCE_DIR}/include/ossa/games/*.h)

set(header_check_sources)
foreach(header ${public_headers})
  string(MAKE_C_IDENTIFIER ${header} id)
  foreach(ext c cpp)
    set(source ${PROJECT_BINARY_DIR}/header_check/${id}.${ext})
    # Included twice, so that a missing include guard shows; the typedef keeps the file non-empty.
    file(CONFIGURE OUTPUT ${source}
      CONTENT "#include <${header}>\n#include <${header}>\ntypedef int ${id}_compiles;\n")
    list(APPEND header_check_sources ${source})
  endforeach()
endforeach()

if(header_check_sources)
  add_library(ossa_header_check OBJECT ${header_check_sources})
  target_include_directories(ossa_header_check PRIVATE ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(ossa_header_check PRIVATE ossa_warnings)
endif()
