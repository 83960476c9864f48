#pragma once

#include <string_view>

namespace salvo::journal {

// From now on a crash (a segmentation fault, an abort, ...) of a thread that is at a task appends a line to this file
// before the process dies as ever: {"crash":KIND,"index":N,"signal":N,"crc":...}.
void record_crashes_in(int file);
void record_crashes_no_more(int file);

// What the calling thread is at; a negative task: at nothing.
void at_task(std::string_view kind, int task);

}  // namespace salvo::journal
