#include "integrate/delayed/past_at_start.hpp"

#include <memory>

#include "integrate/delayed/past.hpp"

namespace salvo::integrate {
namespace {

// A path of one point, before which there is the history alone.
struct Beginning {
  DelayedPath path{};
  Past past;

  Beginning(const compile::CompiledModel& model, const double* p, const double* x0, int experiment)
      : past(model, dense_rodas5p(), path) {
    past.take(p, x0, 1, experiment, model.delays->begins_at_rest[static_cast<std::size_t>(experiment)]);
    path.begin(model.states, dense_rodas5p().stages());
    path.tau = past.delays();
    path.points.resize(1);
    path.segment.assign(path.tau.size(), -1);
  }
};

}  // namespace

std::function<void(double t, double* values, double* speeds)> past_at_start(const compile::CompiledModel& model,
                                                                            const double* p, const double* x0,
                                                                            int experiment) {
  if (!model.looks_back()) return {};
  const auto beginning = std::make_shared<Beginning>(model, p, x0, experiment);
  return [beginning](double t, double* values, double* speeds) {
    for (int look = 0; look < beginning->past.count(); ++look) {
      const Past::Glance glance = beginning->past.look(look, t, 0, 0);
      values[look] = glance.value;
      speeds[look] = glance.speed;
    }
  };
}

}  // namespace salvo::integrate
