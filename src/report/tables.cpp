#include "report/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "base/words.hpp"
#include "fit/places.hpp"
#include "model/on_cells.hpp"
#include "results/optima.hpp"

namespace salvo::report {
namespace {

// The spelling that both pandas and R take for a number.
std::string cell(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Inf" : "-Inf";
  return number_text(value);
}

std::string cell(const std::optional<double>& value) { return value ? cell(*value) : "NA"; }

// A spreadsheet takes a text that begins like this for a formula and computes it, unless an apostrophe stands before
// it.
bool looks_like_a_formula(std::string_view text) {
  constexpr std::string_view signs = "=+-@";
  return !text.empty() && signs.find(text.front()) != std::string_view::npos && !parse_number(text);
}

// RFC 4180: a cell with a separator, a quote or a line break stands in quotes, and its quotes are doubled.
std::string cell(std::string_view text, char separator) {
  if (looks_like_a_formula(text)) return cell("'" + std::string(text), separator);
  const bool plain = text.find_first_of("\"\r\n") == std::string_view::npos &&
                     text.find(separator) == std::string_view::npos &&
                     (text.empty() || (text.front() != ' ' && text.back() != ' '));
  if (plain) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

class Table {
 public:
  explicit Table(char separator) : separator_(separator) {}
  // Rows are handed on as they come, many at a time; the last ones by `finish`.
  Table(char separator, const TextSink& write) : separator_(separator), write_(&write) {}

  Table& add(std::string_view text) { return append(cell(text, separator_)); }
  Table& add(double value) {
    if (!std::isfinite(value)) return append(cell(value));
    append({});
    fmt::format_to(std::back_inserter(text_), "{}", value);  // as `cell` does, but in place: long data have millions
    return *this;
  }
  Table& add(const std::optional<double>& value) { return append(cell(value)); }
  Table& add(int count) { return append(std::to_string(count)); }
  void end_row() {
    constexpr std::size_t many = std::size_t{1} << 20U;  // characters
    text_ += '\n';
    row_is_empty_ = true;
    if (write_ != nullptr && text_.size() >= many) finish();
  }
  void finish() {
    (*write_)(text_);
    text_.clear();
  }
  std::string take_text() { return std::move(text_); }

 private:
  Table& append(std::string_view cell_text) {
    if (!row_is_empty_) text_ += separator_;
    text_ += cell_text;
    row_is_empty_ = false;
    return *this;
  }

  char separator_;
  const TextSink* write_ = nullptr;
  std::string text_;
  bool row_is_empty_ = true;
};

void add_header(Table& table, std::initializer_list<std::string_view> names) {
  for (const auto name : names) table.add(name);
  table.end_row();
}

void add_estimates(Table& table, const std::vector<Estimate>& estimates) {
  for (const auto& estimate : estimates) {
    std::optional<double> lower;
    std::optional<double> upper;
    if (estimate.interval) {
      if (std::isfinite(estimate.interval->first)) lower = estimate.interval->first;
      if (std::isfinite(estimate.interval->second)) upper = estimate.interval->second;
    }
    table.add(estimate.id).add(estimate.experiment).add(estimate.estimate).add(estimate.standard_error);
    table.add(lower).add(upper).add(model::to_string(estimate.scale)).add(to_string(estimate.at_bound));
    table.add(std::string_view(estimate.identifiable ? "true" : "false"));
    table.end_row();
  }
}

// One that has the name of a state is that state, whose column is there.
std::vector<int> observables_of_their_own(const model::Problem& problem) {
  std::vector<int> own;
  for (int k = 0; k < static_cast<int>(problem.observables.size()); ++k)
    if (std::none_of(problem.states.begin(), problem.states.end(),
                     [&](const model::State& state) { return state.id == problem.observables[k].id; }))
      own.push_back(k);
  return own;
}

// "<0.1"
std::string limit_text(const model::Measurement& m) {
  return (m.censored == model::Censored::below ? "<" : ">") + cell(m.value);
}

void add_residuals(Table& table, const model::Problem& problem, const std::vector<model::Measurement>& measurements,
                   const std::vector<Prediction>& predictions, std::string_view set) {
  for (const auto& prediction : predictions) {
    const auto& measurement = measurements[static_cast<std::size_t>(prediction.row)];
    table.add(problem.experiments[measurement.experiment].id).add(problem.observables[measurement.observable].id);
    table.add(measurement.time);
    for (std::size_t k = 0; k < problem.space.size(); ++k) table.add(std::optional<double>(measurement.place[k]));
    if (measurement.censored == model::Censored::no)
      table.add(measurement.value);
    else
      table.add(limit_text(measurement));
    table.add(prediction.simulation).add(prediction.sigma);
    table.add(prediction.residual).add(prediction.llh).add(set).add(prediction.score);
    table.end_row();
  }
}

}  // namespace

std::string estimates_tsv(const FitResult& result) {
  Table table('\t');
  add_header(table,
             {"id", "experiment", "estimate", "standard_error", "lower", "upper", "scale", "at_bound", "identifiable"});
  add_estimates(table, result.parameters);
  add_estimates(table, result.initial);
  return table.take_text();
}

std::string trajectories_csv(const model::Problem& problem, const std::vector<Arc>& arcs,
                             IntervalColumn interval_column) {
  const bool with_interval = interval_column == IntervalColumn::shown;
  Table table(',');
  table.add(std::string_view("experiment"));
  if (with_interval) table.add(std::string_view("interval"));
  table.add(std::string_view("time"));
  for (const auto& state : problem.states) table.add(state.id);
  const std::vector<int> observables = observables_of_their_own(problem);
  for (const int k : observables) table.add(problem.observables[k].id);
  table.end_row();

  for (const auto& arc : arcs)
    for (int i = 0; i < static_cast<int>(arc.time.size()); ++i) {
      table.add(problem.experiments[arc.experiment].id);
      if (with_interval) table.add(arc.interval);
      table.add(arc.time[i]);
      for (int k = 0; k < arc.states.rows; ++k) table.add(arc.states(k, i));
      for (const int k : observables)
        if (k < arc.observables.rows) table.add(arc.observables(k, i));
      table.end_row();
    }
  return table.take_text();
}

namespace {

// Rows of a problem with fields: one for each time and place.
class FieldTable {
 public:
  FieldTable(const model::Problem& problem, const std::vector<fit::Place>& places)
      : problem_(problem),
        places_(places),
        at_places_(fit::observables_of_places(problem)),
        ordinary_(static_cast<int>(model::ordinary_states(problem))) {
    for (const int k : observables_of_their_own(problem))
      if (std::find(at_places_.begin(), at_places_.end(), k) == at_places_.end()) others_.push_back(k);
  }

