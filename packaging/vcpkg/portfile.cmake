# Not tried.
# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
vcpkg_from_github(OUT_SOURCE_PATH SOURCE_PATH REPO FILL_IN REF "v${VERSION}" SHA512 0)  # FILL_IN

vcpkg_check_features(OUT_FEATURE_OPTIONS FEATURE_OPTIONS
  FEATURES
    klu LACIS_WITH_KLU
    metis LACIS_WITH_METIS
    tools LACIS_BUILD_CLI
    tools LACIS_BUILD_WORKSHOP
    tools LACIS_WITH_SIMT
)
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}" OPTIONS ${FEATURE_OPTIONS})
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/lacis)
vcpkg_fixup_pkgconfig()
if("tools" IN_LIST FEATURES)
  vcpkg_copy_tools(TOOL_NAMES lacis AUTO_CLEAN)
endif()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE" "${SOURCE_PATH}/NOTICE")
