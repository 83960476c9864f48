#include <algorithm>

#include "integrate/delayed/sweep.hpp"

namespace salvo::integrate {

DelayedSteps::DelayedSteps(const Of& of)
    : of_(of), lane_(of.model), past_(of.model, of.method, of.path), stages_(of.method.stages()), X_(of.model.states) {
  lane_.take_parameters(of.launch.p, 1);
  const int experiment = of.launch.experiment[0];
  past_.take(of.launch.p, of.launch.x0, 1, experiment, delays().begins_at_rest[experiment]);
  tau_by_p_ = past_.delays_by_p();
  for (Stage& stage : stages_) stage.nonzeros.resize(delays().jacobian.output_count());
}

void DelayedSteps::go_by(const std::shared_ptr<const std::vector<double>>& frozen) {
  if (frozen && !frozen->empty()) std::copy(frozen->begin(), frozen->end(), lane_.frozen().begin());
}

void DelayedSteps::see(const std::vector<Past::Glance>& glances) {
  const std::span<double> values = lane_.delayed();
  for (std::size_t n = 0; n < glances.size(); ++n) values[n] = glances[n].value;
}

void DelayedSteps::glance(double t, int point, int steps, std::vector<Past::Glance>& out) {
  out.clear();
  for (int look = 0; look < past_.count(); ++look) out.push_back(past_.look(look, t, point, steps));
}

void DelayedSteps::linearize(int step) {
  const DelayedPath& path = of_.path;
  go_by(path.points[step].frozen);
  const double t = path.points[step].t;
  const double h = path.length(step);
  const double* x = path.begin_of(step);
  for (int i = goes_on(step) ? 1 : 0; i < stages(); ++i) {
    for (int n = 0; n < d(); ++n) {
      double sum = 0;
      for (int j = 0; j < i; ++j) sum += of_.method.row(i)[j] * path.slope_of(step, j)[n];
      X_[n] = x[n] + h * sum;
    }
    const double s = t + of_.method.node(i) * h;
    glance(s, step, step, stages_[i].glances);
    see(stages_[i].glances);
    lane_.run(delays().jacobian, s, X_.data(), stages_[i].nonzeros.data());
  }
}

// dX_i = sum_j a_ij (k_j + h dk_j),   dk_i = f_x dX_i + c_i (f_z dZ/du + f_t)
const DelayedSteps::ByEnd& DelayedSteps::by_end(int step) {
  const int d = this->d();
  const double h = of_.path.length(step);
  by_end_.x.assign(of_.path.slope_of(step, 0), of_.path.slope_of(step, 0) + d);
  by_end_.k.assign(static_cast<std::size_t>(stages()) * d, 0.0);
  for (int i = 1; i < stages() && h > 0; ++i) {
    for (int n = 0; n < d; ++n) {
      by_end_.x[n] = 0;
      for (int j = 0; j < i; ++j)
        by_end_.x[n] += of_.method.row(i)[j] * (of_.path.slope_of(step, j)[n] + h * by_end_.k[j * d + n]);
    }
    const compile::CompiledModel& model = of_.model;
    const double* slope = stages_[i].nonzeros.data();
    double* dk = by_end_.k.data() + static_cast<std::size_t>(i) * d;
    for (int z = 0; z < model.f_x.size(); ++z) dk[model.f_x.row[z]] += *slope++ * by_end_.x[model.f_x.column[z]];
    slope += model.f_p.size();
    const double c = of_.method.node(i);
    for (int z = 0; z < delays().f_z.size(); ++z)
      dk[delays().f_z.row[z]] += *slope++ * c * stages_[i].glances[delays().f_z.column[z]].speed;
    for (const int row : delays().f_t) dk[row] += *slope++ * c;
  }
  return by_end_;
}

const std::vector<Past::Glance>& DelayedSteps::look(int point) {
  glance(of_.path.points[point].t, point, point, glances_);
  return glances_;
}

const DelayedSteps::JumpSlopes& DelayedSteps::switching(int point, int function, const double* x) {
  const DelayedPath::Point& at = of_.path.points[point];
  go_by(of_.jumps[at.jump_begin].frozen_before);
  slopes_.glances = look(point);
  see(slopes_.glances);
  const compile::Kernel& kernel = of_.model.discontinuities->functions[function].derivative;
  slopes_.numbers.resize(kernel.output_count());
  lane_.run(kernel, at.t, x, slopes_.numbers.data());
  return slopes_;
}

const DelayedSteps::JumpSlopes& DelayedSteps::event(int point, const Jump& jump) {
  go_by(jump.frozen_before);
  slopes_.glances = look(point);
  see(slopes_.glances);
  const compile::Kernel& kernel = of_.model.discontinuities->events[jump.event].derivative;
  slopes_.numbers.resize(kernel.output_count());
  lane_.run(kernel, of_.path.points[point].t, jump.before.data(), slopes_.numbers.data());
  return slopes_;
}

}  // namespace salvo::integrate