  std::string write(const std::vector<Arc>& arcs) {
    table_.add(std::string_view("experiment")).add(std::string_view("time"));
    for (const model::Space& space : problem_.space) table_.add(space.id);
    for (const model::Field& field : problem_.fields) table_.add(field.id);
    for (const int k : at_places_)
      if (!places_.empty()) table_.add(problem_.observables[k].id);
    for (int i = 0; i < ordinary_; ++i) table_.add(problem_.states[i].id);
    for (const int k : others_) table_.add(problem_.observables[k].id);
    table_.end_row();
    const int rows = places_.empty() ? model::cells_of(problem_) : static_cast<int>(places_.size());
    for (const Arc& arc : arcs)
      for (int i = 0; i < static_cast<int>(arc.time.size()); ++i)
        for (int place = 0; place < rows; ++place) add_row(arc, i, place);
    return table_.take_text();
  }

 private:
  void add_row(const Arc& arc, int i, int place) {
    table_.add(problem_.experiments[arc.experiment].id).add(arc.time[i]);
    const int fields = static_cast<int>(problem_.fields.size());
    if (places_.empty()) {
      table_.add(problem_.space[0].centre(place % problem_.space[0].cells));
      if (problem_.space.size() > 1) table_.add(problem_.space[1].centre(place / problem_.space[0].cells));
      for (int f = 0; f < fields; ++f) table_.add(arc.states(ordinary_ + place * fields + f, i));
    } else {
      for (std::size_t d = 0; d < problem_.space.size(); ++d) table_.add(places_[place][d]);
      const int columns = fields + static_cast<int>(at_places_.size());
      for (int c = 0; c < columns; ++c)
        table_.add(arc.observables(static_cast<int>(problem_.observables.size()) + place * columns + c, i));
    }
    for (int k = 0; k < ordinary_; ++k) table_.add(arc.states(k, i));
    for (const int k : others_) table_.add(arc.observables(k, i));
    table_.end_row();
  }

