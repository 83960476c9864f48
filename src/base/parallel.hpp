#pragma once

#include <functional>

namespace salvo {

// Calls body(0) ... body(count - 1), on at most `threads` threads at a time. Each call writes into its own slot, so
// the result does not depend on the number of threads. The first exception is thrown to the caller.
void parallel_for(int count, int threads, const std::function<void(int)>& body);

// Ends the threads that wait for the next loop; that one makes new ones. A process that is about to be copied (fork) must not
// have any: the copy would wait for threads that it does not have. False where some are at work.
bool end_idle_threads();

}  // namespace salvo
