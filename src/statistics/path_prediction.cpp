#include "statistics/path_prediction.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

namespace salvo::statistics {
namespace {

bool same_sign(double a, double b) { return (a > 0 && b > 0) || (a < 0 && b < 0); }

struct Node {
  double x = 0;
  double y = 0;
};

// Lagrange's polynomial.
double through(std::span<const Node> nodes, double x) {
  double sum = 0;
  for (const Node& a : nodes) {
    double weight = 1;
    for (const Node& b : nodes)
      if (&a != &b) weight *= (x - b.x) / (a.x - b.x);
    sum += weight * a.y;
  }
  return sum;
}

// Through the logarithms of both; nothing where signs change.
std::optional<double> through_logarithms(std::span<const Node> nodes, double x) {
  std::vector<Node> logarithms;
  for (const Node& node : nodes) {
    if (!same_sign(node.x, x) || !same_sign(node.y, nodes.front().y)) return std::nullopt;
    logarithms.push_back({std::log(std::abs(node.x)), std::log(std::abs(node.y))});
  }
  const double size = std::exp(through(logarithms, std::log(std::abs(x))));
  if (!std::isfinite(size)) return std::nullopt;
  return std::copysign(size, nodes.front().y);
}

// One unknown, from the points nearest to x.
double by_better_form(std::span<const Node> nodes, double x, bool prefer_logarithms) {
  const std::span<const Node> used = nodes.first(std::min<std::size_t>(nodes.size(), 3));
  const std::optional<double> by_logarithms = through_logarithms(used, x);
  if (!by_logarithms) return through(used, x);
  if (nodes.size() < 3) return prefer_logarithms ? *by_logarithms : through(used, x);
  const Node& nearest = nodes.front();  // the others predict it
  const std::optional<double> predicted = through_logarithms(nodes.subspan(1), nearest.x);
  const double missed = std::abs(through(nodes.subspan(1), nearest.x) - nearest.y);
  return predicted && std::abs(*predicted - nearest.y) < missed ? *by_logarithms : through(used, x);
}

// Where the data see nothing, quantities mostly make up for each other by their ratio.
bool prefers_logarithms(const ProfileTask& task) { return !(task.error > 0); }
bool has_ratio(const ProfileTask& task, std::size_t unknown) {
  return task.is_value && !task.are_values.empty() && task.are_values[unknown];
}

}  // namespace

nlp::Point extrapolated(const ProfileTask& task, const std::vector<const ProfilePoint*>& nodes, double value) {
  nlp::Point q = nodes.front()->q;
  std::vector<Node> of_one(nodes.size());
  const std::span<const Node> last_three(of_one.data(), std::min<std::size_t>(nodes.size(), 3));
  for (std::size_t k = 0; k < q.size(); ++k) {
    for (std::size_t n = 0; n < nodes.size(); ++n) of_one[n] = {nodes[n]->value, nodes[n]->q[k]};
    q[k] = has_ratio(task, k) ? by_better_form(of_one, value, prefers_logarithms(task)) : through(last_three, value);
  }
  return q;
}

nlp::Point along_tangent(const ProfileTask& task, double value) {
  const ProfilePoint& from = task.optimum;
  nlp::Point q = from.q;
  const bool by_ratio = prefers_logarithms(task) && same_sign(from.value, value);
  for (std::size_t k = 0; k < task.tangent.size(); ++k) {
    if (by_ratio && has_ratio(task, k) && q[k] != 0)
      q[k] *= std::pow(value / from.value, task.tangent[k] * from.value / q[k]);
    else
      q[k] += task.tangent[k] * (value - from.value);
  }
  return q;
}

}  // namespace salvo::statistics
