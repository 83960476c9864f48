#pragma once

#include <Eigen/Core>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/stop_flag.hpp"
#include "compile/compiled_model.hpp"
#include "design/samples.hpp"

namespace salvo::design {

// An estimated quantity: a parameter, or an initial value of one experiment.
struct Column {
  int parameter = -1;
  int experiment = -1;
  int state = -1;
  bool operator==(const Column&) const = default;
};

// The information of samples at one point: S_i such that S_i' S_i is what one sample tells of the quantities, each on
// its scale. They are the rows of a fit to such data, made for the information (docs/mathematics.md, section 24).
class Information {
 public:
  struct Options {
    std::optional<model::Integrator> integrator{};
    const StopFlag* stop = nullptr;
  };
  // The guesses of the problem are the point. The problem is copied.
  Information(const model::Problem& problem, const Options& options);

  // False where the run was told to stop before there was anything to compute with.
  bool is_ready() const { return compiled_ != nullptr; }
  const model::Problem& problem() const { return problem_; }

  // All quantities of the problem where these are measured.
  std::vector<Column> columns(std::span<const Sample> samples) const;

  struct Rows {
    bool ok = true;
    std::string trouble{};
    std::vector<Eigen::MatrixXd> of_sample{};
  };
  Rows rows(std::span<const Sample> samples, std::span<const Column> columns) const;

  struct Known {
    bool ok = true;
    std::string trouble{};
    Eigen::MatrixXd rows{};    // of the data that there are, and of priors
    Eigen::VectorXd target{};  // how what c(...) is about changes with the quantities; empty without such a formula
  };
  Known known(std::span<const Sample> samples, std::span<const Column> columns) const;

  // Can the trajectory of the experiment be computed up to this time?
  bool reaches(int experiment, double time) const;

 private:
  struct Evaluated;
  Evaluated evaluate(model::Problem problem, std::span<const Column> columns) const;
  std::vector<model::Measurement> measurements_of(const Sample& sample) const;

  model::Problem problem_;
  Options options_;
  std::shared_ptr<const compile::CompiledModel> compiled_;
  std::vector<OptionalNumber> usual_noise_{};  // of observables whose noise stands in the data only
  int target_observable_ = -1;
};

}  // namespace salvo::design
