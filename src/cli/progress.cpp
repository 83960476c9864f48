#include "cli/progress.hpp"

#include <fmt/format.h>

#include <utility>

#include "cli/output.hpp"

namespace salvo::cli {
namespace {

constexpr auto redraw_pause = std::chrono::milliseconds(50);
constexpr int bar_width = 30;

std::string bar(int done, int of) {
  const int filled = of > 0 ? done * bar_width / of : 0;
  return std::string(static_cast<std::size_t>(filled), '#') +
         std::string(static_cast<std::size_t>(bar_width - filled), '.');
}

}  // namespace

Progress::Progress(Volume volume, std::string many)
    : volume_(volume), many_(std::move(many)), is_live_(volume != Volume::quiet && is_terminal_err()) {}

void Progress::show(const Event& event) {
  if (volume_ == Volume::quiet) return;
  std::visit([this](const auto& alternative) { on(alternative); }, event);
}

void Progress::finish() { clear_line(); }

void Progress::on(const IterationDone& event) {
  if (!many_.empty()) return;  // iterations of many fits at once tell nobody anything
  if (volume_ == Volume::verbose) return print_row(event);
  redraw(fmt::format("iteration {}   objective {:.6g}   largest gap {:.1e}   step {:.1e}", event.iteration,
                     event.objective, event.gap, event.step),
         false);
}

void Progress::on(const StartDone& event) {
  converged_ += event.converged ? 1 : 0;
  if (is_live_) {
    redraw(fmt::format("[{}] {} of {} {}, {} converged", bar(event.done, event.of), event.done, event.of, many_,
                       converged_),
           event.done == event.of);
  } else if (volume_ == Volume::verbose) {
    print_error(fmt::format("{} of {} {} done, {} converged\n", event.done, event.of, many_, converged_));
  }
}

void Progress::on(const Remark& event) {
  if (!many_.empty() && volume_ != Volume::verbose) return;  // the same for every start
  clear_line();
  print_error(fmt::format("note: {}\n", event.text));
}

void Progress::print_row(const IterationDone& event) {
  clear_line();
  if (!has_header_)
    print_error(fmt::format("{:>9}  {:>14}  {:>11}  {:>9}\n", "iteration", "objective", "largest gap", "step"));
  has_header_ = true;
  print_error(
      fmt::format("{:>9}  {:>14.8g}  {:>11.2e}  {:>9.2e}\n", event.iteration, event.objective, event.gap, event.step));
}

void Progress::redraw(const std::string& line, bool is_last) {
  if (!is_live_) return;
  const auto now = std::chrono::steady_clock::now();
  if (!is_last && has_line_ && now - drawn_ < redraw_pause) return;
  drawn_ = now;
  has_line_ = true;
  print_error("\r\033[K" + line);
}

void Progress::clear_line() {
  if (has_line_) print_error("\r\033[K");
  has_line_ = false;
}

}  // namespace salvo::cli
