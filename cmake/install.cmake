# The library as a CMake package: find_package(salvo) gives the target salvo::salvo, and programs include <salvo/...>. What
# those headers need of the rooms is put below include/salvo/detail; the command line and its parser stay at home.
include(CMakePackageConfigHelpers)

set(salvo_public_rooms base expression model compile integrate nlp shooting start dense solve statistics results estimate words pictures
                       uncertainty fit design formats report
                       salvo)
set(salvo_package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/salvo)

add_library(salvo_library INTERFACE)
add_library(salvo::salvo ALIAS salvo_library)
set_target_properties(salvo_library PROPERTIES EXPORT_NAME salvo)
install(TARGETS salvo_library EXPORT salvo)

foreach(room IN LISTS salvo_public_rooms)
  target_include_directories(salvo_${room} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(salvo_library INTERFACE salvo_${room})
  install(TARGETS salvo_${room} EXPORT salvo)
endforeach()
# A program that was linked with the library finds what that loads while it runs, wherever it was installed.
target_link_options(salvo_library INTERFACE
                    $<INSTALL_INTERFACE:LINKER:-rpath,$<INSTALL_PREFIX>/${CMAKE_INSTALL_LIBDIR}>)
install(CODE "execute_process(COMMAND ${CMAKE_COMMAND} -D source=${PROJECT_SOURCE_DIR}/src
                -D out=${PROJECT_BINARY_DIR}/include -P ${PROJECT_SOURCE_DIR}/cmake/public_headers.cmake
                COMMAND_ERROR_IS_FATAL ANY)")
install(DIRECTORY ${PROJECT_BINARY_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TARGET salvo)
  install(TARGETS salvo)
endif()
# What `make install` builds. Where MPI is not there it does without; who builds and installs by hand may, too.
add_custom_target(to_install DEPENDS salvo salvo_salvo salvo_c)
if(TARGET salvo-mpi)
  add_dependencies(to_install salvo-mpi)
  install(TARGETS salvo-mpi OPTIONAL)
endif()

# The manual page and the completions are made from what the program says of itself.
find_program(SALVO_PYTHON python3)
if(TARGET salvo AND SALVO_PYTHON)
  set(manual ${PROJECT_BINARY_DIR}/manual)
  add_custom_command(
    OUTPUT ${manual}/salvo.1 ${manual}/salvo.bash ${manual}/_salvo ${manual}/salvo.fish
    COMMAND ${SALVO_PYTHON} ${PROJECT_SOURCE_DIR}/tools/make_manual.py $<TARGET_FILE:salvo> ${manual}
    DEPENDS salvo ${PROJECT_SOURCE_DIR}/tools/make_manual.py
    VERBATIM)
  add_custom_target(manual ALL DEPENDS ${manual}/salvo.1)
  add_dependencies(to_install manual)
  install(FILES ${manual}/salvo.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${manual}/salvo.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME salvo)
  install(FILES ${manual}/_salvo DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${manual}/salvo.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
foreach(loaded IN ITEMS salvo_jit salvo_sbml)
  if(TARGET ${loaded})
    install(TARGETS ${loaded} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  endif()
endforeach()

# For C: libsalvo.so and <salvo.h>, by find_package(salvo COMPONENTS c) or by pkg-config; for R and Julia what they load.
set_target_properties(salvo_c PROPERTIES EXPORT_NAME c)
target_include_directories(salvo_c INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_options(salvo_c INTERFACE $<INSTALL_INTERFACE:LINKER:-rpath,$<INSTALL_PREFIX>/${CMAKE_INSTALL_LIBDIR}>)
install(TARGETS salvo_c EXPORT salvo_c LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES src/c/salvo.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT salvo_c NAMESPACE salvo:: DESTINATION ${salvo_package_folder} FILE salvo_cTargets.cmake)
file(RELATIVE_PATH salvo_pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" salvo_pc_prefix "${salvo_pc_prefix}")
configure_file(cmake/salvo.pc.in ${PROJECT_BINARY_DIR}/salvo.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/salvo.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES bindings/r/salvo.R bindings/r/salvo_r.c DESTINATION ${CMAKE_INSTALL_DATADIR}/salvo/r)
install(FILES bindings/julia/Salvo.jl DESTINATION ${CMAKE_INSTALL_DATADIR}/salvo/julia)

install(EXPORT salvo NAMESPACE salvo:: DESTINATION ${salvo_package_folder} FILE salvoTargets.cmake)
configure_package_config_file(cmake/salvoConfig.cmake.in ${PROJECT_BINARY_DIR}/salvoConfig.cmake
                              INSTALL_DESTINATION ${salvo_package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/salvoConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/salvoConfig.cmake ${PROJECT_BINARY_DIR}/salvoConfigVersion.cmake
        DESTINATION ${salvo_package_folder})
