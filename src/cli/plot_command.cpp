#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>

#include "base/words.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/output.hpp"
#include "cli/phase_arcs.hpp"
#include "options/option_reader.hpp"
#include "report/figure/convert.hpp"
#include "report/figure/fit_folder.hpp"
#include "report/figure/layout.hpp"

namespace salvo::cli {
namespace {

namespace fs = std::filesystem;
namespace figure = report::figure;

constexpr double smallest_size = 30;  // mm
constexpr double largest_size = 2000;

// "85", or the columns of most journals by name.
std::optional<double> read_width(options::OptionReader& reader, const Word& word) {
  if (word == "column") return 85;
  if (word == "page") return 175;
  return reader.between("--width", word, smallest_size, largest_size);
}

void read_log(const std::vector<std::string>& words, figure::Options& options, Issues& issues) {
  const std::vector<std::string> known{"time", "values"};
  for (const std::string& word : words) {
    options.log_time = options.log_time || word == "time";
    options.log_values = options.log_values || word == "values";
    if (std::ranges::find(known, word) == known.end())
      issues.push_back(usage_issue(fmt::format("--log does not know '{}'", word), hint_for_unknown(word, known)));
  }
}

void read_phase(const std::vector<std::string>& names, figure::Options& options, Issues& issues) {
  if (names.empty()) return;
  if (names.size() != 2 || names[0].empty() || names[1].empty())
    issues.push_back(usage_issue("--phase wants two states or observables", "as in --phase prey,predator"));
  else
    options.phase = {names[0], names[1]};
}

std::optional<figure::Format> format_named(std::string_view name) {
  for (const figure::Format format : {figure::Format::svg, figure::Format::pdf, figure::Format::png})
    if (to_string(format) == name) return format;
  return std::nullopt;
}

// What --format says, or the ending of --out, or SVG.
figure::Format read_format(const PlotArguments& arguments, Issues& issues) {
  const std::vector<std::string> known{"svg", "pdf", "png"};
  const std::string ending = fs::path(arguments.out.value_or("figure.svg")).extension().string();
  const std::string word = arguments.format.value_or(ending.empty() ? "svg" : ending.substr(1));
  if (const auto format = format_named(word)) return *format;
  issues.push_back(arguments.format
                       ? usage_issue(fmt::format("--format does not know '{}'", word), hint_for_unknown(word, known))
                       : usage_issue(fmt::format("--out '{}' ends in no known format", *arguments.out),
                                     "end it in .svg, .pdf or .png, or say --format"));
  return figure::Format::svg;
}

}  // namespace

int plot_command(const PlotArguments& arguments) {
  options::OptionReader reader;
  Issues issues;
  figure::Options options{.common = arguments.common, .overlay = arguments.overlay};
  options.width = read_width(reader, arguments.width).value_or(options.width);
  options.height = reader.between("--height", arguments.height, smallest_size, largest_size);
  read_log(arguments.log, options, issues);
  read_phase(arguments.phase, options, issues);
  const figure::Format format = read_format(arguments, issues);
  issues.insert(issues.end(), reader.issues().begin(), reader.issues().end());
  if (!issues.empty()) return refuse(issues);

  auto fit = figure::read_fit(arguments.folder);
  if (!fit) return refuse(fit.issues());
  if (options.phase) {
    auto arcs = read_phase_arcs(arguments.folder, fit->experiments, *options.phase);
    if (!arcs) return refuse(arcs.issues());
    fit->phase = *std::move(arcs);
  }
  if (const double least = figure::least_height(*fit, options); options.height && *options.height < least)
    return refuse(
        {usage_issue(fmt::format("--height {:g} is too low for these panels", *options.height),
                     fmt::format("they need {:.0f} mm, or --overlay, or a larger --width", std::ceil(least)))});
  const std::string file =
      arguments.out.value_or((fs::path(arguments.folder) / fmt::format("figure.{}", to_string(format))).string());
  if (const Issues refused = figure::write_figure(figure::svg_of(*fit, options), format, file); !refused.empty())
    return refuse(refused);
  print(fmt::format("Wrote {}.\n", file));
  return exit_code::done;
}

}  // namespace salvo::cli
