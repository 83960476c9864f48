# Writes a file for ctest with one entry for each suite of a program of tests, which is called ROOM/SUITE and runs in one process:
#   cmake -D program=test_solve -D room=solve -D label=unit -D out=solve_suites.cmake -P test_suites.cmake
# A process for each test took longer to begin than most tests take, and compiled again what the test before it had compiled.
execute_process(COMMAND ${program} --gtest_list_tests OUTPUT_VARIABLE listed RESULT_VARIABLE failed TIMEOUT 60)
if(failed)
  message(FATAL_ERROR "${program} does not say which tests it has: ${failed}\n${listed}")
endif()

# Suites stand at the left margin and end with a point; behind it may be the type of a parameter.
string(REGEX MATCHALL "(^|\n)[A-Za-z_0-9/]+\\." suites "${listed}")
set(entries "")
foreach(line IN LISTS suites)
  string(REGEX REPLACE "\n|\\.$" "" suite "${line}")
  # Skipped is a suite of which every test is: ctest would take a failure beside a skipped test for skipped, too.
  string(APPEND entries "add_test([=[${room}/${suite}]=] [=[${program}]=] [=[--gtest_filter=${suite}.*]=])
set_tests_properties([=[${room}/${suite}]=] PROPERTIES LABELS ${label} SKIP_REGULAR_EXPRESSION [=[PASSED  []] 0 tests\\.\n.  SKIPPED [^\n]*\n(.  SKIPPED [^\n]*\n)+$]=])
")
endforeach()
file(WRITE ${out} "${entries}")
