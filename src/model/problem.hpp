#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/issue.hpp"
#include "base/optional_number.hpp"
#include "expression/graph.hpp"
#include "model/axis.hpp"
#include "model/cells.hpp"
#include "model/choices.hpp"
#include "model/event.hpp"
#include "model/field.hpp"
#include "model/input.hpp"
#include "model/noise.hpp"

// What is to be estimated, as plain data: what every input format produces and every computation starts from.
namespace salvo::model {

using expression::NodeId;

// A prior belief: the density of one of the laws, of the value or of its scale. What the two numbers mean is the law's
// business; for most of them they are where it lies and how wide it is.
struct Prior {
  PriorLaw law = PriorLaw::normal;
  double location = 0;
  double spread = 1;
  bool on_scale = false;  // of the scaled value (log, log10) rather than of the value itself
  double log_mass = 0;    // logarithm of what the law has within the bounds, where it ends there
};

// Where starts are drawn from, on the scale of the quantity; a draw beyond the bounds is moved to them.
struct StartLaw {
  enum class Shape { uniform, normal, laplace };
  Shape shape = Shape::uniform;
  double a = 0;               // lower end or location
  double b = 1;               // upper end or spread
  bool on_scale = true;       // a and b; otherwise of the value itself, or ...
  bool of_logarithm = false;  // ... of its natural logarithm
};

// A quantity that is to be found. Bounds and guess are in user units, whatever the scale.
struct Estimated {
  std::optional<double> guess{};  // missing only for initial values: then from the data, or 1
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  Scale scale = Scale::lin;
  std::optional<Prior> prior{};
  std::optional<StartLaw> start{};  // where it is not the range between the bounds
  std::optional<double> size{};     // typical magnitude, where neither guess nor value tells it: weights of a network
  Axis axis{};
};

struct Parameter {
  std::string id{};
  NodeId symbol = expression::no_node;
  std::variant<double, Estimated> value = 0.0;  // a number is a fixed constant

  bool is_estimated() const { return std::holds_alternative<Estimated>(value); }
};

struct State {
  std::string id{};
  NodeId symbol = expression::no_node;
  NodeId derivative = expression::no_node;  // dx/dt, definitions already put in; none of a cell of a field
  bool is_algebraic = false;                // 0 = `derivative` instead: an equation that no formula solves
  NodeId initial =
      expression::no_node;  // the symbol of its initial value, if a constraint or another initial value needs it
  // What it was before the start, for formulas that look back: an expression of time and parameters; none: always its
  // initial value, or where it rested before the start.
  NodeId history = expression::no_node;
};

// A name that the user's files give to a part of formulas; they have it put in.
struct Definition {
  std::string id{};
  NodeId formula = expression::no_node;
};

// An equation 0 = g of the user's, and what it determines.
struct AlgebraicEquation {
  std::string variable{};
  std::string text{};                    // g, as the user wrote it
  NodeId divisor = expression::no_node;  // the formula of the variable divides by it; none: by a number
  int state = -1;                        // of the variable, where no formula solves the equation
};

// How dates become times: counted from `from` in a unit.
struct Calendar {
  double from = 0;          // seconds since 1970
  double unit_seconds = 1;  // length of the unit
};
struct Observable {
  std::string id{};
  NodeId formula = expression::no_node;
  // sigma, or k of negative-binomial(k); missing only if every measurement carries its own, and for poisson
  std::optional<NodeId> noise{};
  Distribution distribution = Distribution::normal;
  Axis axis{};
  double noise_unit = 1;  // by which the file's own noise was multiplied: ln 10 where it was of decadic logarithms
  double shape = 0;       // nu of student-t(nu)

  Law law() const { return {distribution, shape}; }
};

// Known: an expression of parameters and of initial values of other states (State::initial). Estimated: belongs to this
// experiment alone, and to those whose `initial_of` it is.
using Initial = std::variant<NodeId, Estimated>;

// How an experiment comes to rest before its start: from `Experiment::initial`, under its own overrides and these, in
// the steady state of the equations at the time of its start. Events, doses and inputs act only afterwards.
struct Equilibration {
  std::vector<std::pair<int, NodeId>> overrides{};
  std::vector<std::pair<int, NodeId>>
      initial{};          // states that the experiment sets at its start: where they begin to rest
  bool is_final = false;  // time has passed without end: a steady state that is measured itself
};

struct Experiment {
  std::string id{};
  double start = 0;
  std::vector<std::pair<int, NodeId>> overrides{};  // index of a parameter, its value as an expression of parameters
  std::vector<Initial> initial{};                   // one per state
  std::vector<InitialField> initial_fields{};       // one per field
  std::optional<Equilibration> equilibrate{};
  int initial_of = -1;  // the experiment whose estimated initial values are its own, too
  // Times at which curves and bands are wanted besides, in order; beyond the last measurement they go on to the last of
  // these.
  std::vector<double> predicted_at{};

  bool is_set_at_start(int state) const;  // whatever it was at rest
};

struct Measurement {
  int experiment = 0;
  int observable = 0;
  double time = 0;
  double value = 0;
  OptionalNumber sigma{};                 // this value's own noise, in place of the observable's
  Censored censored = Censored::no;       // below or above: `value` is the limit
  std::array<OptionalNumber, 2> place{};  // where in space, by coordinate; none where its observable has no place
  bool before_events = false;  // it was taken before what acts at its time, as a trough is before the next dose

