#include "integrate/delayed/past.hpp"

#include <algorithm>

namespace salvo::integrate {

Past::Past(const compile::CompiledModel& model, const DenseMethod& method, const DelayedPath& path)
    : model_(model),
      of_(*model.delays),
      method_(method),
      path_(path),
      p_(model.parameters),
      x0_(model.states),
      work_(model.largest_work()),
      last_(of_.texts.size(), 0) {}

void Past::take(const double* p, const double* x0, int stride, int experiment, bool rests) {
  for (int k = 0; k < model_.parameters; ++k) p_[k] = p[static_cast<std::size_t>(k) * stride];
  for (int i = 0; i < model_.states; ++i) x0_[i] = x0[static_cast<std::size_t>(i) * stride];
  experiment_ = experiment;
  rests_ = rests;
}

void Past::run(const compile::Kernel& kernel, double t, double* out) {
  kernel.run<1>({.time = &t, .state = x0_.data(), .parameter = p_.data()}, work_.data(), out);
}

std::vector<double> Past::delays() {
  std::vector<double> tau(of_.texts.size());
  run(of_.tau, 0, tau.data());
  return tau;
}

std::vector<double> Past::delays_by_p() {
  std::vector<double> out(of_.tau_by_p.size());
  run(of_.tau_derivative, 0, out.data());
  return out;
}

// The step of this segment in which u lies: walks from the one that was read last.
int Past::find(int delay, double u, int segment, int steps) {
  const int first = path_.segments[segment].point;
  const bool is_last = segment + 1 == static_cast<int>(path_.segments.size());
  const int end = std::min(steps, is_last ? steps : path_.segments[segment + 1].point);
  int step = std::clamp(last_[delay], first, std::max(end - 1, first));
  while (step > first && u < path_.points[step].t) --step;
  while (step + 1 < end && (u >= path_.points[step + 1].t || path_.length(step) == 0)) ++step;
  return last_[delay] = step;
}

Past::Glance Past::look(int look, double s, int point, int steps) {
  const int delay = of_.looks[look].delay;
  Glance out{.look = look, .u = s - path_.tau[delay]};
  const int segment = path_.segment_at(point, delay);
  if (segment >= 0) out.step = find(delay, out.u, segment, steps);
  if (out.step >= 0)
    read_step(out);
  else
    read_history(out);
  return out;
}

void Past::read_step(Glance& glance) {
  const int state = of_.looks[glance.look].state;
  const double h = path_.length(glance.step);
  const std::size_t d = path_.states;
  const double* k = path_.slope_of(glance.step, 0) + state;
  glance.value = path_.begin_of(glance.step)[state];
  if (h == 0) {
    glance.speed = k[0];
    return;
  }
  glance.theta = (glance.u - path_.points[glance.step].t) / h;
  DenseWeights& beta = glance.weights;
  DenseWeights slope;
  method_.weights(glance.theta, beta);
  method_.slopes(glance.theta, slope);
  double change = 0;
  for (int i = 0; i < method_.stages(); ++i) {
    change += beta[i] * k[i * d];
    glance.speed += slope[i] * k[i * d];
    beta[i] *= h;
  }
  glance.has_weights = true;
  glance.value += h * change;
  glance.by_length = change - glance.theta * glance.speed;
}

void Past::read_history(Glance& glance) {
  if (is_initial(glance)) {
    glance.value = x0_[of_.looks[glance.look].state];
    return;
  }
  glance.value = run_history(history_of(glance).value, glance.u).front();
  glance.speed = history_slopes(glance).back();
}

const std::vector<double>& Past::run_history(const compile::Kernel& kernel, double u) {
  for (const compile::InputKernel& input : model_.inputs)
    if (input.delay < 0) input.set_time(experiment_, u, p_.data(), 1);
  slopes_.resize(kernel.output_count());
  run(kernel, u, slopes_.data());
  return slopes_;
}

const std::vector<double>& Past::history_slopes(const Glance& glance) {
  return run_history(history_of(glance).derivative, glance.u);
}

const std::vector<double>& Past::history_slopes_by_time(const Glance& glance) {
  return run_history(history_of(glance).by_time, glance.u);
}

Past::SpeedSlopes Past::speed_slopes(const Glance& glance) const {
  SpeedSlopes out;
  if (!glance.has_weights) return out;
  DenseWeights curve;
  method_.slopes(glance.theta, out.weights);
  method_.curves(glance.theta, curve);
  const double* k = path_.slope_of(glance.step, 0) + of_.looks[glance.look].state;
  for (int i = 0; i < method_.stages(); ++i) out.by_time += curve[i] * k[static_cast<std::size_t>(i) * path_.states];
  out.by_time /= path_.length(glance.step);
  out.by_length = -glance.theta * out.by_time;
  out.has_weights = true;
  return out;
}

double Past::value(int look, double s, int point, int steps) {
  const auto [state, delay] = of_.looks[look];
  const int segment = path_.segment_at(point, delay);
  if (segment < 0) return this->look(look, s, point, steps).value;
  const double u = s - path_.tau[delay];
  const int step = find(delay, u, segment, steps);
  const double h = path_.length(step);
  const double x = path_.begin_of(step)[state];
  if (h == 0) return x;
  DenseWeights beta;
  method_.weights((u - path_.points[step].t) / h, beta);
  const double* k = path_.slope_of(step, 0) + state;
  double change = 0;
  for (int i = 0; i < method_.stages(); ++i) change += beta[i] * k[static_cast<std::size_t>(i) * path_.states];
  return x + h * change;
}

}  // namespace salvo::integrate
