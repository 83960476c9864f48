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
run(${program}/decay ${source}/decay.yaml)
