#pragma once

#include <functional>

namespace salvo {

// Calls body(0) ... body(count - 1), on at most `threads` threads at a time. Each call writes into its own slot, so
// the result does not depend on the number of threads. The first exception is thrown to the caller.
void parallel_for(int count, int threads, const std::function<void(int)>& body);

// A copy of a process (fork) has none of its threads: if it had any, loops of the copy run on its one thread, with the
// same bits. To be called in the copy before anything else.
void after_fork_in_child();

}  // namespace salvo
