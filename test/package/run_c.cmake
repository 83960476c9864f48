# Builds a program in C against the installed library, by CMake and by pkg-config, and runs it.
# cmake -D build=... -D source=... -D problem=... -D compiler=... -D flags=... -P run_c.cmake
set(prefix ${build}/package/prefix)
set(program ${build}/package/c)
file(REMOVE_RECURSE ${program})

function(check_run executable)
  execute_process(COMMAND ${executable} ${problem} OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
  # The data follow exp(-0.5 t).
  string(FIND "${said}" "{" begin)
  string(FIND "${said}" "steepest descent" end)
  math(EXPR length "${end} - ${begin}")
  string(SUBSTRING "${said}" ${begin} ${length} json)
  string(JSON status GET "${json}" status)
  string(JSON k GET "${json}" parameters 0 estimate)
  if(NOT status STREQUAL converged OR NOT k MATCHES "^0\\.(500000|499999)" OR NOT said MATCHES "  k = 0\\.500000")
    message(FATAL_ERROR "${executable} did not find k = 0.5: ${said}")
  endif()
  execute_process(COMMAND ${executable} ${source}/CMakeLists.txt ERROR_VARIABLE trouble RESULT_VARIABLE code)
  if(NOT code EQUAL 1 OR NOT trouble MATCHES "CMakeLists.txt:1")
    message(FATAL_ERROR "${executable} does not tell what is wrong with a problem: ${code} ${trouble}")
  endif()
endfunction()

execute_process(COMMAND ${CMAKE_COMMAND} -S ${source} -B ${program} -G Ninja -DCMAKE_C_COMPILER=${compiler} -DCMAKE_C_FLAGS=${flags}
                        -DCMAKE_PREFIX_PATH=${prefix} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${program} COMMAND_ERROR_IS_FATAL ANY)
check_run(${program}/estimate)

find_program(pkg_config pkg-config)
file(GLOB_RECURSE pc ${prefix}/*/salvo.pc)
if(NOT pc)
  message(FATAL_ERROR "salvo.pc is not installed")
endif()
if(pkg_config)
  cmake_path(GET pc PARENT_PATH folder)
  set(ENV{PKG_CONFIG_PATH} ${folder})
  execute_process(COMMAND ${pkg_config} --cflags --libs salvo OUTPUT_VARIABLE words COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(words UNIX_COMMAND "${words}")
  separate_arguments(flags UNIX_COMMAND "${flags}")
  execute_process(COMMAND ${compiler} ${flags} -std=c99 -pedantic -Wall -Werror ${source}/estimate.c ${words} -lm -o ${program}/by_pkg_config
                  COMMAND_ERROR_IS_FATAL ANY)
  check_run(${program}/by_pkg_config)
endif()
