#include "cli/profile_record.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/sha256.hpp"
#include "base/words.hpp"
#include "cli/output.hpp"
#include "formats/problem/write.hpp"
#include "report/folder_update.hpp"
#include "report/kept_sides.hpp"
#include "report/version.hpp"

namespace salvo::cli {
namespace {

namespace fs = std::filesystem;

constexpr off_t largest = off_t{1} << 30;

// The files, or what a PEtab problem says as a file, and the options that change a path.
std::string digest_of_run(const FitArguments& arguments, const PreparedFit& prepared) {
  std::string text(report::version());
  for (const model::InputFile& file : prepared.problem.files_read) text += "\n" + file.sha256;
  if (prepared.problem.petab)
    for (const formats::Written::File& file : formats::write_problem(prepared.problem, "problem").files)
      text += "\n" + sha256(file.text);
  const auto& integrator = arguments.integrator;
  for (const Word& word : {arguments.method, arguments.derivatives, arguments.nodes, arguments.start,
                           integrator.integrator, integrator.rtol, integrator.atol, arguments.max_iterations,
                           arguments.tolerance, arguments.effort, arguments.starts, arguments.seed})
    text += "\n" + word.value_or("-");
  for (const std::string& word : arguments.fix) text += "\nfix " + word;
  for (const auto& [id, value] : prepared.options.guess) text += fmt::format("\n{} {:a}", id, value);
  return sha256(text);
}

// Empty where there is nothing to be read: no file, a link, a pipe, or more than anybody can have followed.
std::string text_of_plain_file(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return {};
  struct stat found {};
  std::string text;
  if (fstat(file, &found) == 0 && S_ISREG(found.st_mode) && found.st_size <= largest) {
    text.resize(static_cast<std::size_t>(found.st_size));
    const ssize_t got = ::read(file, text.data(), text.size());
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  }
  ::close(file);
  return text;
}

void append_line(const std::string& path, const std::string& line) {
  const int file = ::open(path.c_str(), O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return;  // what cannot be kept is followed again
  [[maybe_unused]] const ssize_t written = ::write(file, line.data(), line.size());
  ::close(file);
}

}  // namespace

ProfileRecord::ProfileRecord(const std::string& folder, const ProfileArguments& arguments, const PreparedFit& prepared)
    : path_((fs::path(folder) / "profiles.part").string()), run_(digest_of_run(arguments.fit, prepared)) {}

void ProfileRecord::use(bool resume, fit::ProfileOptions& options) {
  report::KeptSides kept = resume ? report::read_sides(text_of_plain_file(path_), run_) : report::KeptSides{};
  if (kept.of_other_runs > 0)
    print_note(fmt::format("--resume: {} of another problem or of other options {} followed again",
                           counted(kept.of_other_runs, "side"), kept.of_other_runs == 1 ? "is" : "are"));
  if (kept.damaged > 0)
    print_note(fmt::format("--resume: {} in {} cannot be read, and {} followed again", counted(kept.damaged, "line"),
                           path_, kept.damaged == 1 ? "is" : "are"));
  report::write_file(path_, kept.lines);  // without what was torn off, so that the next line begins a line
  options.finished = std::move(kept.sides);
  options.optimum = std::move(kept.optimum);
  options.keep = [path = path_, run = run_](const fit::FinishedSide& side, const std::vector<double>& optimum) {
    append_line(path, report::side_line(run, side, optimum));
  };
}

void ProfileRecord::remove() {
  std::error_code error;
  fs::remove(path_, error);
}

}  // namespace salvo::cli
