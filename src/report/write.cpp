#include "report/write.hpp"

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "report/field_map.hpp"
#include "report/folder_update.hpp"
#include "report/json.hpp"
#include "report/page.hpp"
#include "report/petab_tables.hpp"
#include "report/pictures_json.hpp"
#include "report/profile_view.hpp"
#include "report/profiles.hpp"
#include "report/summary.hpp"
#include "report/svg.hpp"
#include "report/tables.hpp"

namespace salvo::report {
namespace {

// All that a fit may write: what it does not write this time is of an earlier one.
constexpr std::string_view files_of_a_fit[] = {"estimates.tsv",
                                               "trajectories.csv",
                                               "residuals.csv",
                                               "starts.csv",
                                               "start.svg",
                                               "solution.svg",
                                               "pictures.json",
                                               "report.html",
                                               "fit.json",
                                               "petab_parameters.tsv",
                                               "petab_simulations.tsv",
                                               "bands.csv",
                                               "profiles.csv",
                                               "summary.txt",
                                               "fields.csv",
                                               "fields.svg"};

std::string solution_heading(const FitResult& result) {
  if (result.status == Status::converged) return "Solution: the intervals, joined to one trajectory";
  return fmt::format("Where the fit ended ({})", to_string(result.status));
}

// What the terminal prints of a fit.
std::string summary(const model::Problem& problem, const FitResult& result) {
  const std::string text = fit_summary(problem, result, false);
  return result.profiles ? text + "\n" + profiles_summary(result, false) : text;
}

// A text that is made when it is first wanted.
class Once {
 public:
  explicit Once(std::function<std::string()> make) : make_(std::move(make)) {}
  const std::string& text() {
    if (!text_) text_ = make_();
    return *text_;
  }

 private:
  std::function<std::string()> make_;
  std::optional<std::string> text_{};
};

}  // namespace

std::vector<FileText> fit_files(const model::Problem& problem, const FitResult& result, const RunRecord& run) {
  std::vector<FileText> files;
  const auto add = [&](const char* name, auto make) {
    files.push_back({name, [make](const TextSink& write) { write(make()); }});
  };
  add("estimates.tsv", [&] { return estimates_tsv(result); });
  add("trajectories.csv", [&] {
    return problem.fields.empty() ? trajectories_csv(problem, result.solution_arcs)
                                  : simulation_csv(problem, result.solution_arcs);
  });
  files.push_back({"residuals.csv", [&](const TextSink& write) { residuals_csv(problem, result, write); }});
  files.push_back({"bands.csv", [&](const TextSink& write) { bands_csv(problem, result, write); }});
  if (problem.petab) {
    add("petab_parameters.tsv", [&] { return petab_parameters(*problem.petab, result); });
    add("petab_simulations.tsv", [&] { return petab_simulations(*problem.petab, result); });
  }
  if (!result.starts.empty()) add("starts.csv", [&] { return starts_csv(result); });
  if (result.profiles) add("profiles.csv", [&] { return profiles_csv(*result.profiles); });
  // Pictures of fields show profiles over space, where there are any.
  const auto view = std::make_shared<const std::optional<ProfileView>>(profile_view(problem, result));
  const auto draw = [&problem, &result, view](const auto& make) {
    return *view ? make((*view)->problem, (*view)->result) : make(problem, result);
  };
  add("start.svg", [draw] {
    return draw([](const model::Problem& of, const FitResult& its) {
      return shooting_svg(of, its, its.start_arcs, "Start: every interval on its own");
    });
  });
  add("solution.svg", [draw] {
    return draw([](const model::Problem& of, const FitResult& its) {
      return shooting_svg(of, its, its.solution_arcs, solution_heading(its));
    });
  });
  const auto maps = std::make_shared<const std::vector<FieldMap>>(field_maps(problem, result));
  if (!result.field_pictures.empty()) add("fields.csv", [&] { return fields_csv(problem, result); });
  if (!maps->empty()) add("fields.svg", [&problem, maps] { return fields_svg(problem.title, *maps); });
  add("summary.txt", [&] { return summary(problem, result); });
  // Pages are made of the two texts that also stand beside them, and these are made once.
  const auto numbers = std::make_shared<Once>([&] { return fit_json(problem, result); });
  const auto pictures = std::make_shared<Once>([draw, maps, &run] {
    return draw([&](const model::Problem& of, const FitResult& its) { return pictures_json(of, its, run, *maps); });
  });
  add("pictures.json", [pictures] { return std::string_view(pictures->text()); });
  add("report.html", [numbers, pictures] { return page_html(numbers->text(), pictures->text()); });
  // Last, because it is what other programs look for.
  add("fit.json", [numbers] { return std::string_view(numbers->text()); });
  return files;
}

void write_fit(const model::Problem& problem, const FitResult& result, const std::string& folder,
               const RunRecord& run) {
  FolderUpdate update(folder);
  for (const FileText& file : fit_files(problem, result, run)) update.write(file.name, file.text);
  update.finish(files_of_a_fit);
}

}  // namespace salvo::report
