#include "report/figure/fit_folder.hpp"

#include <cmath>
#include <filesystem>
#include <optional>
#include <utility>

#include "report/base64.hpp"
#include "report/fit_file.hpp"
#include "report/foreign_json.hpp"

namespace salvo::report::figure {
namespace {

namespace fs = std::filesystem;

// Takes numbers out of pictures.json. What is missing or of another length leaves it unsound, and nothing else.
class Reader {
 public:
  explicit Reader(const Json& json) : json_(json) {}

  std::optional<Fit> read() {
    fit_.time_axis = text(json_, "time");
    for (const Json& each : list(json_, "observables"))
      fit_.observables.push_back({.id = text(each, "id"),
                                  .axis = text(each, "axis"),
                                  .is_logarithmic = text(each, "distribution").starts_with("log-")});
    for (const Json& each : list(json_, "experiments"))
      fit_.experiments.push_back(each.is_string() ? each.get<std::string>() : std::string{});
    read_data("data", true);
    read_data("validation", false);
    for (const Json& curves : list(json_, "solution")) read_curves(curves);
    if (!is_sound_ || fit_.experiments.empty()) return std::nullopt;
    return std::move(fit_);
  }

 private:
  std::string text(const Json& object, const char* name) {
    const bool is_there = object.is_object() && object.contains(name) && object[name].is_string();
    is_sound_ = is_sound_ && is_there;
    return is_there ? object[name].get<std::string>() : std::string{};
  }
  const Json& list(const Json& object, const char* name) {
    static const Json none = Json::array();
    const bool is_there = object.is_object() && object.contains(name) && object[name].is_array();
    is_sound_ = is_sound_ && is_there;
    return is_there ? object[name] : none;
  }
  // Decodes a text; a column is sound if it is as long as `count`, where that is known.
  template <class Numbers>
  Numbers numbers(const std::string& text, std::optional<Numbers> (*decode)(std::string_view),
                  std::optional<std::size_t> count = {}) {
    std::optional<Numbers> out = decode(text);
    is_sound_ = is_sound_ && out && (!count || out->size() == *count);
    return is_sound_ ? *std::move(out) : Numbers(count.value_or(0));
  }

  bool is_experiment(int k) const { return k >= 0 && k < static_cast<int>(fit_.experiments.size()); }
  bool is_observable(int k) const { return k >= 0 && k < static_cast<int>(fit_.observables.size()); }

  static bool has(const Json& object, const char* name) { return object.is_object() && object.contains(name); }

  // Each time once and which of them, or all of them.
  std::vector<double> read_times(const Json& set, std::size_t n) {
    if (!has(set, "times")) return numbers(text(set, "time"), doubles_of_base64, n);
    const std::vector<double> times = numbers(text(set, "times"), doubles_of_base64);
    std::vector<double> out;
    for (const int at : numbers(text(set, "at"), shorts_of_base64, n)) {
      is_sound_ = is_sound_ && at < static_cast<int>(times.size());
      out.push_back(is_sound_ ? times[static_cast<std::size_t>(at)] : 0);
    }
    return out;
  }

  std::pair<std::vector<int>, std::vector<int>> read_panels(const Json& set, std::size_t n) {
    if (!has(set, "panel"))
      return {numbers(text(set, "experiment"), integers_of_base64, n),
              numbers(text(set, "observable"), integers_of_base64, n)};
    const int observables = std::max(1, static_cast<int>(fit_.observables.size()));
    std::vector<int> experiment = numbers(text(set, "panel"), shorts_of_base64, n);
    std::vector<int> observable = experiment;
    for (int& panel : experiment) panel /= observables;
    for (int& panel : observable) panel %= observables;
    return {std::move(experiment), std::move(observable)};
  }

  // One for each observable, or one for each row.
  std::vector<double> read_sigmas(const Json& set, const std::vector<int>& observable) {
    if (!has(set, "sigmas")) return numbers(text(set, "sigma"), floats_of_base64, observable.size());
    const Json& sigmas = list(set, "sigmas");
    std::vector<double> out;
    for (const int k : observable) {
      const bool is_there =
          k >= 0 && k < static_cast<int>(sigmas.size()) && sigmas[static_cast<std::size_t>(k)].is_number();
      out.push_back(is_there ? sigmas[static_cast<std::size_t>(k)].get<double>() : 0);
    }
    return out;
  }

