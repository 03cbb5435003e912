# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
# find_package(lacis), pkg-config and the files they name.
include(CMakePackageConfigHelpers)
set(LACIS_CMAKE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/lacis")
install(TARGETS lacis EXPORT lacis_targets LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(DIRECTORY include/lacis DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(EXPORT lacis_targets NAMESPACE lacis:: DESTINATION "${LACIS_CMAKE_DIR}")
if(LACIS_WITH_PETSC)
  install(EXPORT lacis_petsc_targets NAMESPACE lacis:: DESTINATION "${LACIS_CMAKE_DIR}")
endif()
configure_package_config_file(cmake/lacisConfig.cmake.in "${PROJECT_BINARY_DIR}/lacisConfig.cmake" INSTALL_DESTINATION "${LACIS_CMAKE_DIR}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/lacisConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/lacisConfig.cmake" "${PROJECT_BINARY_DIR}/lacisConfigVersion.cmake" DESTINATION "${LACIS_CMAKE_DIR}")
configure_file(cmake/lacis.pc.in "${PROJECT_BINARY_DIR}/lacis.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/lacis.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
