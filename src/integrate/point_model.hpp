#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <span>
#include <vector>

#include "compile/compiled_model.hpp"

namespace salvo::integrate {

// f and its derivatives at single points, dense; relations have the truth values of the point. For source files only:
// it brings Eigen along.
class PointModel {
 public:
  PointModel(const compile::CompiledModel& model, std::span<const double> p)
      : model_(model),
        p_(p.begin(), p.end()),  // of this model, or of one that stands still where this one does
        work_(static_cast<std::size_t>(model.largest_work())),
        out_(static_cast<std::size_t>(std::max(model.states + model.kept, model.f_x.size() + model.f_p.size()))) {
    p_.resize(std::max(p_.size(), static_cast<std::size_t>(model.parameters)));
  }

  int states() const { return model_.states; }
  int active() const { return model_.active; }

  Eigen::VectorXd f(const Eigen::VectorXd& x) {
    run(model_.rhs, x);
    return Eigen::Map<const Eigen::VectorXd>(out_.data(), model_.states);
  }
  Eigen::MatrixXd f_x(const Eigen::VectorXd& x) {
    run(model_.jacobian, x);
    Eigen::MatrixXd out = Eigen::MatrixXd::Zero(model_.states, model_.states);
    for (int z = 0; z < model_.f_x.size(); ++z) out(model_.f_x.row[z], model_.f_x.column[z]) = out_[z];
    return out;
  }
  Eigen::MatrixXd f_p(const Eigen::VectorXd& x) {
    run(model_.jacobian, x);
    Eigen::MatrixXd out = Eigen::MatrixXd::Zero(model_.states, model_.active);
    for (int z = 0; z < model_.f_p.size(); ++z)
      out(model_.f_p.row[z], model_.f_p.column[z]) = out_[model_.f_x.size() + z];
    return out;
  }

 private:
  void run(const compile::Kernel& kernel, const Eigen::VectorXd& x) {
    const double time = 0;  // the model is autonomous
    if (const compile::Discontinuities* switches = model_.discontinuities.get())
      switches->as_written.run<1>({.time = &time, .state = x.data(), .parameter = p_.data()}, work_.data(),
                                  p_.data() + switches->first);
    kernel.run<1>({.time = &time, .state = x.data(), .parameter = p_.data()}, work_.data(), out_.data());
  }

  const compile::CompiledModel& model_;
  std::vector<double> p_, work_, out_;
};

}  // namespace salvo::integrate
