#include <algorithm>
#include <utility>

#include "integrate/delayed/sweep.hpp"

// docs/mathematics.md, section 25, backwards: the transpose of every line of the tangent, the last one first.
namespace salvo::integrate {

DelayedAdjoint::DelayedAdjoint(DelayedSteps& steps, int scalars)
    : of_(steps),
      d_(steps.d()),
      c_(scalars),
      stages_(steps.stages()),
      by_x0_(static_cast<std::size_t>(d_) * scalars),
      by_p_(static_cast<std::size_t>(steps.model().active) * scalars),
      xb_(by_x0_.size()),
      by_tau_(static_cast<std::size_t>(steps.path().delays()) * scalars),
      tb_(steps.path().points.size() * scalars),
      xb_of_(steps.path().steps()),
      kb_of_(steps.path().steps()),
      hb_(scalars),
      Xb_(by_x0_.size()),
      Zb_(scalars),
      sb_(scalars) {}

void DelayedAdjoint::sweep(const Injection& inject, const StopFlag* stop) {
  for (int n = of_.path().steps() - 1; n >= 0 && !is_raised(stop); --n) {
    if (of_.path().length(n) > 0) of_.linearize(n);
    pass_point(n + 1, inject);
    step(n);
    resolve(n + 1);
  }
  pass_point(0, inject);
  for (std::size_t n = 0; n < xb_.size(); ++n) by_x0_[n] += xb_[n];
  const compile::Pattern& pattern = of_.delays().tau_by_p;
  for (int z = 0; z < pattern.size(); ++z)
    for (int c = 0; c < c_; ++c)
      by_p_[pattern.column[z] * c_ + c] += of_.tau_by_p()[z] * by_tau_[pattern.row[z] * c_ + c];
}

// Memory that a step behind us has left is used again.
std::vector<double>& DelayedAdjoint::pending_x(int step) {
  if (xb_of_[step].empty()) {
    std::swap(xb_of_[step], spare_x_);
    xb_of_[step].assign(static_cast<std::size_t>(d_) * c_, 0.0);
  }
  return xb_of_[step];
}

std::vector<double>& DelayedAdjoint::pending_k(int step) {
  if (kb_of_[step].empty()) {
    std::swap(kb_of_[step], spare_k_);
    kb_of_[step].assign(static_cast<std::size_t>(stages_) * d_ * c_, 0.0);
  }
  return kb_of_[step];
}

void DelayedAdjoint::pass_point(int point, const Injection& inject) {
  const DelayedPath::Point& at = of_.path().points[point];
  if (at.stop >= 0) {
    const std::vector<Past::Glance>& glances = of_.look(point);
    std::vector<double> by_delayed(glances.size() * c_, 0.0);
    inject(at.stop, xb_.data(), by_delayed.data());
    for (std::size_t l = 0; l < glances.size(); ++l) add_glance(glances[l], by_delayed.data() + l * c_, by_time(point));
  }
  for (int n = at.jump_end - 1; n >= at.jump_begin; --n) jump(point, of_.jumps()[n]);
  if (at.kind == DelayedPath::Point::Kind::crossing) cross(point);
}

void DelayedAdjoint::add_glance(const Past::Glance& glance, const double* Zb, double* by_time) {
  const compile::Look& look = of_.delays().looks[glance.look];
  const auto add = [&](double factor, double* to) {
    for (int c = 0; c < c_; ++c) to[c] += factor * Zb[c];
  };
  const auto passes = [&](double speed) {  // u = s - tau
    add(speed, by_time);
    add(-speed, by_tau_.data() + static_cast<std::size_t>(look.delay) * c_);
  };
  if (glance.step < 0) {
    if (of_.past().is_initial(glance)) return add(1, by_x0_.data() + static_cast<std::size_t>(look.state) * c_);
    const std::vector<double>& slopes = of_.past().history_slopes(glance);
    const std::vector<int>& by_p = of_.past().history_of(glance).by_parameter;
    for (std::size_t k = 0; k < by_p.size(); ++k) add(slopes[k], by_p_.data() + static_cast<std::size_t>(by_p[k]) * c_);
    return passes(slopes.back());
  }
  passes(glance.speed);
  add(1, pending_x(glance.step).data() + static_cast<std::size_t>(look.state) * c_);
  double* begin = tb_.data() + static_cast<std::size_t>(glance.step) * c_;
  add(-glance.speed - glance.by_length, begin);
  add(glance.by_length, begin + c_);
  const std::span<const double> weights = of_.past().weights(glance);
  if (weights.empty()) return;
  double* kb = pending_k(glance.step).data();
  for (std::size_t i = 0; i < weights.size(); ++i) add(weights[i], kb + (i * d_ + look.state) * c_);
}

void DelayedAdjoint::add_speed(const Past::Glance& glance, const double* vb, double* by_time) {
  const compile::Look& look = of_.delays().looks[glance.look];
  const auto add = [&](double factor, double* to) {
    for (int c = 0; c < c_; ++c) to[c] += factor * vb[c];
  };
  const auto passes = [&](double slope) {
    add(slope, by_time);
    add(-slope, by_tau_.data() + static_cast<std::size_t>(look.delay) * c_);
  };
  if (glance.step < 0) {
    if (of_.past().is_initial(glance)) return;
    const std::vector<double>& slopes = of_.past().history_slopes_by_time(glance);
    const std::vector<int>& by_p = of_.past().history_of(glance).by_parameter;
    for (std::size_t k = 0; k < by_p.size(); ++k) add(slopes[k], by_p_.data() + static_cast<std::size_t>(by_p[k]) * c_);
    return passes(slopes.back());
  }
  const Past::SpeedSlopes of = of_.past().speed_slopes(glance);
  if (!of.has_weights) return;
  passes(of.by_time);
  double* begin = tb_.data() + static_cast<std::size_t>(glance.step) * c_;
  add(-of.by_time - of.by_length, begin);
  add(of.by_length, begin + c_);
  double* kb = pending_k(glance.step).data();
  for (int i = 0; i < stages_; ++i) add(of.weights[i], kb + (i * d_ + look.state) * c_);
}

void DelayedAdjoint::step(int step) {
  std::fill(hb_.begin(), hb_.end(), 0.0);
  if (of_.path().length(step) == 0)
    step_nowhere(step);
  else if (of_.implicit() == nullptr)
    step_explicitly(step);
  else
    step_implicitly(step);
  for (std::size_t n = 0; n < xb_of_[step].size(); ++n) xb_[n] += xb_of_[step][n];
  for (int c = 0; c < c_; ++c) {
    by_time(step + 1)[c] += hb_[c];
    by_time(step)[c] -= hb_[c];
  }
  std::swap(xb_of_[step], spare_x_);
  std::swap(kb_of_[step], spare_k_);
  xb_of_[step] = kb_of_[step] = {};
}

void DelayedAdjoint::step_nowhere(int step) {
  for (int n = 0; n < d_; ++n)
    for (int c = 0; c < c_; ++c) hb_[c] += of_.path().slope_of(step, 0)[n] * xb_[n * c_ + c];
}

// What X = x + h sum_j w_j k_j leaves at h and k_j.
void DelayedAdjoint::by_length(int step, const double* weights, const double* by_x) {
  const DelayedPath& path = of_.path();
  const double h = path.length(step);
  double* kb = pending_k(step).data();
  for (int j = 0; j < stages_; ++j) {
    if (weights[j] == 0) continue;
    for (int n = 0; n < d_; ++n) {
      const double k = weights[j] * path.slope_of(step, j)[n];
      double* to = kb + (static_cast<std::size_t>(j) * d_ + n) * c_;
      for (int c = 0; c < c_; ++c) {
        hb_[c] += k * by_x[n * c_ + c];
        to[c] += h * weights[j] * by_x[n * c_ + c];
      }
    }
  }
}

void DelayedAdjoint::step_explicitly(int step) {
  const int last = stages_ - 1;
  if (!kb_of_[step].empty()) {
    stage(step, last);
    for (std::size_t n = 0; n < xb_.size(); ++n) xb_[n] += Xb_[n];
  }
  by_length(step, of_.method().row(last), xb_.data());
  for (int i = last - 1; i >= 0; --i) {
    if (i == 0 && of_.goes_on(step)) break;
    stage(step, i);
    by_length(step, of_.method().row(i), Xb_.data());
    for (std::size_t n = 0; n < xb_.size(); ++n) xb_[n] += Xb_[n];
  }
  if (!of_.goes_on(step)) return;
  double* to = pending_k(step - 1).data() + static_cast<std::size_t>(last) * d_ * c_;
  for (int n = 0; n < d_ * c_; ++n) to[n] += kb_of_[step][n];
}

// mu_i = (M/gamma - h J)^-T kb_i takes the place of kb_i.
void DelayedAdjoint::step_implicitly(int step) {
  ImplicitStep& implicit = *of_.implicit();
  by_length(step, of_.method().end.data(), xb_.data());
  column_.resize(d_);
  Zb_at_begin_.assign(of_.stage(0).glances.size() * c_, 0.0);
  vb_at_begin_.assign(Zb_at_begin_.size(), 0.0);
  for (int i = stages_ - 1; i >= 0; --i) {
    double* mu = pending_k(step).data() + static_cast<std::size_t>(i) * d_ * c_;
    for (int c = 0; c < c_; ++c) {
      for (int n = 0; n < d_; ++n) column_[n] = mu[n * c_ + c];
      implicit.solve_transposed(column_.data());
      for (int n = 0; n < d_; ++n) mu[n * c_ + c] = column_[n];
    }
    stage(step, i);
    second(step, i);
    by_length(step, of_.method().row(i), Xb_.data());
    for (std::size_t n = 0; n < xb_.size(); ++n) xb_[n] += Xb_[n];
  }
  const std::vector<Past::Glance>& glances = of_.stage(0).glances;
  for (std::size_t l = 0; l < glances.size(); ++l) {
    add_glance(glances[l], Zb_at_begin_.data() + l * c_, by_time(step));
    add_speed(glances[l], vb_at_begin_.data() + l * c_, by_time(step));
  }
}

// What mu_i says of where the step begins; the transpose of DelayedTangent::add_second.
void DelayedAdjoint::second(int step, int i) {
  const DelayedSteps::Stage& at = of_.stage(i);
  const compile::CurvatureOfPast& of = of_.curvature();
  double* kb = pending_k(step).data();
  const double* mu = kb + static_cast<std::size_t>(i) * d_ * c_;
  const auto add = [&](int row, double factor, double* to) {
    for (int c = 0; c < c_; ++c) to[c] += factor * mu[row * c_ + c];
  };
  const double* second = at.curvature.data();
  std::vector<double>& begin_x = pending_x(step);
  for (int z = 0; z < of.by_x.size(); ++z) add(of.by_x.row[z], *second++, begin_x.data() + of.by_x.column[z] * c_);
  for (int z = 0; z < of.by_p.size(); ++z) add(of.by_p.row[z], *second++, by_p_.data() + of.by_p.column[z] * c_);
  for (int z = 0; z < of.by_z.size(); ++z) add(of.by_z.row[z], *second++, Zb_at_begin_.data() + of.by_z.column[z] * c_);
  for (const int row : of.by_time) add(row, *second++, by_time(step));
  const compile::Pattern& f_z = of_.delays().f_z;
  const double weight = ImplicitStep::Tableau::gamma_sum[i] * of_.path().length(step);
  const double* by_z = of_.stage(0).nonzeros.data() + of_.model().f_x.size() + of_.model().f_p.size();
  for (int z = 0; z < f_z.size(); ++z) add(f_z.row[z], weight * by_z[z], vb_at_begin_.data() + f_z.column[z] * c_);
  for (int n = 0; n < d_; ++n) {
    add(n, at.by_length[n], hb_.data());
    for (int j = 0; j < i && of_.implicit()->is_differential(n); ++j)
      add(n, ImplicitStep::Tableau::c[i][j], kb + (static_cast<std::size_t>(j) * d_ + n) * c_);
  }
}

// Xb = f_x' kb_i, and what kb_i says of everything else that stage i depends on.
void DelayedAdjoint::stage(int step, int i) {
  const DelayedSteps::Stage& at = of_.stage(i);
  const compile::CompiledModel& model = of_.model();
  const compile::Delays& delays = of_.delays();
  const double* kb = pending_k(step).data() + static_cast<std::size_t>(i) * d_ * c_;
  const double* nonzero = at.nonzeros.data();
  const auto add = [&](int row, double* to) {
    const double factor = *nonzero++;
    for (int c = 0; c < c_; ++c) to[c] += factor * kb[row * c_ + c];
  };
  std::fill(Xb_.begin(), Xb_.end(), 0.0);
  std::fill(sb_.begin(), sb_.end(), 0.0);
  std::vector<double>& Zb = Zb_of_all_;
  Zb.assign(at.glances.size() * c_, 0.0);
  for (int z = 0; z < model.f_x.size(); ++z) add(model.f_x.row[z], Xb_.data() + model.f_x.column[z] * c_);
  for (int z = 0; z < model.f_p.size(); ++z) add(model.f_p.row[z], by_p_.data() + model.f_p.column[z] * c_);
  for (int z = 0; z < delays.f_z.size(); ++z) add(delays.f_z.row[z], Zb.data() + delays.f_z.column[z] * c_);
  for (const int row : delays.f_t) add(row, sb_.data());
  for (std::size_t l = 0; l < at.glances.size(); ++l) add_glance(at.glances[l], Zb.data() + l * c_, sb_.data());
  const double node = of_.method().node(i);
  for (int c = 0; c < c_; ++c) {
    by_time(step)[c] += (1 - node) * sb_[c];
    by_time(step + 1)[c] += node * sb_[c];
  }
}

// Where the time of a point comes from.
void DelayedAdjoint::resolve(int point) {
  const DelayedPath::Point& at = of_.path().points[point];
  if (at.kind != DelayedPath::Point::Kind::image) return;
  for (int c = 0; c < c_; ++c) {
    by_time(at.source)[c] += by_time(point)[c];
    by_tau_[at.delay * c_ + c] += by_time(point)[c];
  }
}

// mu = -(derivative by the time of the crossing)/(dz/dt), before the step that leads to it.
void DelayedAdjoint::cross(int point) {
  const DelayedPath::Point& at = of_.path().points[point];
  const compile::SwitchingFunction& z = of_.model().discontinuities->functions[at.function];
  const DelayedSteps::ByEnd& by_end = of_.by_end(point - 1);
  const auto& [numbers, glances] = of_.switching(point, at.function, of_.jumps()[at.jump_begin].before.data());
  std::vector<double> mu(by_time(point), by_time(point) + c_);
  for (int n = 0; n < d_; ++n)
    for (int c = 0; c < c_; ++c) mu[c] += by_end.x[n] * xb_[n * c_ + c];
  const std::vector<double>& kb = kb_of_[point - 1];
  for (std::size_t n = 0; n * c_ < kb.size(); ++n)
    for (int c = 0; c < c_; ++c) mu[c] += by_end.k[n] * kb[n * c_ + c];
  double speed = numbers.back();
  const double* slope = numbers.data();
  for (const int i : z.by_state) speed += *slope++ * by_end.x[i];
  slope += z.by_parameter.size();
  for (const int l : z.by_delayed) speed += *slope++ * glances[l].speed;
  for (double& number : mu) number /= -speed;
  slope = numbers.data();
  const auto add = [&](double* to) {
    for (int c = 0; c < c_; ++c) to[c] += *slope * mu[c];
    ++slope;
  };
  for (const int i : z.by_state) add(xb_.data() + i * c_);
  for (const int k : z.by_parameter) add(by_p_.data() + k * c_);
  for (const int l : z.by_delayed) {
    std::fill(Zb_.begin(), Zb_.end(), 0.0);
    add(Zb_.data());
    add_glance(glances[l], Zb_.data(), sb_.data());
  }
}

void DelayedAdjoint::jump(int point, const Jump& jump) {
  if (of_.has_roots()) roots(point, jump);
  if (jump.event >= 0) event(point, jump);
}

void DelayedAdjoint::roots(int point, const Jump& jump) {
  Consistency& consistency = of_.roots(point, jump);
  const std::vector<Past::Glance>& glances = of_.look(point);
  const compile::Pattern& f_z = of_.delays().f_z;
  std::vector<double> Zb(glances.size() * c_, 0.0);
  for (int c = 0; c < c_; ++c) {
    const auto apart = static_cast<std::size_t>(c_);
    consistency.backward({xb_.data() + c, apart}, {by_p_.data() + c, apart}, by_time(point)[c]);
    for (int z = 0; z < f_z.size(); ++z)
      Zb[f_z.column[z] * c_ + c] += consistency.nu(f_z.row[z]) * consistency.by_delayed()[z];
  }
  for (std::size_t l = 0; l < glances.size(); ++l) add_glance(glances[l], Zb.data() + l * c_, by_time(point));
}

void DelayedAdjoint::event(int point, const Jump& jump) {
  const compile::EventKernel& event = of_.model().discontinuities->events[jump.event];
  const auto& [numbers, glances] = of_.event(point, jump);
  std::vector<double> lambda(event.states.size() * c_);
  for (std::size_t r = 0; r < event.states.size(); ++r) {
    std::copy_n(xb_.data() + event.states[r] * c_, c_, lambda.data() + r * c_);
    std::fill_n(xb_.data() + event.states[r] * c_, c_, 0.0);
  }
  const double* slope = numbers.data();
  const auto add = [&](int row, double* to) {
    const double factor = *slope++;
    for (int c = 0; c < c_; ++c) to[c] += factor * lambda[row * c_ + c];
  };
  for (int k = 0; k < event.by_state.size(); ++k)
    add(event.by_state.row[k], xb_.data() + event.by_state.column[k] * c_);
  for (int k = 0; k < event.by_parameter.size(); ++k)
    add(event.by_parameter.row[k], by_p_.data() + event.by_parameter.column[k] * c_);
  for (const int row : event.by_time) add(row, by_time(point));
  for (int k = 0; k < event.by_delayed.size(); ++k) {
    std::fill(Zb_.begin(), Zb_.end(), 0.0);
    add(event.by_delayed.row[k], Zb_.data());
    add_glance(glances[event.by_delayed.column[k]], Zb_.data(), by_time(point));
  }
}

}  // namespace salvo::integrate
