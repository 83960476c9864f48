#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "integrate/integrator.hpp"

namespace salvo::test {

struct Lane {
  double begin = 0;
  std::vector<double> stops{};
  std::vector<double> x0{};
  std::vector<double> p{};
};

// W lanes with all they need, launched together. Fewer lanes than W leave padding that repeats the last one.
template <int W>
struct Flight {
  std::shared_ptr<const compile::CompiledModel> model;
  model::Integrator integrator;
  std::vector<Lane> lanes;
  std::vector<double> x0{}, p{};
  integrate::Launch<W> launch{};
  integrate::Record<W> record{};
  integrate::Scratch scratch{};

  Flight(std::shared_ptr<const compile::CompiledModel> the_model, const model::Integrator& choice,
         std::vector<Lane> the_lanes)
      : model(std::move(the_model)), integrator(choice), lanes(std::move(the_lanes)) {
    launch.lanes = static_cast<int>(lanes.size());
    x0.resize(model->states * W);
    p.resize(model->parameters * W);
    for (int l = 0; l < W; ++l) {
      const Lane& lane = lanes[std::min(l, launch.lanes - 1)];
      launch.begin[l] = lane.begin;
      launch.stops[l] = lane.stops;
      for (int i = 0; i < model->states; ++i) x0[i * W + l] = lane.x0[i];
      // Truth values come last and are found on the way.
      for (std::size_t k = 0; k < lane.p.size(); ++k) p[k * W + l] = lane.p[k];
    }
    launch.x0 = x0.data();
    launch.p = p.data();
  }
  Flight(const Flight&) = delete;
  Flight& operator=(const Flight&) = delete;

  void integrate() { integrate::integrate<W>(*model, integrator, launch, record, scratch); }

  std::vector<double> at_stop(int lane, int stop) const {
    const auto first = record.x_stop[lane].begin() + stop * model->observed();
    return {first, first + model->states};
  }

  // d x(stop) / d (x0, p) of every lane and stop: [lane][stop][state + column * states]; delayed values, if there are
  // any, stand behind the states.
  std::vector<std::vector<std::vector<double>>> tangents() {
    const int size = model->observed() * (model->states + model->active);
    std::vector<std::vector<std::vector<double>>> out(launch.lanes);
    const auto sink = [&](int l, int k, const double* T) {
      EXPECT_EQ(k, static_cast<int>(out[l].size()));
      std::vector<double> entries(size);
      for (int n = 0; n < size; ++n) entries[n] = T[n * W + l];
      out[l].push_back(entries);
    };
    const std::vector<integrate::Seed> units = integrate::unit_seeds(*model);
    integrate::Seeds<W> seeds;
    for (int l = 0; l < launch.lanes; ++l) {
      seeds.columns[l] = model->states + model->active;
      seeds.of_lane[l] = units;
    }
    integrate::tangent<W>(*model, integrator, launch, record, seeds, sink, scratch);
    return out;
  }

  // Gradients of sum_k <weights[scalar][stop k], x(stop k)> by (x0, p): [lane][scalar][x0..., p...].
  std::vector<std::vector<std::vector<double>>> adjoints(const std::vector<std::vector<std::vector<double>>>& weights) {
    const int scalars = static_cast<int>(weights.size());
    const int d = model->states;
    const int a = model->active;
    const int o = model->observed();
    std::vector<double> by_x0(o * scalars * W), by_p(a * scalars * W);
    const auto inject = [&](int l, int k, double* lambda) {
      for (int c = 0; c < scalars; ++c)
        for (int i = 0; i < o; ++i) lambda[(i + c * o) * W + l] += weights[c][k][i];
    };
    integrate::adjoint<W>(*model, integrator, launch, record, {scalars, inject, by_x0.data(), by_p.data()}, scratch);
    std::vector<std::vector<std::vector<double>>> out(launch.lanes);
    for (int l = 0; l < launch.lanes; ++l) {
      for (int c = 0; c < scalars; ++c) {
        std::vector<double> gradient;
        for (int i = 0; i < d; ++i) gradient.push_back(by_x0[(i + c * o) * W + l]);
        for (int k = 0; k < a; ++k) gradient.push_back(by_p[(k + c * a) * W + l]);
        out[l].push_back(gradient);
      }
    }
    return out;
  }
};

}  // namespace salvo::test
