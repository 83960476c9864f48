#pragma once

namespace salvo::cli {

namespace exit_code {
inline constexpr int done = 0;
inline constexpr int usage = 1;  // wrong usage, an unreadable file, a failing machine
inline constexpr int invalid = 2;
inline constexpr int unsupported = 3;
inline constexpr int no_answer = 4;    // ran, but without a converged answer
inline constexpr int more_to_do = 75;  // a scheduler asked a run to stop: come again
inline constexpr int interrupted = 130;
}  // namespace exit_code

}  // namespace salvo::cli
