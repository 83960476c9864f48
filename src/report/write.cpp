#include "report/write.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include "report/json.hpp"
#include "report/page.hpp"
#include "report/pictures_json.hpp"
#include "report/profiles.hpp"
#include "report/svg.hpp"
#include "report/tables.hpp"

namespace salvo::report {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(std::string_view deed, const std::string& path, const std::string& reason) {
  throw std::runtime_error(fmt::format("cannot {} '{}': {}", deed, path, reason));
}

std::string solution_heading(const fit::FitResult& result) {
  if (result.status == fit::Status::converged) return "Solution: the intervals, joined to one trajectory";
  return fmt::format("Where the fit ended ({})", fit::to_string(result.status));
}

}  // namespace

void write_file(const std::string& path, std::string_view text) {
  const std::string unfinished = path + ".part";
  errno = 0;
  std::ofstream file(unfinished, std::ios::binary | std::ios::trunc);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  std::error_code error;
  if (!file) {
    const std::string reason = errno != 0 ? std::strerror(errno) : "the disk refused";
    fs::remove(unfinished, error);
    refuse("write", path, reason);
  }
  fs::rename(unfinished, path, error);
  if (error) {
    const std::string reason = error.message();
    fs::remove(unfinished, error);
    refuse("write", path, reason);
  }
}

void write_fit(const model::Problem& problem, const fit::FitResult& result, const std::string& folder,
               const RunRecord& run) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) refuse("make the folder", folder, error.message());

  const auto write = [&](const char* name, const std::string& text) {
    write_file((fs::path(folder) / name).string(), text);
  };
  write("estimates.tsv", estimates_tsv(result));
  write("trajectories.csv", trajectories_csv(problem, result.solution_arcs));
  write("residuals.csv", residuals_csv(problem, result));
  write("bands.csv", bands_csv(problem, result));
  if (result.starts.empty())
    fs::remove(fs::path(folder) / "starts.csv", error);  // of an earlier fit
  else
    write("starts.csv", starts_csv(result));
  if (!result.profiles)
    fs::remove(fs::path(folder) / "profiles.csv", error);
  else
    write("profiles.csv", profiles_csv(*result.profiles));
  write("start.svg", shooting_svg(problem, result, result.start_arcs, "Start: every interval on its own"));
  write("solution.svg", shooting_svg(problem, result, result.solution_arcs, solution_heading(result)));
  const std::string numbers = fit_json(problem, result);
  const std::string pictures = pictures_json(problem, result, run);
  write("pictures.json", pictures);
  write("report.html", page_html(numbers, pictures));
  // Last, because it is what other programs look for.
  write("fit.json", numbers);
}

}  // namespace salvo::report
