#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "expression/parse.hpp"
#include "model/problem.hpp"

// The stiff systems that integrators are compared on ([HW96] IV.10), with rates as parameters.
namespace salvo::bench {

struct StiffSystem {
  std::string name{};
  std::vector<std::pair<std::string, std::string>> equations{};
  std::vector<std::pair<std::string, double>> parameters{};
  std::vector<double> x0{};
  std::vector<double> times{};  // at which errors are measured; the last one is the end

  model::Problem problem() const {
    model::Problem out;
    out.time = out.graph.symbol("t");
    const auto formula = [&](const std::string& text) {
      return std::get<expression::Formula>(expression::parse(out.graph, text)).node;
    };
    for (const auto& [id, value] : parameters)
      out.parameters.push_back({id, out.graph.symbol(id), model::Estimated{.guess = value}});
    for (const auto& [id, text] : equations) out.states.push_back({id, out.graph.symbol(id), formula(text)});
    out.observables = {{"first", out.states[0].symbol, out.graph.constant(1)}};
    model::Experiment experiment{.id = "default"};
    for (const double value : x0) experiment.initial.push_back(out.graph.constant(value));
    out.experiments = {experiment};
    return out;
  }
};

inline StiffSystem robertson() {
  return {"robertson",
          {{"A", "-k1*A + k3*B*C"}, {"B", "k1*A - k3*B*C - k2*B^2"}, {"C", "k2*B^2"}},
          {{"k1", 0.04}, {"k2", 3e7}, {"k3", 1e4}},
          {1, 0, 0},
          {0.4, 40, 4e3, 4e5, 4e7, 1e11}};
}

inline StiffSystem van_der_pol() {
  return {"van_der_pol", {{"y", "z"}, {"z", "mu*((1 - y^2)*z - y)"}}, {{"mu", 1e6}}, {2, -0.66}, {0.5, 1, 1.5, 2}};
}

inline StiffSystem hires() {
  return {"hires",
          {{"y1", "-k1*y1 + k2*y2 + k6*y3 + oks"},
           {"y2", "k1*y1 - 8.75*y2"},
           {"y3", "-10.03*y3 + k2*y4 + 0.035*y5"},
           {"y4", "k6*y2 + k1*y3 - 1.12*y4"},
           {"y5", "-1.745*y5 + k2*y6 + k2*y7"},
           {"y6", "-kp*y6*y8 + 0.69*y4 + k1*y5 - k2*y6 + 0.69*y7"},
           {"y7", "kp*y6*y8 - 1.81*y7"},
           {"y8", "-kp*y6*y8 + 1.81*y7"}},
          {{"k1", 1.71}, {"k2", 0.43}, {"k6", 8.32}, {"oks", 0.0007}, {"kp", 280}},
          {1, 0, 0, 0, 0, 0, 0, 0.0057},
          {1, 10, 100, 321.8122}};
}

inline StiffSystem oregonator() {
  return {"oregonator",
          {{"x", "s*(y + x*(1 - q*x - y))"}, {"y", "(z - (1 + x)*y)/s"}, {"z", "w*(x - z)"}},
          {{"s", 77.27}, {"q", 8.375e-6}, {"w", 0.161}},
          {1, 2, 3},
          {30, 100, 200, 300, 360}};
}

inline StiffSystem pollution() {
  const std::vector<double> rates{.35,     .266e2, .123e5, .86e-3, .82e-3,  .15e5,  .13e-3, .24e5,   .165e5,
                                  .9e4,    .22e-1, .12e5,  .188e1, .163e5,  .48e7,  .35e-3, .175e-1, .1e9,
                                  .444e12, .124e4, .21e1,  .578e1, .474e-1, .178e4, .312e1};
  const std::vector<std::string> reactants{
      "y1",    "y2*y4", "y5*y2", "y7", "y7",  "y7*y6", "y9",     "y9*y6", "y11*y2", "y11*y1", "y13",    "y10*y2", "y14",
      "y1*y6", "y3",    "y4",    "y4", "y16", "y16",   "y17*y6", "y19",   "y19",    "y1*y4",  "y19*y1", "y20"};
  const std::vector<std::vector<int>> balance{{-1, -10, -14, -23, -24, 2, 3, 9, 11, 12, 22, 25},
                                              {-2, -3, -9, -12, 1, 21},
                                              {-15, 1, 17, 19, 22},
                                              {-2, -16, -17, -23, 15},
                                              {-3, 4, 4, 6, 7, 13, 20},
                                              {-6, -8, -14, -20, 3, 18, 18},
                                              {-4, -5, -6, 13},
                                              {4, 5, 6, 7},
                                              {-7, -8},
                                              {-12, 7, 9},
                                              {-9, -10, 8, 11},
                                              {9},
                                              {-11, 10},
                                              {-13, 12},
                                              {14},
                                              {-18, -19, 16},
                                              {-20},
                                              {20},
                                              {-21, -22, -24, 23, 25},
                                              {-25, 24}};
  StiffSystem out{.name = "pollution", .x0 = std::vector<double>(20, 0.0), .times = {1, 10, 60}};
  for (std::size_t k = 0; k < rates.size(); ++k) out.parameters.push_back({"k" + std::to_string(k + 1), rates[k]});
  for (std::size_t i = 0; i < balance.size(); ++i) {
    std::string sum = "0";
    for (const int r : balance[i])
      sum += (r < 0 ? " - k" : " + k") + std::to_string(std::abs(r)) + "*" + reactants[std::abs(r) - 1];
    out.equations.push_back({"y" + std::to_string(i + 1), sum});
  }
  for (const auto& [species, value] :
       std::vector<std::pair<int, double>>{{2, .2}, {4, .04}, {7, .1}, {8, .3}, {9, .01}, {17, .007}})
    out.x0[species - 1] = value;
  return out;
}

}  // namespace salvo::bench