  void read_data(const char* name, bool fitted) {
    static const Json none;
    const Json& set = json_.is_object() && json_.contains(name) ? json_[name] : none;
    const std::vector<double> value = numbers(text(set, "value"), floats_of_base64);
    const std::size_t n = value.size();
    const std::vector<double> time = read_times(set, n);
    const auto [experiment, observable] = read_panels(set, n);
    const std::vector<double> sigma = read_sigmas(set, observable);
    const bool has_limits = has(set, "limit");
    const std::vector<int> limit =
        has_limits ? numbers(text(set, "limit"), integers_of_base64, n) : std::vector<int>(n, 0);
    for (std::size_t i = 0; i < n && is_sound_; ++i) {
      is_sound_ = is_experiment(experiment[i]) && is_observable(observable[i]);
      fit_.data.push_back({.experiment = experiment[i],
                           .observable = observable[i],
                           .time = time[i],
                           .value = value[i],
                           .sigma = std::isfinite(sigma[i]) ? sigma[i] : 0,
                           .limit = limit[i],
                           .fitted = fitted});
    }
  }

  std::vector<std::vector<double>> columns(const Json& curves, const char* name, std::size_t points) {
    std::vector<std::vector<double>> out;
    for (const Json& column : list(curves, name))
      out.push_back(numbers(column.is_string() ? column.get<std::string>() : "?", floats_of_base64, points));
    return out;
  }

  void read_curves(const Json& curves) {
    const bool has_experiment =
        curves.is_object() && curves.contains("experiment") && curves["experiment"].is_number_integer();
    const int experiment = has_experiment ? curves["experiment"].get<int>() : -1;
    is_sound_ = is_sound_ && is_experiment(experiment);
    const std::vector<double> time = numbers(text(curves, "time"), doubles_of_base64);
    const std::vector<int> lengths = numbers(text(curves, "lengths"), integers_of_base64);
    const auto value = columns(curves, "value", time.size());
    const bool has_band = is_sound_ && curves.contains("lower") && curves.contains("upper");
    const auto lower = has_band ? columns(curves, "lower", time.size()) : std::vector<std::vector<double>>{};
    const auto upper = has_band ? columns(curves, "upper", time.size()) : std::vector<std::vector<double>>{};
    std::size_t begin = 0;
    for (const int length : lengths) {
      const std::size_t end = begin + static_cast<std::size_t>(std::max(length, 0));
      is_sound_ = is_sound_ && length >= 0 && end <= time.size();
      if (!is_sound_) return;
      const auto part = [&](const std::vector<double>& whole) {
        return std::vector<double>(whole.begin() + static_cast<long>(begin), whole.begin() + static_cast<long>(end));
      };
      Fit::Arc arc{.experiment = experiment, .time = part(time)};
      for (const auto& column : value) arc.value.push_back(part(column));
      for (const auto& column : lower) arc.lower.push_back(part(column));
      for (const auto& column : upper) arc.upper.push_back(part(column));
      is_sound_ = arc.value.size() == fit_.observables.size() &&
                  (!has_band || (arc.lower.size() == arc.value.size() && arc.upper.size() == arc.value.size()));
      fit_.arcs.push_back(std::move(arc));
      begin = end;
    }
  }

  const Json& json_;
  Fit fit_{};
  bool is_sound_ = true;
};

}  // namespace

Result<Fit> read_fit(const std::string& folder) {
  std::error_code error;
  if (!fs::exists(folder, error)) return unreadable_fit(folder, "there is no such folder");
  if (!fs::is_directory(folder, error)) return unreadable_fit(folder, "this is not a folder");
  const fs::path path = fs::path(folder) / "pictures.json";
  const Result<std::string> text = read_fit_file(path, {"run", "data", "solution"});
  if (!text) return text.issues();
  const Json json = parse_foreign(*text);
  std::optional<Fit> fit = Reader(json).read();
  if (!fit) return unreadable_fit(path.string(), "this is not the file of a fit");
  return *std::move(fit);
}

}  // namespace salvo::report::figure
