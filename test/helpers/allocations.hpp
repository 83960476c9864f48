#pragma once

namespace salvo::test {

// How often this program has asked for memory so far, on all threads.
long allocations();

}  // namespace salvo::test
