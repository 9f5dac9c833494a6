# SPDX-License-Identifier: MIT
# A release fills in both of these; packaging/README.md says how. Without them the port builds the checkout
# that it is part of.
set(release_url "")
set(release_sha512 "")

if(release_url STREQUAL "")
  get_filename_component(SOURCE_PATH ${CMAKE_CURRENT_LIST_DIR}/../../.. ABSOLUTE)
else()
  vcpkg_download_distfile(archive URLS ${release_url} FILENAME ossa-${VERSION}.tar.gz
    SHA512 ${release_sha512})
  vcpkg_extract_source_archive(SOURCE_PATH ARCHIVE ${archive})
endif()

# A build that makes the shared library always makes the static one, too, which a port must not.
vcpkg_check_linkage(ONLY_STATIC_LIBRARY)
vcpkg_check_features(OUT_FEATURE_OPTIONS options FEATURES
  png OSSA_WITH_PNG
  zlib OSSA_WITH_ZLIB
  tool OSSA_BUILD_TOOL)
vcpkg_cmake_configure(SOURCE_PATH ${SOURCE_PATH}
  OPTIONS ${options} -DOSSA_BUILD_SHARED=OFF -DOSSA_WITH_STB=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/ossa)
vcpkg_fixup_pkgconfig()
if("tool" IN_LIST FEATURES)
  vcpkg_copy_tools(TOOL_NAMES ossa AUTO_CLEAN)
endif()
file(REMOVE_RECURSE ${CURRENT_PACKAGES_DIR}/debug/include ${CURRENT_PACKAGES_DIR}/debug/share)
file(INSTALL ${CMAKE_CURRENT_LIST_DIR}/usage DESTINATION ${CURRENT_PACKAGES_DIR}/share/${PORT})
vcpkg_install_copyright(FILE_LIST ${SOURCE_PATH}/LICENSE)
