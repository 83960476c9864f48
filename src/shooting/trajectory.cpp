#include "shooting/trajectory.hpp"

#include "integrate/integrator.hpp"

namespace salvo::shooting {

Trajectory trajectory(const compile::CompiledModel& model, const model::Integrator& integrator, double begin,
                      std::span<const double> x, std::span<const double> p, std::span<const double> times,
                      const StopFlag* stop) {
  std::size_t at_begin = 0;
  while (at_begin < times.size() && times[at_begin] <= begin) ++at_begin;
  integrate::Record<1> record;
  if (at_begin < times.size()) {
    const integrate::Launch<1> launch{
        .begin = {begin}, .stops = {times.subspan(at_begin)}, .x0 = x.data(), .p = p.data(), .stop = stop};
    integrate::Scratch scratch;
    integrate::integrate<1>(model, integrator, launch, record, scratch);
    if (integrate::turned_out_stiff(integrator, record.ending[0], launch.max_steps) && model.stiff)
      integrate::integrate<1>(model, integrate::for_stiff(integrator), launch, record, scratch);
  }
  Trajectory out;
  const std::size_t reached = at_begin + record.stop_slot[0].size();
  out.time.assign(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(reached));
  out.states.resize(model.states, static_cast<int>(reached));
  out.ending = record.ending[0];
  for (std::size_t k = 0; k < reached; ++k)
    for (int i = 0; i < model.states; ++i)
      out.states(i, static_cast<int>(k)) = k < at_begin ? x[i] : record.x_stop[0][(k - at_begin) * model.states + i];
  return out;
}

Matrix observables_along(const compile::CompiledModel& model, const Trajectory& trajectory, std::span<const double> p) {
  Matrix out(static_cast<int>(model.observables.size()), trajectory.states.cols);
  std::vector<double> work(model.largest_work());
  double both[2];
  for (int k = 0; k < out.cols; ++k) {
    for (int o = 0; o < out.rows; ++o) {
      model.observables[o].value.run<1>(
          {.time = &trajectory.time[k],
           .state = trajectory.states.data.data() + static_cast<std::size_t>(k) * model.states,
           .parameter = p.data()},
          work.data(), both);
      out(o, k) = both[0];
    }
  }
  return out;
}

}  // namespace salvo::shooting
