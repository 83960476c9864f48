#include <fmt/format.h>

#include <filesystem>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/output.hpp"
#include "cli/tell.hpp"
#include "cli/write_all.hpp"
#include "fit/initial_guesses.hpp"
#include "formats/petab/write.hpp"
#include "formats/problem/read.hpp"
#include "formats/problem/write.hpp"

namespace salvo::cli {
namespace {

namespace fs = std::filesystem;

// OUT is the problem file itself or a folder for it.
struct Place {
  std::string folder{};
  std::string stem{};
};
Place place_of(const std::string& out) {
  const fs::path path(out);
  if (path.extension() == ".yaml" || path.extension() == ".yml")
    return {.folder = path.parent_path().string(), .stem = path.stem().string()};
  const fs::path name = path.has_filename() ? path.filename() : path.parent_path().filename();
  return {.folder = out, .stem = name.string()};
}

bool can_be_a_stem(const std::string& stem) { return !stem.empty() && stem.front() != '.' && stem.front() != '-'; }

}  // namespace

int convert_command(const ConvertArguments& arguments) {
  auto problem = formats::read_problem(arguments.problem);
  if (!problem) return refuse(problem.issues());
  tell_remarks(*problem, Progress::Volume::normal);
  const Place place = place_of(arguments.out);
  if (!can_be_a_stem(place.stem))
    return refuse({usage_issue(fmt::format("'{}' cannot be the name of a problem", arguments.out),
                               "name a folder or a file that ends in .yaml")});
  const bool to_native = problem->petab.has_value();
  if (!to_native) fit::guess_initial_values(*problem);
  const Result<formats::Written> written = to_native
                                               ? Result<formats::Written>(formats::write_problem(*problem, place.stem))
                                               : formats::petab::write_problem(*problem, place.stem);
  if (!written) return refuse(written.issues());
  if (const Issues issues = formats::already_there(*written, place.folder); !issues.empty() && !arguments.replace)
    return refuse(issues);
  catch_interrupts();  // what is begun is finished
  write_all(*written, place.folder);

  const std::string file = (fs::path(place.folder) / written->files.front().name).string();
  for (const std::string& lost : written->lost)
    print_note(fmt::format("{}: {}", to_native ? "changed" : "left out", lost));
  print(
      fmt::format("Wrote {}, {}.\n", file,
                  to_native ? "a problem file of Salvo, and its data" : "a PEtab problem (version 2), and its tables"));
  const auto again = formats::read_problem(file);
  if (again) return was_interrupted() ? exit_code::interrupted : exit_code::done;
  print_note("what was written cannot be read as it is:");
  return refuse(again.issues());
}

}  // namespace salvo::cli