  // Where it is read off a trajectory. What stands before events is read a few roundings of the time earlier: events
  // whose times differ from it by less are taken to be at the same time (Switchboard).
  double seen_at() const {
    constexpr double sliver = 64 * std::numeric_limits<double>::epsilon();
    constexpr double before_zero = 1e-20;
    if (!before_events || std::isinf(time)) return time;
    return time != 0 ? time - sliver * std::abs(time) : -before_zero;
  }
  Datum datum() const { return {value, censored}; }
};

// A feed-forward network whose outputs stand in formulas. Its weights and biases are estimated parameters.
struct Network {
  std::string id{};
  std::vector<int> widths{};  // inputs, units of each hidden layer, outputs
  Activation activation = Activation::tanh;
  std::uint64_t seed = 1;        // of the weights it starts from
  std::optional<Prior> prior{};  // of every weight and bias
  int first_parameter = 0;       // index in Problem::parameters

  int parameters() const;  // how many weights and biases
  bool owns(int parameter) const { return parameter >= first_parameter && parameter < first_parameter + parameters(); }
};

// formula = 0 or formula <= 0, besides bounds. It may speak of parameters, of initial values (State::initial) and of
// states; with states it holds at every node.
struct Constraint {
  NodeId formula = expression::no_node;
  bool is_equality = false;
  std::string text{};  // as the user wrote it
};

// A number that follows from what is estimated, and is reported with it: a half-life, a clearance. Its formula speaks
// of parameters and of initial values (State::initial).
struct Derived {
  std::string id{};
  NodeId formula = expression::no_node;
  Axis axis{};
};

// A table as it was written, cell by cell.
struct TextTable {
  std::vector<std::string> header{};
  std::vector<std::vector<std::string>> rows{};  // each as long as the header

  // The column of that name; -1: none.
  int column(std::string_view name) const;
};

// What a PEtab problem said, so that results can be told in its own words.
struct PetabOrigin {
  std::string version{};     // "1" or "2.0.0"
  TextTable parameters{};    // all rows of its parameter tables
  TextTable measurements{};  // row i is measurement i
};

struct Design;  // model/design.hpp

struct Settings {
  Nodes nodes = AutoNodes{};
  StartValues start = StartValues::automatic;
  Method method = Method::automatic;
  Integrator integrator = AutoIntegrator{};
};

// A file as it was read; whoever repeats a run can tell whether it has changed.
struct InputFile {
  std::string name{};    // as the user named it
  std::string sha256{};  // of its bytes
};

struct Problem {
  std::string title{};
  std::string file{};                     // as the user named it
  std::vector<std::string> data_files{};  // with the folder of `file`
  std::vector<InputFile> files_read{};    // all files that were read, `file` first
  expression::Graph graph{};
  NodeId time = expression::no_node;  // the symbol of time
  Axis time_axis{};
  std::optional<Calendar> calendar{};  // present: times may be told as dates
  std::vector<Space> space{};          // coordinates: none, x, or x and y
  std::vector<Field> fields{};
  Scheme scheme{};
  std::vector<State> states{};
  Cells cells{};                          // what fields have become, once they stand on cells
  std::vector<Parameter> parameters{};    // the file's, constants too; then weights of networks; then noise made up
  std::vector<Definition> definitions{};  // outputs of networks too
  std::vector<AlgebraicEquation> algebraic{};
  std::vector<Network> networks{};
  std::vector<Input> inputs{};
  std::vector<Observable> observables{};
  std::vector<Experiment> experiments{};    // at least one; the only one of a file without experiments is "default"
  std::vector<Measurement> measurements{};  // in the order of the files
  std::vector<Measurement> validation{};
  std::vector<Constraint> constraints{};
  std::vector<Derived> derived{};
  std::vector<Event> events{};  // in the order of the file
  Settings settings{};
  std::shared_ptr<const Design> design{};  // what could be measured next, where the file says so
  std::optional<PetabOrigin> petab{};
  std::vector<std::string> remarks{};  // what was assumed, e.g. that a noise is estimated
  Issues warnings{};
};

// States that have a formula of their own: all but the cells of fields, which are the last ones.
std::size_t ordinary_states(const Problem& problem);
// dx/dt of these, then what stencils have.
std::vector<NodeId> equations(const Problem& problem);

// Does the parameter belong to a network?
bool is_weight(const Problem& problem, int parameter);

// The coordinates at which the formula has a value each, as it speaks of fields or of themselves outside every
// integral, mean and place: bit i is Problem::space[i]. None: it has one value for all of space.
unsigned open_coordinates(const Problem& problem, NodeId formula);

inline constexpr const char* default_experiment = "default";

// --- scales --------------------------------------------------------------------------------------------------------

double to_scale(Scale scale, double value);           // user units -> the estimation scale
double from_scale(Scale scale, double scaled);        // back
double from_scale_slope(Scale scale, double scaled);  // d value / d scaled

}  // namespace salvo::model
