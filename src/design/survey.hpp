#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/run_context.hpp"
#include "design/criterion.hpp"
#include "design/design.hpp"
#include "design/information.hpp"
#include "design/quantities.hpp"
#include "design/space.hpp"

namespace salvo::design {

// One point at which the information is known.
struct Place {
  model::Problem standing{};  // without new experiments
  std::unique_ptr<Information> information{};
  Information::Known known{};
  std::vector<Eigen::MatrixXd> rows{};  // of all candidates, by the quantities
  Space space{};
};

// What could be measured, what each of it would tell, and what it is to tell of: all that a design is chosen from.
class Survey {
 public:
  // All of them must outlive it.
  Survey(const model::Problem& given, const Options& options, const RunContext& context)
      : given_(given), design_(*given.design), options_(options), context_(context) {}

  // False where there is nothing to choose from: `status` and `message` of the result say why.
  bool make(Result& result);

  const model::Problem& given() const { return given_; }
  const model::Design& design() const { return design_; }
  const model::Problem& lab() const { return lab_; }  // with the new experiments
  const std::vector<Setting>& settings() const { return settings_; }
  const Candidates& candidates() const { return candidates_; }
  const Quantities& quantities() const { return quantities_; }
  const std::vector<int>& interest() const { return interest_; }
  const Problem& problem() const { return problem_; }
  const Place& place() const { return place_; }  // the estimate
  std::vector<const Place*> places() const;      // over which the criterion is averaged
  int old() const { return static_cast<int>(given_.experiments.size()); }
  Eigen::VectorXd target_of(const Place& place) const;  // dc/dtheta in user units
  NullDirection named(const std::vector<double>& direction) const;
  Information::Options information_options() const;

 private:
  bool refuse(Status status, std::string message);
  std::string why_not() const;
  bool begin();
  bool measure_at(Place& place);
  bool choose_interest();
  bool check_interest();
  bool check_target();
  bool make_points();
  bool add_point(const std::map<std::string, double>& values);
  Problem::Point point_of(const Place& place) const;
  std::vector<std::map<std::string, double>> draws() const;

  const model::Problem& given_;
  const model::Design& design_;
  const Options& options_;
  const RunContext& context_;
  Result* result_ = nullptr;
  std::vector<Setting> settings_;
  model::Problem lab_;
  Place place_;
  std::vector<Place> places_;  // draws
  Candidates candidates_;
  Quantities quantities_;
  std::vector<int> interest_;
  Problem problem_;
};

// Rows of the data and of so many of each sample.
Eigen::MatrixXd with_samples(const Eigen::MatrixXd& known, const std::vector<Eigen::MatrixXd>& rows,
                             const std::vector<int>& count);

}  // namespace salvo::design
