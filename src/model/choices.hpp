#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

// What a user can name in a problem file or on the command line, as plain values.
namespace salvo::model {

// --- integrators ---------------------------------------------------------------------------------------------------

// Relative tolerances that make sense: numbers carry about 16 digits, and with two or fewer nothing is computed.
inline constexpr double smallest_rtol = 1e-14;
inline constexpr double largest_rtol = 1e-2;

struct AutoIntegrator {  // chosen by the program; tolerances are passed on to what it chooses
  static constexpr std::string_view name = "auto";
  double rtol = 1e-8;
  std::optional<double> atol{};  // of every state; without one, each state is measured by its own size
  bool operator==(const AutoIntegrator&) const = default;
};
struct Dopri5 {  // Dormand and Prince's explicit Runge-Kutta pair of order 5(4), adaptive
  static constexpr std::string_view name = "dopri5";
  double rtol = 1e-8;
  std::optional<double> atol{};
  bool operator==(const Dopri5&) const = default;
};
struct Rk4 {  // the classical Runge-Kutta method of order 4, fixed step
  static constexpr std::string_view name = "rk4";
  double step = 0.05;  // at most; each piece between nodes and measurements is divided evenly
  bool operator==(const Rk4&) const = default;
};
struct Rodas5p {  // a linearly implicit method of order 5 for stiff equations, adaptive
  static constexpr std::string_view name = "rodas5p";
  double rtol = 1e-8;
  std::optional<double> atol{};
  bool operator==(const Rodas5p&) const = default;
};
enum class MultistepFamily { bdf, adams };  // for stiff and for other equations
struct Cvodes {  // multistep methods of the library CVODES, with derivatives from equations of their own
  static constexpr std::string_view name = "cvodes";
  double rtol = 1e-8;
  std::optional<double> atol{};
  MultistepFamily family = MultistepFamily::bdf;
  bool operator==(const Cvodes&) const = default;
};
using Integrator = std::variant<AutoIntegrator, Dopri5, Rk4, Rodas5p, Cvodes>;

// --- nodes of the time grid ----------------------------------------------------------------------------------------

struct AutoNodes {
  static constexpr std::string_view name = "auto";
  friend bool operator==(const AutoNodes&, const AutoNodes&) = default;
};
struct NodesAtMeasurements {
  static constexpr std::string_view name = "measurements";
  friend bool operator==(const NodesAtMeasurements&, const NodesAtMeasurements&) = default;
};
struct SingleInterval {
  static constexpr std::string_view name = "single";
  friend bool operator==(const SingleInterval&, const SingleInterval&) = default;
};
struct IntervalCount {  // this many intervals of equal length
  int intervals = 1;
  friend bool operator==(const IntervalCount&, const IntervalCount&) = default;
};
struct NodeTimes {  // exactly these nodes; start and end of an experiment are added
  std::vector<double> times{};
  friend bool operator==(const NodeTimes&, const NodeTimes&) = default;
};
using Nodes = std::variant<AutoNodes, NodesAtMeasurements, SingleInterval, IntervalCount, NodeTimes>;

// --- choices without knobs -----------------------------------------------------------------------------------------

enum class Geometry { line, cylinder, sphere };     // what the coordinate of a field measures
enum class Advection { limited, central, upwind };  // what a face carries along
enum class BoundaryKind { value, flux, gradient, robin, periodic };
enum class StartValues { automatic, data, simulate };
enum class Method { automatic, scalar, gauss_newton, lagrangian };
enum class Derivatives { automatic, tangent, adjoint };
enum class Scale { lin, log, log10 };
enum class Distribution { normal, log_normal, laplace, log_laplace, student_t, poisson, negative_binomial };
enum class Censored { no, below, above };  // a value of which only a limit is known
enum class PriorLaw {
  normal,       // mean, standard deviation
  laplace,      // location, scale
  log_normal,   // mean and standard deviation of the logarithm
  log_laplace,  // location and scale of the logarithm
  uniform,      // lower and upper end
  log_uniform,  // lower and upper end, of the value
  cauchy,       // location, scale
  gamma,        // shape, scale
  exponential,  // (0), scale
  chisquare,    // (0), degrees of freedom
  rayleigh,     // (0), scale
};
enum class Interpolation { constant, linear, cubic };  // between the rows of an input's table
enum class Activation { tanh, sigmoid, sine };         // of the units of a network

template <class Choice>
struct Names;  // every alternative with the word users write for it
template <>
struct Names<StartValues> {
  static constexpr std::string_view what = "start";
  static constexpr std::array<std::pair<StartValues, std::string_view>, 3> all{
      {{StartValues::automatic, "auto"}, {StartValues::data, "data"}, {StartValues::simulate, "simulate"}}};
};
template <>
struct Names<Method> {
  static constexpr std::string_view what = "method";
  static constexpr std::array<std::pair<Method, std::string_view>, 4> all{{{Method::automatic, "auto"},
                                                                           {Method::scalar, "scalar"},
                                                                           {Method::gauss_newton, "gauss-newton"},
                                                                           {Method::lagrangian, "lagrangian"}}};
};
template <>
struct Names<Derivatives> {
  static constexpr std::string_view what = "derivatives";
  static constexpr std::array<std::pair<Derivatives, std::string_view>, 3> all{
      {{Derivatives::automatic, "auto"}, {Derivatives::tangent, "tangent"}, {Derivatives::adjoint, "adjoint"}}};
};
template <>
struct Names<Geometry> {
  static constexpr std::string_view what = "geometry";
  static constexpr std::array<std::pair<Geometry, std::string_view>, 3> all{
      {{Geometry::line, "line"}, {Geometry::cylinder, "cylinder"}, {Geometry::sphere, "sphere"}}};
};
template <>
struct Names<Advection> {
  static constexpr std::string_view what = "advection";
  static constexpr std::array<std::pair<Advection, std::string_view>, 3> all{
      {{Advection::limited, "limited"}, {Advection::central, "central"}, {Advection::upwind, "upwind"}}};
};
template <>
struct Names<BoundaryKind> {
  static constexpr std::string_view what = "boundary condition";
  static constexpr std::array<std::pair<BoundaryKind, std::string_view>, 5> all{{{BoundaryKind::value, "value"},
                                                                                 {BoundaryKind::flux, "flux"},
                                                                                 {BoundaryKind::gradient, "gradient"},
                                                                                 {BoundaryKind::robin, "robin"},
                                                                                 {BoundaryKind::periodic, "periodic"}}};
};
template <>
struct Names<MultistepFamily> {
  static constexpr std::string_view what = "family";
  static constexpr std::array<std::pair<MultistepFamily, std::string_view>, 2> all{
      {{MultistepFamily::bdf, "bdf"}, {MultistepFamily::adams, "adams"}}};
};
template <>
struct Names<Scale> {
  static constexpr std::string_view what = "scale";
  static constexpr std::array<std::pair<Scale, std::string_view>, 3> all{
      {{Scale::lin, "lin"}, {Scale::log, "log"}, {Scale::log10, "log10"}}};
};
template <>
struct Names<Distribution> {
  static constexpr std::string_view what = "distribution";
  static constexpr std::array<std::pair<Distribution, std::string_view>, 7> all{
      {{Distribution::normal, "normal"},
       {Distribution::log_normal, "log-normal"},
       {Distribution::laplace, "laplace"},
       {Distribution::log_laplace, "log-laplace"},
       {Distribution::student_t, "student-t"},
       {Distribution::poisson, "poisson"},
       {Distribution::negative_binomial, "negative-binomial"}}};
};
template <>
struct Names<PriorLaw> {
  static constexpr std::string_view what = "law";
  static constexpr std::array<std::pair<PriorLaw, std::string_view>, 11> all{{{PriorLaw::normal, "normal"},
                                                                              {PriorLaw::laplace, "laplace"},
                                                                              {PriorLaw::log_normal, "log-normal"},
                                                                              {PriorLaw::log_laplace, "log-laplace"},
                                                                              {PriorLaw::uniform, "uniform"},
                                                                              {PriorLaw::log_uniform, "log-uniform"},
                                                                              {PriorLaw::cauchy, "cauchy"},
                                                                              {PriorLaw::gamma, "gamma"},
                                                                              {PriorLaw::exponential, "exponential"},
                                                                              {PriorLaw::chisquare, "chisquare"},
                                                                              {PriorLaw::rayleigh, "rayleigh"}}};
};
template <>
struct Names<Interpolation> {
  static constexpr std::string_view what = "interpolation";
  static constexpr std::array<std::pair<Interpolation, std::string_view>, 3> all{
      {{Interpolation::constant, "constant"}, {Interpolation::linear, "linear"}, {Interpolation::cubic, "cubic"}}};
};
template <>
struct Names<Activation> {
  static constexpr std::string_view what = "activation";
  static constexpr std::array<std::pair<Activation, std::string_view>, 3> all{
      {{Activation::tanh, "tanh"}, {Activation::sigmoid, "sigmoid"}, {Activation::sine, "sin"}}};
};

template <class Choice>
std::string_view to_string(Choice choice) {
  for (const auto& [value, name] : Names<Choice>::all)
    if (value == choice) return name;
  return {};
}
template <class Choice>
std::optional<Choice> from_name(std::string_view word) {
  for (const auto& [value, name] : Names<Choice>::all)
    if (name == word) return value;
  return std::nullopt;
}
template <class Choice>
std::vector<std::string> known_names() {
  std::vector<std::string> names;
  for (const auto& entry : Names<Choice>::all) names.push_back(std::string(entry.second));
  return names;
}

}  // namespace salvo::model
