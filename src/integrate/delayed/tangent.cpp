#include <algorithm>
#include <utility>

#include "integrate/delayed/sweep.hpp"

// docs/mathematics.md, section 25, forwards.
namespace salvo::integrate {

DelayedTangent::DelayedTangent(DelayedSteps& steps, int columns, std::vector<double> dx0, std::vector<double> dp)
    : of_(steps),
      d_(steps.d()),
      c_(columns),
      stages_(steps.stages()),
      dx0_(std::move(dx0)),
      dp_(std::move(dp)),
      dtau_(static_cast<std::size_t>(steps.path().delays()) * columns),
      T_(dx0_),
      dt_(steps.path().points.size() * columns),
      dx_(steps.path().steps()),
      dk_(steps.path().steps()),
      du_(columns),
      dX_(dx0_.size()),
      ds_(columns),
      dZ_(static_cast<std::size_t>(steps.past().count()) * columns) {
  const compile::Pattern& pattern = steps.delays().tau_by_p;
  for (int z = 0; z < pattern.size(); ++z)
    for (int c = 0; c < c_; ++c)
      dtau_[pattern.row[z] * c_ + c] += steps.tau_by_p()[z] * dp_[pattern.column[z] * c_ + c];
}

void DelayedTangent::sweep(const Sink& sink, const StopFlag* stop) {
  const DelayedPath& path = of_.path();
  const double longest = *std::max_element(path.tau.begin(), path.tau.end());
  int oldest = 0;
  pass_point(0, sink);
  for (int n = 0; n < path.steps() && !is_raised(stop); ++n) {
    step(n);
    pass_point(n + 1, sink);
    // Nobody looks further back.
    for (; oldest + 3 < n && path.points[oldest + 3].t < path.points[n + 1].t - longest; ++oldest)
      dx_[oldest] = dk_[oldest] = {};
  }
}

void DelayedTangent::pass_point(int point, const Sink& sink) {
  const DelayedPath::Point& at = of_.path().points[point];
  if (at.kind == DelayedPath::Point::Kind::crossing) cross(point);
  for (int n = at.jump_begin; n < at.jump_end; ++n) jump(point, of_.jumps()[n]);
  if (at.stop < 0) return;
  const std::vector<Past::Glance>& glances = of_.look(point);
  for (std::size_t l = 0; l < glances.size(); ++l) add_glance(glances[l], moved(point), dZ_.data() + l * c_);
  sink(at.stop, T_.data(), dZ_.data());
}

void DelayedTangent::add_glance(const Past::Glance& glance, const double* ds, double* out) const {
  const compile::Look& look = of_.delays().looks[glance.look];
  const double* dtau = dtau_.data() + static_cast<std::size_t>(look.delay) * c_;
  for (int c = 0; c < c_; ++c) du_[c] = ds[c] - dtau[c];
  const auto add = [&](double factor, const double* from) {
    for (int c = 0; c < c_; ++c) out[c] += factor * from[c];
  };
  std::fill_n(out, c_, 0.0);
  if (glance.step < 0) {
    if (of_.past().is_initial(glance)) return add(1, dx0_.data() + static_cast<std::size_t>(look.state) * c_);
    const std::vector<double>& slopes = of_.past().history_slopes(glance);
    const std::vector<int>& by_p = of_.past().history_of(glance).by_parameter;
    for (std::size_t k = 0; k < by_p.size(); ++k) add(slopes[k], dp_.data() + static_cast<std::size_t>(by_p[k]) * c_);
    return add(slopes.back(), du_.data());
  }
  const double* begin = dt_.data() + static_cast<std::size_t>(glance.step) * c_;
  add(1, dx_[glance.step].data() + static_cast<std::size_t>(look.state) * c_);
  for (int c = 0; c < c_; ++c)
    out[c] += glance.speed * (du_[c] - begin[c]) + glance.by_length * (begin[c_ + c] - begin[c]);
  const std::span<const double> weights = of_.past().weights(glance);
  for (std::size_t i = 0; i < weights.size(); ++i)
    add(weights[i], dk_[glance.step].data() + (i * d_ + look.state) * c_);
}

// Where the end moves with what is known already; that of a crossing is taken to stand still until it is.
void DelayedTangent::step(int step) {
  const DelayedPath& path = of_.path();
  const DelayedPath::Point& end = path.points[step + 1];
  dx_[step] = T_;
  if (end.kind == DelayedPath::Point::Kind::image)
    for (int c = 0; c < c_; ++c) moved(step + 1)[c] = moved(end.source)[c] + dtau_[end.delay * c_ + c];
  if (path.length(step) == 0) {
    for (int n = 0; n < d_; ++n)
      for (int c = 0; c < c_; ++c) T_[n * c_ + c] += path.slope_of(step, 0)[n] * (moved(step + 1)[c] - moved(step)[c]);
    return;
  }
  dk_[step].assign(static_cast<std::size_t>(stages_) * d_ * c_, 0.0);
  of_.linearize(step);
  if (of_.implicit() != nullptr) {
    const std::vector<Past::Glance>& glances = of_.stage(0).glances;
    dZ_at_begin_.resize(dZ_.size());
    dv_at_begin_.resize(dZ_.size());
    for (std::size_t l = 0; l < glances.size(); ++l) {
      add_glance(glances[l], moved(step), dZ_at_begin_.data() + l * c_);
      add_speed(glances[l], moved(step), dv_at_begin_.data() + l * c_);
    }
  }
  for (int i = 0; i < stages_; ++i) stage(step, i);
  if (of_.implicit() != nullptr) form_stage(step, of_.method().end.data());
  T_ = dX_;
}

void DelayedTangent::stage(int step, int i) {
  if (i == 0 && of_.goes_on(step)) {
    std::copy_n(slope(step - 1, stages_ - 1), static_cast<std::size_t>(d_) * c_, slope(step, 0));
    return;
  }
  form_stage(step, of_.method().row(i));
  add_slopes(step, i);
  if (of_.implicit() == nullptr) return;
  add_second(step, i);
  solve(slope(step, i));
}

// dX_i = dx + sum_j a_ij (k_j dh + h dk_j)
void DelayedTangent::form_stage(int step, const double* weights) {
  const DelayedPath& path = of_.path();
  const double h = path.length(step);
  const double* dt = moved(step);
  dX_ = T_;
  for (int j = 0; j < stages_; ++j) {
    if (weights[j] == 0) continue;
    const double* dk = slope(step, j);
    for (int n = 0; n < d_; ++n) {
      const double k = weights[j] * path.slope_of(step, j)[n];
      for (int c = 0; c < c_; ++c) dX_[n * c_ + c] += k * (dt[c_ + c] - dt[c]) + h * weights[j] * dk[n * c_ + c];
    }
  }
}

// f_x dX_i + f_p dp + f_z dZ_i + f_t ds_i
void DelayedTangent::add_slopes(int step, int i) {
  const double* dt = moved(step);
  for (int c = 0; c < c_; ++c) ds_[c] = dt[c] + of_.method().node(i) * (dt[c_ + c] - dt[c]);
  const DelayedSteps::Stage& at = of_.stage(i);
  for (std::size_t l = 0; l < at.glances.size(); ++l) add_glance(at.glances[l], ds_.data(), dZ_.data() + l * c_);
  const double* nonzero = at.nonzeros.data();
  double* dk = slope(step, i);
  const auto add = [&](int row, const double* from) {
    const double factor = *nonzero++;
    for (int c = 0; c < c_; ++c) dk[row * c_ + c] += factor * from[c];
  };
  const compile::CompiledModel& model = of_.model();
  const compile::Delays& delays = of_.delays();
  for (int z = 0; z < model.f_x.size(); ++z) add(model.f_x.row[z], dX_.data() + model.f_x.column[z] * c_);
  for (int z = 0; z < model.f_p.size(); ++z) add(model.f_p.row[z], dp_.data() + model.f_p.column[z] * c_);
  for (int z = 0; z < delays.f_z.size(); ++z) add(delays.f_z.row[z], dZ_.data() + delays.f_z.column[z] * c_);
  for (const int row : delays.f_t) add(row, ds_.data());
}

// What the side of stage i takes up from where the step begins, with w_i = gamma_i h and v = dz/dt:
//   (J k_i + gamma_i f_T) dh + d(h J k_i + w_i f_T) + M sum_{j<i} c_ij dk_j
void DelayedTangent::add_second(int step, int i) {
  const double* dt = moved(step);
  const DelayedSteps::Stage& at = of_.stage(i);
  const DelayedSteps::Stage& begin = of_.stage(0);
  const compile::CurvatureOfPast& of = of_.curvature();
  double* side = slope(step, i);
  const auto add_row = [&](int row, double factor, const double* from) {
    for (int c = 0; c < c_; ++c) side[row * c_ + c] += factor * from[c];
  };
  const double* second = at.curvature.data();
  for (int z = 0; z < of.by_x.size(); ++z) add_row(of.by_x.row[z], *second++, T_.data() + of.by_x.column[z] * c_);
  for (int z = 0; z < of.by_p.size(); ++z) add_row(of.by_p.row[z], *second++, dp_.data() + of.by_p.column[z] * c_);
  for (int z = 0; z < of.by_z.size(); ++z)
    add_row(of.by_z.row[z], *second++, dZ_at_begin_.data() + of.by_z.column[z] * c_);
  for (const int row : of.by_time) add_row(row, *second++, dt);
  const compile::Pattern& f_z = of_.delays().f_z;
  const double weight = ImplicitStep::Tableau::gamma_sum[i] * of_.path().length(step);
  const double* by_z = begin.nonzeros.data() + of_.model().f_x.size() + of_.model().f_p.size();
  for (int z = 0; z < f_z.size(); ++z) add_row(f_z.row[z], weight * by_z[z], dv_at_begin_.data() + f_z.column[z] * c_);
  for (int n = 0; n < d_; ++n) {
    for (int c = 0; c < c_; ++c) side[n * c_ + c] += at.by_length[n] * (dt[c_ + c] - dt[c]);
    for (int j = 0; j < i && of_.implicit()->is_differential(n); ++j)
      add_row(n, ImplicitStep::Tableau::c[i][j], slope(step, j) + n * c_);
  }
}

// Column by column.
void DelayedTangent::solve(double* dk) {
  column_.resize(d_);
  for (int c = 0; c < c_; ++c) {
    for (int n = 0; n < d_; ++n) column_[n] = dk[n * c_ + c];
    of_.implicit()->solve(column_.data());
    for (int n = 0; n < d_; ++n) dk[n * c_ + c] = column_[n];
  }
}

void DelayedTangent::add_speed(const Past::Glance& glance, const double* ds, double* out) const {
  const compile::Look& look = of_.delays().looks[glance.look];
  const double* dtau = dtau_.data() + static_cast<std::size_t>(look.delay) * c_;
  std::fill_n(out, c_, 0.0);
  const auto add = [&](double factor, const double* from) {
    for (int c = 0; c < c_; ++c) out[c] += factor * from[c];
  };
  if (glance.step < 0) {
    if (of_.past().is_initial(glance)) return;
    const std::vector<double>& slopes = of_.past().history_slopes_by_time(glance);
    const std::vector<int>& by_p = of_.past().history_of(glance).by_parameter;
    for (std::size_t k = 0; k < by_p.size(); ++k) add(slopes[k], dp_.data() + static_cast<std::size_t>(by_p[k]) * c_);
    add(slopes.back(), ds);
    return add(-slopes.back(), dtau);
  }
  const Past::SpeedSlopes of = of_.past().speed_slopes(glance);
  if (!of.has_weights) return;
  const double* begin = dt_.data() + static_cast<std::size_t>(glance.step) * c_;
  for (int c = 0; c < c_; ++c)
    out[c] += of.by_time * (ds[c] - dtau[c] - begin[c]) + of.by_length * (begin[c_ + c] - begin[c]);
  for (int i = 0; i < stages_; ++i) add(of.weights[i], dk_[glance.step].data() + (i * d_ + look.state) * c_);
}

// dt = -(z_x dx + z_p dp + z_Z dZ)/(dz/dt), and what the step before takes up of it.
void DelayedTangent::cross(int point) {
  const DelayedPath::Point& at = of_.path().points[point];
  const compile::SwitchingFunction& z = of_.model().discontinuities->functions[at.function];
  const DelayedSteps::ByEnd& by_end = of_.by_end(point - 1);
  const auto& [numbers, glances] = of_.switching(point, at.function, of_.jumps()[at.jump_begin].before.data());
  double* dt = moved(point);
  std::fill_n(dt, c_, 0.0);
  double speed = numbers.back();
  const double* slope = numbers.data();
  std::vector<double> sum(c_);
  const auto add = [&](const double* from) {
    for (int c = 0; c < c_; ++c) sum[c] += *slope * from[c];
  };
  for (const int i : z.by_state) {
    add(T_.data() + i * c_);
    speed += *slope++ * by_end.x[i];
  }
  for (const int k : z.by_parameter) add(dp_.data() + k * c_), ++slope;
  for (const int l : z.by_delayed) {
    add_glance(glances[l], dt, dZ_.data());
    add(dZ_.data());
    speed += *slope++ * glances[l].speed;
  }
  for (int c = 0; c < c_; ++c) dt[c] = -sum[c] / speed;
  for (int n = 0; n < d_; ++n)
    for (int c = 0; c < c_; ++c) T_[n * c_ + c] += by_end.x[n] * dt[c];
  if (dk_[point - 1].empty()) return;
  for (std::size_t n = 0; n < by_end.k.size(); ++n)
    for (int c = 0; c < c_; ++c) dk_[point - 1][n * c_ + c] += by_end.k[n] * dt[c];
}

void DelayedTangent::jump(int point, const Jump& jump) {
  if (jump.event >= 0) event(point, jump);
  if (of_.has_roots()) roots(point, jump);
}

// dz = -g_z^-1 (g_x dx + g_p dp + g_Z dZ + g_t dt)
void DelayedTangent::roots(int point, const Jump& jump) {
  Consistency& consistency = of_.roots(point, jump);
  const std::vector<Past::Glance>& glances = of_.look(point);
  for (std::size_t l = 0; l < glances.size(); ++l) add_glance(glances[l], moved(point), dZ_.data() + l * c_);
  const compile::Pattern& f_z = of_.delays().f_z;
  for (int c = 0; c < c_; ++c) {
    std::vector<double> more(of_.model().algebraic.size(), 0.0);
    for (int z = 0; z < f_z.size(); ++z)
      if (const int row = consistency.row_of(f_z.row[z]); row >= 0)
        more[row] += consistency.by_delayed()[z] * dZ_[f_z.column[z] * c_ + c];
    std::vector<Consistency::AlongParameter> along;
    for (int k = 0; k < of_.model().active; ++k)
      if (dp_[k * c_ + c] != 0) along.push_back({k, dp_[k * c_ + c]});
    consistency.forward({T_.data() + c, static_cast<std::size_t>(c_)}, along, moved(point)[c], more);
  }
}

void DelayedTangent::event(int point, const Jump& jump) {
  const compile::EventKernel& event = of_.model().discontinuities->events[jump.event];
  const auto& [numbers, glances] = of_.event(point, jump);
  std::vector<double> fresh(event.states.size() * c_, 0.0);
  const double* slope = numbers.data();
  const auto add = [&](int row, const double* from) {
    const double factor = *slope++;
    for (int c = 0; c < c_; ++c) fresh[row * c_ + c] += factor * from[c];
  };
  for (int k = 0; k < event.by_state.size(); ++k) add(event.by_state.row[k], T_.data() + event.by_state.column[k] * c_);
  for (int k = 0; k < event.by_parameter.size(); ++k)
    add(event.by_parameter.row[k], dp_.data() + event.by_parameter.column[k] * c_);
  for (const int row : event.by_time) add(row, moved(point));
  for (int k = 0; k < event.by_delayed.size(); ++k) {
    add_glance(glances[event.by_delayed.column[k]], moved(point), dZ_.data());
    add(event.by_delayed.row[k], dZ_.data());
  }
  for (std::size_t r = 0; r < event.states.size(); ++r)
    std::copy_n(fresh.data() + r * c_, c_, T_.data() + event.states[r] * c_);
}

}  // namespace salvo::integrate
