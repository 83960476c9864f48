#include "formats/sbml/events.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace salvo::formats::sbml {
namespace {

using expression::Graph;
using expression::no_node;
using expression::Op;

class Arranger {
 public:
  Arranger(Model& model, double start) : model_(model), graph_(model.graph), start_(start) {
    for (const Event& event : model.events)
      for (const Setting& setting : event.set) set_by_events_.insert(setting.quantity);
  }

  std::string run() {
    std::vector<Event> all;
    for (const Event& event : model_.events)
      if (event.delay == no_node)
        all.push_back(event);
      else if (!split(event, all))
        return "delays of events whose trigger is not a comparison of the time with constants";
    model_.events.clear();
    while (!all.empty()) {
      const auto belongs = [first = all.front()](const Event& event) {
        return event.trigger == first.trigger && event.true_before == first.true_before;
      };
      const auto others = std::stable_partition(all.begin(), all.end(), belongs);
      if (!join({all.begin(), others})) return "simultaneous events whose order matters";
      all.erase(all.begin(), others);
    }
    return {};
  }

 private:
  // --- delays --------------------------------------------------------------------------------------------------------

  bool is_constant(NodeId formula) const {
    for (const NodeId symbol : expression::symbols_of(graph_, {&formula, 1})) {
      const int index = model_.find(graph_.symbol_name(symbol));
      if (index < 0 || set_by_events_.contains(index)) return false;
      const Quantity& quantity = model_.quantities[index];
      if (quantity.assignment != no_node || quantity.rate != no_node) return false;
      if (quantity.kind == Quantity::Kind::species && !quantity.constant) return false;
    }
    return true;
  }

  // The trigger c < time or c <= time turns true once: the event acts at c + delay, or later by what c lies before the
  // start, where it counts as false until then.
  bool split(const Event& event, std::vector<Event>& to) {
    const expression::Node& trigger = graph_[event.trigger];
    const bool is_time = (trigger.op == Op::less || trigger.op == Op::less_equal) &&
                         trigger.arguments[1] == model_.time && is_constant(trigger.arguments[0]);
    if (!is_time || !is_constant(event.delay)) return false;
    const NodeId turn = trigger.arguments[0];
    const NodeId start = graph_.constant(start_);
    const NodeId from = event.true_before ? turn : graph_.make(Op::maximum, turn, start);
    NodeId due = graph_.make(Op::less_equal, graph_.add(from, event.delay), model_.time);
    if (event.true_before) {  // what is true from the start does not turn
      const NodeId turns = graph_.make(trigger.op == Op::less ? Op::less_equal : Op::less, start, turn);
      if (graph_.is_constant(turns, 0)) return true;
      if (!graph_.is_constant(turns)) due = graph_.make(Op::logical_and, turns, due);
    }
    Event keeping{.id = event.id, .trigger = event.trigger, .true_before = event.true_before};
    Event acting = event;
    acting.trigger = due;
    acting.true_before = true;
    acting.delay = no_node;
    for (Setting& setting : acting.set) {
      if (!event.values_from_trigger_time || is_constant(setting.value)) continue;
      const int kept = add_kept_value(model_.quantities[setting.quantity].id);
      keeping.set.push_back({kept, setting.value});
      setting.value = model_.quantities[kept].symbol;
    }
    if (!keeping.set.empty()) to.push_back(std::move(keeping));
    to.push_back(std::move(acting));
    return true;
  }

  int add_kept_value(const std::string& of) {
    std::string id = of + "_kept";
    while (graph_.find_symbol(id)) id += '_';
    const int index = static_cast<int>(model_.quantities.size());
    model_.quantities.push_back({.id = id, .symbol = graph_.symbol(id), .value = 0, .constant = false});
    model_.places.emplace(id, index);
    return index;
  }

  // --- one after the other
  // ---------------------------------------------------------------------------------------------

  bool uses(NodeId formula, const Event& other) const {
    const std::vector<NodeId> symbols = expression::symbols_of(graph_, {&formula, 1});
    return std::any_of(symbols.begin(), symbols.end(), [&](NodeId symbol) {
      const int index = model_.find(graph_.symbol_name(symbol));
      // What follows from others by a rule may follow from what is set.
      return index < 0 ? symbol != model_.time : model_.quantities[index].assignment != no_node || sets(other, index);
    });
  }
  static bool sets(const Event& event, int quantity) {
    return std::any_of(event.set.begin(), event.set.end(),
                       [&](const Setting& setting) { return setting.quantity == quantity; });
  }

  // Does it matter to `event` that `other` acts before it? Not by its values, if these are from before both.
  bool is_touched_by(const Event& event, const Event& other) const {
    if (!event.persistent && uses(event.trigger, other)) return true;
    if (event.values_from_trigger_time) return false;
    return std::any_of(event.set.begin(), event.set.end(),
                       [&](const Setting& setting) { return uses(setting.value, other); });
  }

  // One event in place of those with the same trigger; false where the outcome is open or cannot be said.
  bool join(const std::vector<Event>& events) {
    Event all = events.front();
    all.set.clear();
    for (const Event& event : events) {
      for (const Event& other : events)
        if (&event != &other && is_touched_by(event, other)) return false;
      for (const Setting& setting : event.set) {
        if (sets(all, setting.quantity)) continue;
        const auto last = last_value(events, setting.quantity);
        if (!last) return false;
        all.set.push_back({setting.quantity, *last});
      }
    }
    model_.events.push_back(std::move(all));
    return true;
  }

  // What the event with the lowest priority sets it to, since that acts last; nothing if it is open which one does.
  static std::optional<NodeId> last_value(const std::vector<Event>& events, int quantity) {
    std::optional<NodeId> value;
    std::optional<double> lowest;
    bool is_open = false;
    for (const Event& event : events)
      for (const Setting& setting : event.set) {
        if (setting.quantity != quantity) continue;
        const bool is_first = !value;
        if (!is_first && *value != setting.value) is_open |= !lowest || !event.priority || *lowest == *event.priority;
        if (is_first || (lowest && event.priority && *event.priority < *lowest)) {
          value = setting.value;
          lowest = event.priority;
        }
      }
    return is_open ? std::nullopt : value;
  }

  Model& model_;
  Graph& graph_;
  double start_;
  std::set<int> set_by_events_;
};

}  // namespace

std::string arrange_events(Model& model, double start) { return Arranger(model, start).run(); }

}  // namespace salvo::formats::sbml
