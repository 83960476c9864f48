# Compiled once for all rooms. The preset dev does without, so that every file is seen to name what it needs.
set(salvo_common_headers <fmt/format.h> <algorithm> <cmath> <functional> <map> <optional> <string> <variant> <vector>)

# Most of what a small file takes is to read and instantiate what others have read before it, so the files of a room are
# compiled together, up to two dozen at a time; all at once where they share much and each has little of its own. The preset
# dev compiles each on its own.
function(salvo_compile_together target)
  get_target_property(sources ${target} SOURCES)
  list(LENGTH sources count)
  set(most 24)
  if(target MATCHES "^salvo_(estimate|uncertainty|formats)$")
    set(most ${count})
  endif()
  math(EXPR groups "(${count} + ${most} - 1) / ${most}")
  math(EXPR size "(${count} + ${groups} - 1) / ${groups}")
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${SALVO_UNITY} UNITY_BUILD_BATCH_SIZE ${size})
endfunction()

# One library for each room under src/, in the order of docs/layers.txt; a room links only what it may include.
function(salvo_room name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/cli/main.cpp$|/compile/jit/|/formats/sbml/libsbml/")
  if(NOT sources)
    add_library(salvo_${name} INTERFACE)
    target_include_directories(salvo_${name} INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>)
    set(kind INTERFACE)
  else()
    add_library(salvo_${name} STATIC ${sources})
    target_include_directories(salvo_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>)
    set(kind PUBLIC)
    salvo_compile_together(salvo_${name})
    # What is compiled with guards on the stack is of no use to the two rooms that have none.
    if(name MATCHES "^(base|compile)$")
      target_precompile_headers(salvo_${name} PRIVATE ${salvo_common_headers})
    elseif(name STREQUAL integrate)
      target_precompile_headers(salvo_integrate REUSE_FROM salvo_compile)
    else()
      target_precompile_headers(salvo_${name} REUSE_FROM salvo_base)
    endif()
  endif()
  foreach(room IN LISTS ARGN)
    target_link_libraries(salvo_${name} ${kind} salvo_${room})
  endforeach()
endfunction()

# A third-party library that only this room sees.
function(salvo_uses name)
  get_target_property(type salvo_${name} TYPE)
  if(NOT type STREQUAL "INTERFACE_LIBRARY")
    target_link_libraries(salvo_${name} PRIVATE ${ARGN})
  endif()
endfunction()

salvo_room(base)
target_compile_features(salvo_base PUBLIC cxx_std_20)  # its headers, and those of all rooms, are written in it
target_link_libraries(salvo_base PUBLIC Eigen3::Eigen fmt::fmt)
target_link_libraries(salvo_base PRIVATE TBB::tbb)
salvo_room(expression base)
salvo_room(model expression)
salvo_room(compile model)
salvo_room(dense base)
salvo_room(integrate compile dense)
salvo_uses(integrate klu)  # of SuiteSparse
# Side by side in one unit they are too much for the compiler, which then inlines less: stiff fits took three times as long.
set_source_files_properties(src/integrate/dopri5.cpp src/integrate/rk4.cpp src/integrate/rodas5p.cpp
                            PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
# The integrator `cvodes`, where SUNDIALS is there: its Debian package brings half a cluster along.
find_package(SUNDIALS 6 QUIET COMPONENTS cvodes sunlinsolklu)
if(SUNDIALS_FOUND)
  # By name and not by target, which users of the installed package would have to find too.
  salvo_uses(integrate sundials_cvodes sundials_nvecserial sundials_sunlinsoldense sundials_sunmatrixdense
             sundials_sunlinsolklu sundials_sunmatrixsparse sundials_sunnonlinsolfixedpoint)
  target_include_directories(salvo_integrate SYSTEM PRIVATE /usr/include/suitesparse)
  set_source_files_properties(src/integrate/cvodes_missing.cpp PROPERTIES HEADER_FILE_ONLY ON)
else()
  message(STATUS "SUNDIALS is not there: the integrator cvodes will not be either")
  set_source_files_properties(src/integrate/cvodes.cpp src/integrate/cvodes_lane.cpp src/integrate/cvodes_legs.cpp
                              PROPERTIES HEADER_FILE_ONLY ON)
endif()
salvo_room(nlp base)
salvo_room(shooting integrate nlp)
salvo_room(start shooting)
salvo_room(solve dense nlp)
salvo_room(statistics solve)
salvo_room(results solve model)
salvo_room(estimate start results)
salvo_room(words estimate statistics)
salvo_room(pictures estimate)
salvo_room(uncertainty words pictures)
salvo_room(fit uncertainty)
salvo_room(formats model)
salvo_uses(formats yaml-cpp)
salvo_room(report fit)
salvo_uses(report nlohmann_json::nlohmann_json)
target_compile_definitions(salvo_report PRIVATE SALVO_VERSION="${PROJECT_VERSION}")
# The page of the report becomes part of the program.
include(cmake/page_files.cmake)
list(TRANSFORM page_html PREPEND ${PROJECT_SOURCE_DIR}/src/report/page/ OUTPUT_VARIABLE page_sources)
foreach(name IN LISTS page_styles page_scripts)
  list(APPEND page_sources ${PROJECT_SOURCE_DIR}/src/report/page/${name})
endforeach()
add_custom_command(
  OUTPUT ${PROJECT_BINARY_DIR}/page_parts.cpp
  COMMAND ${CMAKE_COMMAND} -D folder=${PROJECT_SOURCE_DIR}/src/report/page -D out=${PROJECT_BINARY_DIR}/page_parts.cpp
          -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
  DEPENDS ${page_sources} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake ${PROJECT_SOURCE_DIR}/cmake/page_files.cmake
  VERBATIM)
target_sources(salvo_report PRIVATE ${PROJECT_BINARY_DIR}/page_parts.cpp)
salvo_room(options fit formats)
salvo_room(runs options report)
salvo_room(cli runs)
salvo_uses(cli CLI11::CLI11)

salvo_room(salvo fit formats report)

# For C and whatever calls it: all rooms in one file, libsalvo.so, that shows the functions of c/salvo.h only.
file(GLOB c_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/c/*.cpp)
add_library(salvo_c SHARED ${c_sources})
salvo_compile_together(salvo_c)
target_precompile_headers(salvo_c REUSE_FROM salvo_base)
target_include_directories(salvo_c INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src/c>)
target_link_libraries(salvo_c PRIVATE salvo_salvo salvo_options)
salvo_uses(c nlohmann_json::nlohmann_json)
target_link_options(salvo_c PRIVATE LINKER:--exclude-libs,ALL LINKER:--version-script=${PROJECT_SOURCE_DIR}/src/c/exports.map)
set_target_properties(salvo_c PROPERTIES OUTPUT_NAME salvo LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}
                                         CXX_VISIBILITY_PRESET hidden INSTALL_RPATH "$ORIGIN"
                                         LINK_DEPENDS ${PROJECT_SOURCE_DIR}/src/c/exports.map)
# The number of its ABI is part of its name.
file(STRINGS src/c/salvo.h c_abi REGEX "define SALVO_ABI_VERSION")
string(REGEX REPLACE ".* " "" c_abi "${c_abi}")
set_target_properties(salvo_c PROPERTIES SOVERSION ${c_abi} VERSION ${c_abi}.${PROJECT_VERSION})

# What oneTBB does between threads is seen by half at best, in its headers and not in its library: under ThreadSanitizer
# they are compiled without it, and base/parallel.cpp says what comes before and after the body of a loop.
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=thread")
  set_source_files_properties(src/base/parallel.cpp PROPERTIES
                              COMPILE_OPTIONS -fno-sanitize=thread COMPILE_DEFINITIONS SALVO_THREAD_SANITIZER
                              SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
endif()

# No loop of these rooms is hot.
foreach(cool IN ITEMS formats options report runs cli c)
  target_compile_options(salvo_${cool} PRIVATE $<$<CONFIG:Release>:-O1>)
endforeach()
foreach(hot IN ITEMS compile integrate shooting start dense)
  target_compile_options(salvo_${hot} PRIVATE $<$<CONFIG:Release>:-O3>)
endforeach()

# Guards on the stack cost these two 1.5 % of a fit; they see numbers, and no texts (docs/decisions/hardening.md).
foreach(innermost IN ITEMS compile integrate)
  target_compile_options(salvo_${innermost} PRIVATE -fno-stack-protector)
endforeach()

# Machine code through LLVM, in a library of its own that is loaded when it is wanted.
target_link_libraries(salvo_compile PRIVATE ${CMAKE_DL_LIBS})
set_source_files_properties(src/compile/native.cpp PROPERTIES COMPILE_DEFINITIONS
                            SALVO_JIT_INSTALLED="${CMAKE_INSTALL_FULL_LIBDIR}/libsalvo_jit.so")
find_package(LLVM 19.1 CONFIG QUIET)
if(LLVM_FOUND)
  file(GLOB jit_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/compile/jit/*.cpp)
  add_library(salvo_jit MODULE ${jit_sources})
  salvo_compile_together(salvo_jit)
  target_include_directories(salvo_jit PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_include_directories(salvo_jit SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
  target_link_libraries(salvo_jit PRIVATE salvo_expression ${CMAKE_DL_LIBS})
  # Only those parts of LLVM that translate, if they are there as archives: they take a quarter of the time to load.
  execute_process(COMMAND ${LLVM_TOOLS_BINARY_DIR}/llvm-config --link-static --libfiles orcjit nativecodegen
                  OUTPUT_VARIABLE llvm_archives OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  separate_arguments(llvm_archives)
  find_library(SALVO_ZLIB NAMES libz.so.1)  # which they call, by the names under which programs load them
  find_library(SALVO_ZSTD NAMES libzstd.so.1)
  if(llvm_archives AND SALVO_ZLIB AND SALVO_ZSTD)
    target_link_libraries(salvo_jit PRIVATE ${llvm_archives} ${SALVO_ZLIB} ${SALVO_ZSTD})
    target_link_options(salvo_jit PRIVATE LINKER:--gc-sections,-Bsymbolic,--exclude-libs,ALL)
  else()
    target_link_libraries(salvo_jit PRIVATE LLVM)
  endif()
  set_target_properties(salvo_jit PROPERTIES CXX_VISIBILITY_PRESET hidden LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}
                                             INSTALL_RPATH "")
else()
  message(STATUS "LLVM 19 is not there: models will be interpreted")
endif()

# SBML through libsbml, in a library of its own that is loaded when a model is read. Its CMake package is of no use on
# Debian, where it asks for a package that does not exist.
target_link_libraries(salvo_formats PRIVATE ${CMAKE_DL_LIBS})
set_source_files_properties(src/formats/sbml/library.cpp PROPERTIES COMPILE_DEFINITIONS
                            SALVO_SBML_INSTALLED="${CMAKE_INSTALL_FULL_LIBDIR}/libsalvo_sbml.so")
find_path(SALVO_SBML_HEADERS sbml/SBMLTypes.h)
find_library(SALVO_SBML_LIBRARY NAMES libsbml.so.5 sbml)
if(SALVO_SBML_HEADERS AND SALVO_SBML_LIBRARY)
  file(GLOB sbml_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/formats/sbml/libsbml/*.cpp)
  add_library(salvo_sbml MODULE ${sbml_sources} src/formats/issue_log.cpp)
  salvo_compile_together(salvo_sbml)
  target_include_directories(salvo_sbml PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_include_directories(salvo_sbml SYSTEM PRIVATE ${SALVO_SBML_HEADERS})
  target_link_libraries(salvo_sbml PRIVATE salvo_expression ${SALVO_SBML_LIBRARY})
  target_link_options(salvo_sbml PRIVATE LINKER:--exclude-libs,ALL)
  set_target_properties(salvo_sbml PROPERTIES CXX_VISIBILITY_PRESET hidden LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}
                                             INSTALL_RPATH "")
else()
  message(STATUS "libsbml is not there: SBML models will not be read")
endif()

foreach(loaded IN ITEMS salvo_jit salvo_sbml)
  if(TARGET ${loaded})
    add_dependencies(salvo_c ${loaded})
  endif()
endforeach()

function(salvo_program name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE salvo_cli)
  # Libraries that it loads are beside it where it was built, and in the neighbouring folder where it was installed.
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}
                                           INSTALL_RPATH "$ORIGIN;$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  foreach(loaded IN ITEMS salvo_jit salvo_sbml)
    if(TARGET ${loaded})
      add_dependencies(${name} ${loaded})
    endif()
  endforeach()
endfunction()
salvo_program(salvo src/cli/main.cpp)

# The same on many processes, where MPI is there: the plain program does without.
find_package(MPI QUIET COMPONENTS CXX)
if(MPI_CXX_FOUND)
  file(GLOB cluster_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/cluster/*.cpp)
  salvo_program(salvo-mpi ${cluster_sources})
  target_link_libraries(salvo-mpi PRIVATE MPI::MPI_CXX)
  target_compile_definitions(salvo-mpi PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)  # nobody needs its classes
else()
  message(STATUS "MPI is not there: salvo-mpi will not be built")
endif()
