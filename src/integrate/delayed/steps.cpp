#include <algorithm>

#include "integrate/delayed/sweep.hpp"

namespace salvo::integrate {

DelayedSteps::DelayedSteps(const Of& of)
    : of_(of),
      lane_(of.model),
      past_(of.model, of.method, of.path),
      stages_(of.method.stages()),
      X_(of.model.states),
      consistency_(of.model) {
  lane_.take_parameters(of.launch.p, 1);
  const int experiment = of.launch.experiment[0];
  past_.take(of.launch.p, of.launch.x0, 1, experiment, delays().begins_at_rest[experiment]);
  tau_by_p_ = past_.delays_by_p();
  for (Stage& stage : stages_) stage.nonzeros.resize(delays().jacobian.output_count());
  if (!of.method.is_implicit) return;
  implicit_.emplace(of.model);
  const compile::StiffKernels& kernels = of.model.stiff->kernels();
  curvature_ = &kernels.curvature_of_past;
  f_T_.resize(d());
  u_.resize(d());
  weights_.resize(past_.count() + 1);
  work_.resize(kernels.largest_work());
  for (Stage& stage : stages_) {
    stage.curvature.resize(curvature_->kernel.output_count());
    stage.by_length.resize(d());
  }
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
  for (int i = goes_on(step) ? 1 : 0; i < stages(); ++i) {
    form_stage(step, i);
    const double s = t + of_.method.node(i) * h;
    glance(s, step, step, stages_[i].glances);
    see(stages_[i].glances);
    lane_.run(delays().jacobian, s, X_.data(), stages_[i].nonzeros.data());
  }
  if (implicit_) linearize_begin(step);
}

void DelayedSteps::form_stage(int step, int i) {
  const double* x = of_.path.begin_of(step);
  for (int n = 0; n < d(); ++n) {
    double sum = 0;
    for (int j = 0; j < i; ++j) sum += of_.method.row(i)[j] * of_.path.slope_of(step, j)[n];
    X_[n] = x[n] + of_.path.length(step) * sum;
  }
}

// The first stage stands where the step begins.
void DelayedSteps::linearize_begin(int step) {
  const DelayedPath& path = of_.path;
  const Stage& begin = stages_.front();
  const double t = path.points[step].t;
  const double h = path.length(step);
  implicit_->factorize(begin.nonzeros.data(), h);
  see(begin.glances);
  const compile::Pattern& f_x = of_.model.f_x;
  const double* slope = begin.nonzeros.data() + f_x.size() + of_.model.f_p.size();
  std::fill(f_T_.begin(), f_T_.end(), 0.0);
  for (int z = 0; z < delays().f_z.size(); ++z)
    f_T_[delays().f_z.row[z]] += *slope++ * begin.glances[delays().f_z.column[z]].speed;
  for (const int row : delays().f_t) f_T_[row] += *slope++;
  for (int i = 0; i < stages(); ++i) {
    Stage& stage = stages_[i];
    const double* k = path.slope_of(step, i);
    const double gamma = ImplicitStep::Tableau::gamma_sum[i];
    for (int n = 0; n < d(); ++n) {
      u_[n] = h * k[n];
      stage.by_length[n] = gamma * f_T_[n];
    }
    for (int z = 0; z < f_x.size(); ++z) stage.by_length[f_x.row[z]] += begin.nonzeros[z] * k[f_x.column[z]];
    weights_[0] = gamma * h;
    for (std::size_t l = 0; l < begin.glances.size(); ++l) weights_[1 + l] = gamma * h * begin.glances[l].speed;
    curvature_->kernel.run<1>({.time = &t,
                               .state = path.begin_of(step),
                               .parameter = lane_.parameters(),
                               .seed = u_.data(),
                               .kept = weights_.data()},
                              work_.data(), stage.curvature.data());
  }
}

// dX_i = sum_j a_ij (k_j + h dk_j),   dk_i = f_x dX_i + c_i (f_z dZ/du + f_t)
const DelayedSteps::ByEnd& DelayedSteps::by_end(int step) {
  const int d = this->d();
  const double h = of_.path.length(step);
  by_end_.x.assign(of_.path.slope_of(step, 0), of_.path.slope_of(step, 0) + d);
  by_end_.k.assign(static_cast<std::size_t>(stages()) * d, 0.0);
  if (h == 0) return by_end_;
  const auto move = [&](const double* weights, int stages) {
    for (int n = 0; n < d; ++n) {
      by_end_.x[n] = 0;
      for (int j = 0; j < stages; ++j)
        by_end_.x[n] += weights[j] * (of_.path.slope_of(step, j)[n] + h * by_end_.k[j * d + n]);
    }
  };
  for (int i = implicit_ ? 0 : 1; i < stages(); ++i) {
    move(of_.method.row(i), i);
    const compile::CompiledModel& model = of_.model;
    const double* slope = stages_[i].nonzeros.data();
    double* dk = by_end_.k.data() + static_cast<std::size_t>(i) * d;
    for (int z = 0; z < model.f_x.size(); ++z) dk[model.f_x.row[z]] += *slope++ * by_end_.x[model.f_x.column[z]];
    slope += model.f_p.size();
    const double c = of_.method.node(i);
    for (int z = 0; z < delays().f_z.size(); ++z)
      dk[delays().f_z.row[z]] += *slope++ * c * stages_[i].glances[delays().f_z.column[z]].speed;
    for (const int row : delays().f_t) dk[row] += *slope++ * c;
    if (!implicit_) continue;
    for (int n = 0; n < d; ++n) {
      dk[n] += stages_[i].by_length[n];
      for (int j = 0; j < i && implicit_->is_differential(n); ++j)
        dk[n] += ImplicitStep::Tableau::c[i][j] * by_end_.k[j * d + n];
    }
    implicit_->solve(dk);
  }
  move(of_.method.end.data(), stages());
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

Consistency& DelayedSteps::roots(int point, const Jump& jump) {
  go_by(jump.frozen);
  see(look(point));
  consistency_.linearize(lane_, of_.path.points[point].t, jump.after.data());
  return consistency_;
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
