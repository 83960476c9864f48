#pragma once

namespace salvo::test {

// How often this program has asked for memory so far, on all threads.
long allocations();
// And how many bytes it has asked for.
long allocated_bytes();

}  // namespace salvo::test
