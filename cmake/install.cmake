# The library as a CMake package: find_package(salvo) gives the target salvo::salvo. Headers keep their paths
# ("fit/fit.hpp") below include/salvo; the command line and its parser stay at home.
include(CMakePackageConfigHelpers)

set(salvo_public_rooms base expression model compile integrate nlp shooting dense solve statistics fit formats report)
set(salvo_package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/salvo)

add_library(salvo_library INTERFACE)
add_library(salvo::salvo ALIAS salvo_library)
set_target_properties(salvo_library PROPERTIES EXPORT_NAME salvo)
install(TARGETS salvo_library EXPORT salvo)

foreach(room IN LISTS salvo_public_rooms)
  target_include_directories(salvo_${room} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/salvo>)
  target_link_libraries(salvo_library INTERFACE salvo_${room})
  install(TARGETS salvo_${room} EXPORT salvo)
  install(DIRECTORY src/${room} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/salvo FILES_MATCHING PATTERN "*.hpp")
endforeach()
if(TARGET salvo)
  install(TARGETS salvo)
endif()
if(TARGET salvo_jit)
  install(TARGETS salvo_jit LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()

install(EXPORT salvo NAMESPACE salvo:: DESTINATION ${salvo_package_folder} FILE salvoTargets.cmake)
configure_package_config_file(cmake/salvoConfig.cmake.in ${PROJECT_BINARY_DIR}/salvoConfig.cmake
                              INSTALL_DESTINATION ${salvo_package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/salvoConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/salvoConfig.cmake ${PROJECT_BINARY_DIR}/salvoConfigVersion.cmake
        DESTINATION ${salvo_package_folder})
