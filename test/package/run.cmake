# Installs the library into a folder, then configures, builds and runs a small program that knows only that folder.
# cmake -D build=... -D source=... -D compiler=... -D config=... -P run.cmake
set(prefix ${build}/package/prefix)
set(program ${build}/package/build)
file(REMOVE_RECURSE ${build}/package)

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run(${CMAKE_COMMAND} --install ${build} --prefix ${prefix})
run(${CMAKE_COMMAND} -S ${source} -B ${program} -G Ninja -DCMAKE_CXX_COMPILER=${compiler} -DCMAKE_BUILD_TYPE=${config}
    -DCMAKE_CXX_FLAGS=${flags} -DCMAKE_PREFIX_PATH=${prefix})
run(${CMAKE_COMMAND} --build ${program})
execute_process(COMMAND ${program}/estimate ${source}/decay.yaml ${build}/package/decay.fit OUTPUT_VARIABLE said
                COMMAND_ERROR_IS_FATAL ANY)
message("${said}")
# What the library loads while it runs is in the folder that it was installed into, and nowhere else that the program knows.
if(EXISTS ${build}/libsalvo_jit.so AND said MATCHES "no machine code")
  message(FATAL_ERROR "the program does not find libsalvo_jit.so below ${prefix}")
endif()
if(EXISTS ${build}/libsalvo_sbml.so)
  execute_process(COMMAND ${program}/estimate ${petab} ${build}/package/petab.fit OUTPUT_VARIABLE of_petab RESULT_VARIABLE code)
  if(of_petab MATCHES "libsalvo_sbml")
    message(FATAL_ERROR "the program does not read SBML: ${of_petab}")
  endif()
endif()
execute_process(COMMAND ${python} ${CMAKE_CURRENT_LIST_DIR}/../run_paths_test.py ${prefix} ${program} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${program}/oscillator OUTPUT_VARIABLE written COMMAND_ERROR_IS_FATAL ANY)
message("${written}")
if(NOT written MATCHES "frequency = 2\\.00000" OR NOT written MATCHES "damping = 0\\.20000")
  message(FATAL_ERROR "the model written in C++ did not lead to frequency 2 and damping 0.2")
endif()
# The data follow exp(-0.5 t).
if(NOT said MATCHES "k = 0\\.500000 " OR NOT EXISTS ${build}/package/decay.fit/report.html)
  message(FATAL_ERROR "the program did not find k = 0.5, or wrote no report")
endif()
foreach(installed IN ITEMS share/man/man1/salvo.1 share/bash-completion/completions/salvo
                           share/zsh/site-functions/_salvo share/fish/vendor_completions.d/salvo.fish)
  if(NOT EXISTS ${prefix}/${installed})
    message(FATAL_ERROR "${installed} is not installed")
  endif()
endforeach()
