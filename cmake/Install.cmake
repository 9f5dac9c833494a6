# SPDX-License-Identifier: MIT
# What `cmake --install` puts where. The components are those of the packages: "library" is what
# programs need to run, "development" what is needed to compile them, "tool" everything else.
include(CMakePackageConfigHelpers)

set(cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ossa)

# Two export sets, because only the static library makes its users link others.
set(kinds static)
if(OSSA_BUILD_SHARED)
  list(APPEND kinds shared)
endif()
foreach(kind IN LISTS kinds)
  install(TARGETS ossa_${kind} EXPORT ossa-${kind}-targets
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT library
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library
            NAMELINK_COMPONENT development
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
  install(EXPORT ossa-${kind}-targets NAMESPACE ossa:: DESTINATION ${cmake_dir}
    COMPONENT development)
endforeach()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ossa DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  COMPONENT development FILES_MATCHING PATTERN "*.h")

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/ossa-config.cmake.in
  ${PROJECT_BINARY_DIR}/ossa-config.cmake INSTALL_DESTINATION ${cmake_dir})
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/ossa-config-version.cmake COMPATIBILITY ${compatibility})
install(FILES
  ${PROJECT_BINARY_DIR}/ossa-config.cmake
  ${PROJECT_BINARY_DIR}/ossa-config-version.cmake
  DESTINATION ${cmake_dir} COMPONENT development)

# What the static library needs is private, unless there is no other library.
set(private _private)
set(pc_name ossa)
if(NOT OSSA_BUILD_SHARED)
  set(private)
  get_target_property(pc_name ossa_static OUTPUT_NAME)
endif()
set(pc_requires${private})
if(OSSA_WITH_PNG)
  list(APPEND pc_requires${private} libpng)
endif()
if(OSSA_WITH_ZLIB)
  list(APPEND pc_requires${private} zlib)
endif()
list(JOIN pc_requires${private} " " pc_requires${private})
if(OSSA_LIBM)
  set(pc_libs${private} -lm)
endif()
# Relative to the file itself, so that the folder can be moved, or installed somewhere else; a system's
# own packages are not.
set(pc_prefix ${CMAKE_INSTALL_PREFIX})
if(NOT IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR} AND NOT CMAKE_INSTALL_PREFIX STREQUAL "/usr")
  file(RELATIVE_PATH pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  string(REGEX REPLACE "/$" "" pc_prefix "\${pcfiledir}/${pc_prefix}")
endif()
foreach(kind LIB INCLUDE)
  string(TOLOWER pc_${kind}dir variable)
  set(${variable} ${CMAKE_INSTALL_${kind}DIR})
  if(NOT IS_ABSOLUTE ${${variable}})
    string(PREPEND ${variable} "\${prefix}/")
  endif()
endforeach()
configure_file(${PROJECT_SOURCE_DIR}/cmake/ossa.pc.in ${PROJECT_BINARY_DIR}/ossa.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/ossa.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
  COMPONENT development)

if(OSSA_BUILD_TOOL)
  install(TARGETS ossa RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tool)
  set(viewer_files ossa-viewer.html ossa.wasm ossa.js ossa.d.ts NOTICES-page.txt)
  # A release has the viewer in web/prebuilt; one that was built here (`make web`) replaces it. OPTIONAL:
  # a tree with neither still installs.
  foreach(folder web/prebuilt build/web)
    list(TRANSFORM viewer_files PREPEND ${PROJECT_SOURCE_DIR}/${folder}/ OUTPUT_VARIABLE files)
    install(FILES ${files} DESTINATION ${CMAKE_INSTALL_DATADIR}/ossa COMPONENT tool OPTIONAL)
  endforeach()
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT tool)
  install(FILES ${PROJECT_SOURCE_DIR}/docs/ossa.1
    DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT tool)
  install(FILES ${PROJECT_SOURCE_DIR}/cli/completions/ossa.bash RENAME ossa
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT tool)
  install(FILES ${PROJECT_SOURCE_DIR}/cli/completions/_ossa
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT tool)
  install(FILES ${PROJECT_SOURCE_DIR}/cli/completions/ossa.fish
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT tool)
endif()