  const model::Problem& problem_;
  const std::vector<fit::Place>& places_;
  std::vector<int> at_places_;
  std::vector<int> others_;
  int ordinary_ = 0;
  Table table_{','};
};

}  // namespace

std::string simulation_csv(const model::Problem& problem, const std::vector<Arc>& arcs,
                           const std::vector<fit::Place>& places) {
  if (problem.fields.empty()) return trajectories_csv(problem, arcs, IntervalColumn::hidden);
  return FieldTable(problem, places).write(arcs);
}

void residuals_csv(const model::Problem& problem, const FitResult& result, const TextSink& write) {
  Table table(',', write);
  for (const char* name : {"experiment", "observable", "time"}) table.add(std::string_view(name));
  for (const model::Space& space : problem.space) table.add(space.id);
  add_header(table, {"value", "simulation", "sigma", "residual", "llh", "set", "quantile_residual"});
  add_residuals(table, problem, problem.measurements, result.predictions, "fit");
  add_residuals(table, problem, problem.validation, result.validation, "validation");
  table.finish();
}

void bands_csv(const model::Problem& problem, const FitResult& result, const TextSink& write) {
  Table table(',', write);
  add_header(table, {"experiment", "time", "observable", "value", "sd", "lower", "upper", "lower_new", "upper_new"});
  const auto end = [](double value) { return std::isfinite(value) ? cell(value) : std::string(); };
  const std::vector<int> at_places = fit::observables_of_places(problem);  // whose bands are those of profiles
  for (const auto& arc : result.solution_arcs) {
    const Arc::Band& band = arc.band;
    if (band.lower.cols != static_cast<int>(arc.time.size())) continue;
    for (int i = 0; i < band.lower.cols; ++i)
      for (int k = 0; k < band.lower.rows; ++k) {
        if (std::find(at_places.begin(), at_places.end(), k) != at_places.end()) continue;
        table.add(problem.experiments[arc.experiment].id).add(arc.time[i]).add(problem.observables[k].id);
        table.add(arc.observables(k, i));
        for (const Matrix* numbers : {&band.deviation, &band.lower, &band.upper, &band.lower_new, &band.upper_new})
          table.add(end((*numbers)(k, i)));
        table.end_row();
      }
  }
  table.finish();
}

std::string fields_csv(const model::Problem& problem, const FitResult& result) {
  Table table(',');
  for (const char* name : {"experiment", "observable", "time"}) table.add(std::string_view(name));
  table.add(problem.space[0].id);
  add_header(table, {"value", "lower", "upper"});
  for (const FieldPicture& picture : result.field_pictures)
    for (const FieldPicture::Profile& profile : picture.profiles)
      for (std::size_t i = 0; i < picture.place.size(); ++i) {
        table.add(problem.experiments[picture.experiment].id).add(problem.observables[picture.observable].id);
        table.add(profile.time).add(picture.place[i]).add(profile.value[i]);
        table.add(profile.lower.empty() ? std::string() : cell(profile.lower[i]));
        table.add(profile.upper.empty() ? std::string() : cell(profile.upper[i]));
        table.end_row();
      }
  return table.take_text();
}

std::string starts_csv(const FitResult& result) {
  std::map<int, int> optimum_of;  // by start
  int number = 0;
  for (const Optimum& optimum : distinct_optima(result.starts)) {
    ++number;
    for (const int start : optimum.starts) optimum_of[start] = number;
  }
  std::vector<std::string> names;  // a start that was never begun has no parameters
  for (const StartResult& start : result.starts)
    if (names.empty())
      for (const auto& parameter : start.parameters) names.push_back(parameter.first);

  Table table(',');
  for (const std::string_view name :
       {"start", "status", "objective", "optimum", "gap", "iterations", "points", "seconds", "message"})
    table.add(name);
  for (const std::string& name : names) table.add("guess:" + name);
  for (const std::string& name : names) table.add(name);
  table.end_row();
  for (const StartResult& start : result.starts) {
    const auto found = optimum_of.find(start.start);
    table.add(start.start).add(to_string(start.status)).add(start.objective);
    table.add(found == optimum_of.end() ? std::string("NA") : std::to_string(found->second));
    table.add(start.gap).add(start.iterations).add(start.points).add(start.seconds).add(start.message);
    const std::map<std::string, double> guess(start.guess.begin(), start.guess.end());
    for (const std::string& name : names)
      table.add(guess.contains(name) ? std::optional(guess.at(name)) : std::nullopt);
    for (std::size_t k = 0; k < names.size(); ++k)
      table.add(k < start.parameters.size() ? std::optional(start.parameters[k].second) : std::nullopt);
    table.end_row();
  }
  return table.take_text();
}

std::string profiles_csv(const Profiles& profiles) {
  Table table(',');
  for (const std::string_view name : {"id", "value", "objective"}) table.add(name);
  for (const std::string& id : profiles.ids) table.add(id);
  table.end_row();
  for (const Profile& profile : profiles.profiles)
    for (const Profile::Point& point : profile.points) {
      table.add(profile.id).add(point.value).add(point.objective);
      for (const double other : point.others) table.add(other);
      table.end_row();
    }
  return table.take_text();
}

}  // namespace salvo::report
