#include "cli/progress_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace salvo::cli {
namespace {

constexpr double joined = 1e-8;
constexpr int widest_bar = 40;
constexpr int narrowest_bar = 6;
constexpr double short_wait = 3;  // seconds after which people ask how long it takes

std::string bar(double share, int width) {
  const int filled = static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * width));
  return "[" + std::string(static_cast<std::size_t>(filled), '#') +
         std::string(static_cast<std::size_t>(width - filled), '.') + "]";
}

// As many of the parts, the first ones first, as fit beside each other.
std::string as_fits(const std::vector<std::string>& parts, int width) {
  std::string line;
  for (const std::string& part : parts) {
    const std::size_t length = line.size() + part.size() + (line.empty() ? 0 : 3);
    if (static_cast<int>(length) > width) continue;
    line += line.empty() ? part : "   " + part;
  }
  return line;
}

// The line with a bar in the room that is left.
std::string with_bar(const std::string& line, double share, int width) {
  const int room = std::min(widest_bar, width - static_cast<int>(line.size()) - 4);
  return room < narrowest_bar ? line : line + "  " + bar(share, room);
}

double closed_share(double gap, double first_gap) {
  if (!(gap > joined)) return 1;
  if (!(first_gap > gap)) return 0;
  return std::log(first_gap / gap) / std::log(first_gap / joined);
}

}  // namespace

std::string duration_in_words(double seconds) {
  if (seconds < 99.5) return fmt::format("{:.0f} s", seconds);
  if (seconds < 99.5 * 60) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.0f} h", seconds / 3600);
}

std::string iteration_line(const IterationDone& event, double first_gap, const Elapsed& elapsed, int width) {
  std::vector<std::string> parts{fmt::format("iteration {}", event.iteration),
                                 fmt::format("objective {:.6g}", event.objective),
                                 fmt::format("gap {:.1e}", event.gap)};
  if (elapsed.seconds >= short_wait) parts.push_back(duration_in_words(elapsed.seconds));
  if (elapsed.seconds >= short_wait && elapsed.allowed)
    parts.push_back(
        fmt::format("at most {} left", duration_in_words(std::max(0.0, *elapsed.allowed - elapsed.seconds))));
  parts.push_back(fmt::format("step {:.1e}", event.step));
  return with_bar(as_fits(parts, width), closed_share(event.gap, first_gap), width);
}

std::string count_line(const StartDone& event, int converged, const std::string& many, const Elapsed& elapsed,
                       int width) {
  const double share = event.of > 0 ? static_cast<double>(event.done) / event.of : 1;
  std::vector<std::string> parts{fmt::format("{} of {} {}", event.done, event.of, many),
                                 fmt::format("{} converged", converged)};
  if (elapsed.seconds >= short_wait) parts.push_back(duration_in_words(elapsed.seconds));
  if (elapsed.seconds >= short_wait && event.done > 0 && event.done < event.of) {
    double left = elapsed.seconds * (event.of - event.done) / event.done;
    if (elapsed.allowed) left = std::min(left, std::max(0.0, *elapsed.allowed - elapsed.seconds));
    parts.push_back(fmt::format("about {} left", duration_in_words(left)));
  }
  return with_bar(as_fits(parts, width), share, width);
}

}  // namespace salvo::cli
