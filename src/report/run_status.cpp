#include "report/run_status.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/words.hpp"
#include "report/display_text.hpp"
#include "report/json_text.hpp"

namespace salvo::report {
namespace {

// side.0 is a list of sides, and the fit before them one of a single task.
std::string in_words(const RunStatus::List& list) {
  const std::string name = list.kind.substr(0, list.kind.find('.'));
  return list.of == 1 ? name : name + "s";
}

std::string duration(double seconds) {
  constexpr double minute = 60, hour = 3600, day = 86400;
  if (seconds < 2 * minute) return fmt::format("{:.0f} s", seconds);
  if (seconds < 2 * hour) return fmt::format("{:.0f} min", seconds / minute);
  if (seconds < 2 * day) return fmt::format("{:.1f} h", seconds / hour);
  return fmt::format("{:.1f} days", seconds / day);
}

std::string next_step(const RunStatus& status) {
  const std::string folder = printable(status.folder);
  if (status.is_written && status.is_done()) return fmt::format("results    {}", folder);
  if (status.is_done()) return fmt::format("results    none yet: salvo gather {}", folder);
  if (status.processes == 0) return fmt::format("go on      salvo work {}", folder);
  return fmt::format("so far     salvo gather {}", folder);
}

}  // namespace

bool RunStatus::is_done() const {
  return !lists.empty() &&
         std::all_of(lists.begin(), lists.end(), [](const List& list) { return list.done + list.given_up >= list.of; });
}

std::string run_status_json(const RunStatus& status) {
  Json lists = Json::array();
  for (const RunStatus::List& list : status.lists)
    lists.push_back({{"tasks", list.kind},
                     {"done", list.done},
                     {"of", list.of},
                     {"given_up", list.given_up},
                     {"seconds", list.seconds}});
  Json json{{"command", status.command},    {"lists", std::move(lists)},     {"done", status.is_done()},
            {"written", status.is_written}, {"processes", status.processes}, {"threads", status.threads}};
  json["seconds_left"] = status.seconds_left ? number(*status.seconds_left) : Json();
  return text_of(json);
}

std::string run_status_summary(const RunStatus& status) {
  std::string text = printable(status.command_line.empty() ? status.command : status.command_line) + "\n";
  if (status.lists.empty()) text += "  nothing has begun yet\n";
  for (const RunStatus::List& list : status.lists) {
    text += fmt::format("  {:<10} {} of {} finished", in_words(list), list.done, list.of);
    if (list.given_up > 0) text += fmt::format(", {} given up", list.given_up);
    text += "\n";
  }
  if (status.processes > 0)
    text += fmt::format("  at work    {}, {}\n", counted(status.processes, "process", "processes"),
                        counted(status.threads, "thread"));
  if (status.seconds_left && !status.is_done())
    text += fmt::format("  left       {}\n", duration(*status.seconds_left));
  return text + "  " + next_step(status) + "\n";
}

}  // namespace salvo::report
