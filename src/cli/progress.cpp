#include "cli/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/output.hpp"

namespace salvo::cli {
namespace {

constexpr auto redraw_pause = std::chrono::milliseconds(50);
constexpr double longest_log_pause = 60;

}  // namespace

Progress::Progress(Volume volume, std::string many, std::optional<double> max_seconds)
    : volume_(volume),
      many_(std::move(many)),
      max_seconds_(max_seconds),
      is_live_(volume != Volume::quiet && is_terminal_err()) {}

void Progress::show(const Event& event) {
  if (volume_ == Volume::quiet) return;
  std::visit([this](const auto& alternative) { on(alternative); }, event);
}

void Progress::finish() { clear_line(); }

void Progress::on(const IterationDone& event) {
  if (!many_.empty()) return;  // iterations of many fits at once tell nobody anything
  if (volume_ == Volume::verbose) return print_row(event);
  if (event.iteration == 0) first_gap_ = event.gap;
  if (is_live_) return redraw(iteration_line(event, first_gap_, elapsed(), terminal_width_err() - 1), false);
  if (is_time_to_log())
    log(fmt::format("iteration {}, objective {:.6g}, largest gap {:.1e}, step {:.1e}", event.iteration, event.objective,
                    event.gap, event.step));
}

void Progress::on(const StartDone& event) {
  converged_ += event.converged ? 1 : 0;
  const auto plain = [&] {
    return fmt::format("{} of {} {} done, {} converged", event.done, event.of, many_, converged_);
  };
  if (is_live_)
    redraw(count_line(event, converged_, many_, elapsed(), terminal_width_err() - 1), event.done == event.of);
  else if (volume_ == Volume::verbose)
    print_error(plain() + "\n");
  else if (is_time_to_log())
    log(plain());
}

void Progress::on(const Remark& event) {
  const bool is_for_all = many_.empty() && !event.is_detail;  // of many starts each would say the same
  if (!is_for_all && volume_ != Volume::verbose) return;
  clear_line();
  print_note(event.text);
}

void Progress::print_row(const IterationDone& event) {
  clear_line();
  if (!has_header_)
    print_error(fmt::format("{:>9}  {:>14}  {:>11}  {:>9}  {}\n", "iteration", "objective", "largest gap", "step",
                            "phase: rule"));
  has_header_ = true;
  const std::string how =
      event.rule.empty() ? std::string(event.phase) : fmt::format("{}: {}", event.phase, event.rule);
  print_error(fmt::format("{:>9}  {:>14.8g}  {:>11.2e}  {:>9.2e}  {}\n", event.iteration, event.objective, event.gap,
                          event.step, how));
}

void Progress::log(const std::string& line) {
  const double now = seconds();
  print_error(fmt::format("after {}: {}\n", duration_in_words(now), line));
  logged_ = now;
  log_pause_ = std::min(2 * log_pause_, longest_log_pause);
}

void Progress::redraw(const std::string& line, bool is_last) {
  const auto now = Clock::now();
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
