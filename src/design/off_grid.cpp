#include "design/off_grid.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "design/describe.hpp"
#include "design/refine.hpp"

namespace salvo::design {
namespace {

using Eigen::MatrixXd;

class OffGrid {
 public:
  OffGrid(const Survey& survey, const Exact& exact) : survey_(survey), columns_(survey.quantities().columns) {
    for (std::size_t i = 0; i < exact.count.size(); ++i)
      for (int n = 0; n < exact.count[i]; ++n) let_move(i);
    use_settings();
  }

  void run(double least, const std::function<bool()>& should_stop, Result& result) {
    const RowsOf rows_of = [&](const std::vector<Setting>& settings, const std::vector<Sample>& samples) {
      return rows_with(settings, samples);
    };
    Moved moved = refine(survey_.problem(), survey_.design(), survey_.old(), start_, rows_of, should_stop);
    if (!std::isfinite(moved.loss)) return;
    moved.loss = exact_loss(moved);
    if (!(moved.loss < least)) {  // a smooth criterion is not the criterion itself
      moved.samples = start_.samples;
      moved.settings = start_.settings;
      moved.loss = least;
    }
    const auto rows = information_with(survey_.place(), moved.settings)->rows(moved.samples, columns_);
    if (rows.ok) tell(moved, rows.of_sample, result);
  }

 private:
  // A time may move up to its neighbours on the grid; half as far where only so many samples may be at one time.
  void let_move(std::size_t candidate) {
    const Sample& sample = survey_.candidates().samples[candidate];
    const std::vector<double>& times = survey_.design().measures[sample.measure].times;
    const auto at = std::lower_bound(times.begin(), times.end(), sample.time);
    const double before = at == times.begin() ? sample.time : *(at - 1);
    const double after = at + 1 >= times.end() ? sample.time : *(at + 1);
    const double part = std::isfinite(survey_.candidates().limit[candidate]) ? 0.5 : 1;
    start_.samples.push_back(sample);
    start_.times.push_back({sample.time - part * (sample.time - before), sample.time + part * (after - sample.time)});
    start_.step.push_back(0.5 * part * std::max(sample.time - before, after - sample.time));
  }

  // Only the new experiments that are used are made again, with numbers of their own.
  void use_settings() {
    std::set<int> used;
    for (const Sample& sample : start_.samples)
      if (sample.experiment >= survey_.old()) used.insert(sample.experiment);
    const std::vector<int> experiments(used.begin(), used.end());
    for (const int e : experiments) start_.settings.push_back(survey_.settings()[e - survey_.old()]);
    const auto renumbered = [&](int experiment) {
      if (experiment < survey_.old()) return experiment;
      const auto at = std::find(experiments.begin(), experiments.end(), experiment);
      return at == experiments.end() ? -2 : survey_.old() + static_cast<int>(at - experiments.begin());
    };
    for (Sample& sample : start_.samples) sample.experiment = renumbered(sample.experiment);
    for (Column& column : columns_) column.experiment = renumbered(column.experiment);
  }

  std::shared_ptr<const Information> information_with(const Place& place, const std::vector<Setting>& settings) const {
    if (settings.empty()) return std::make_shared<Information>(*place.information);
    return std::make_shared<Information>(with_new_experiments(place.standing, settings), survey_.information_options());
  }

  std::optional<std::vector<std::vector<MatrixXd>>> rows_with(const std::vector<Setting>& settings,
                                                              const std::vector<Sample>& samples) const {
    std::vector<std::vector<MatrixXd>> out;
    for (const Place* place : survey_.places()) {
      const auto information = information_with(*place, settings);
      if (!information->is_ready()) return std::nullopt;
      Information::Rows rows = information->rows(samples, columns_);
      if (!rows.ok) return std::nullopt;
      for (MatrixXd& each : rows.of_sample) each = (each * place->space.to_z).eval();
      out.push_back(std::move(rows.of_sample));
    }
    return out;
  }

  double exact_loss(const Moved& moved) const {
    const auto rows = rows_with(moved.settings, moved.samples);
    if (!rows) return std::numeric_limits<double>::infinity();
    std::vector<MatrixXd> F;
    for (std::size_t p = 0; p < rows->size(); ++p) {
      F.push_back(survey_.problem().points[p].known);
      for (const MatrixXd& each : (*rows)[p]) F.back() += each.transpose() * each;
    }
    return loss(survey_.problem(), F);
  }

  void tell(const Moved& moved, const std::vector<MatrixXd>& rows, Result& result) const {
    const model::Problem lab = with_new_experiments(survey_.place().standing, moved.settings);
    Refined refined{.value = value_of(result.criterion, moved.loss), .linearizations = moved.linearizations};
    std::vector<Sample> order = moved.samples;
    std::stable_sort(order.begin(), order.end(), [](const Sample& a, const Sample& b) {
      return std::tuple(a.measure, a.experiment, a.time) < std::tuple(b.measure, b.experiment, b.time);
    });
    constexpr double same = 1e-6;  // of the time: below what a descent finds
    for (const Sample& sample : order) {
      Taken each = taken(survey_, lab, sample, 1);
      Taken* last = refined.taken.empty() ? nullptr : &refined.taken.back();
      if (last != nullptr && last->experiment == each.experiment && last->observables == each.observables &&
          std::abs(last->time - each.time) <= same * std::abs(each.time))
        ++last->count;
      else
        refined.taken.push_back(std::move(each));
    }
    const Quantities& quantities = survey_.quantities();
    const Told told =
        told_by(with_samples(survey_.place().known.rows, rows, std::vector<int>(rows.size(), 1)), quantities.sizes());
    for (Error& error : result.errors)
      for (int k = 0; k < quantities.size(); ++k)
        if (quantities.names[k].id == error.id) error.refined = error_of(survey_, told, k);
    result.refined = std::move(refined);
  }

  const Survey& survey_;
  std::vector<Column> columns_;
  Movable start_{};
};

}  // namespace

void add_refined(const Survey& survey, const Exact& exact, const std::function<bool()>& should_stop, Result& result) {
  constexpr int many = 300;  // samples: where one of them stands matters little then
  if (std::accumulate(exact.count.begin(), exact.count.end(), 0) > many) return;
  OffGrid(survey, exact).run(exact.loss, should_stop, result);
}

}  // namespace salvo::design
