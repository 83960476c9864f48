#pragma once

#include <functional>

namespace salvo {

// Calls body(0) ... body(count - 1), on at most `threads` threads at a time. Each call writes into its own slot, so
// the result does not depend on the number of threads. The first exception is thrown to the caller.
void parallel_for(int count, int threads, const std::function<void(int)>& body);

// A process that is about to be copied (fork) ends the threads that wait for the next loop, which makes new ones: the
// copy would count on threads that it does not have. Where some were at work, the copy runs its loops on one thread.
void before_fork();
void after_fork_in_child();

}  // namespace salvo
