#include "formats/sbml/events.hpp"

#include <algorithm>
#include <limits>
#include <set>

namespace salvo::formats::sbml {
namespace {

using expression::Graph;
using expression::no_node;
using expression::Op;

constexpr double never = 1e30;    // a time that does not come
constexpr int most_waiting = 10;  // triggers of one event that wait at once

class Arranger {
 public:
  Arranger(Model& model, std::optional<double> start)
      : model_(model), graph_(model.graph), start_(start), events_(std::move(model.events)) {
    for (const Event& event : events_)
      for (const Setting& setting : event.set) set_by_events_.insert(setting.quantity);
  }

  std::string run() {
    const std::string refused = has_open_order()       ? "simultaneous events whose order matters"
                                : has_negative_delay() ? "a negative delay of an event"
                                                       : "";
    has_priorities_ = events_.size() > 1 && std::any_of(events_.begin(), events_.end(),
                                                        [](const Event& event) { return event.priority != no_node; });
    model_.events.clear();
    if (has_priorities_ || !join_all())
      for (const Event& event : events_) arrange(event);
    return refused;
  }

 private:
  bool has_negative_delay() const {
    return std::any_of(events_.begin(), events_.end(), [&](const Event& event) {
      if (event.delay == no_node || !is_constant(event.delay)) return false;
      Graph scratch = graph_;
      std::vector<NodeId> from, to;
      for (const Quantity& quantity : model_.quantities) {
        if (!quantity.value || quantity.initial_assignment != no_node) continue;
        from.push_back(quantity.symbol);
        to.push_back(scratch.constant(*quantity.value));
      }
      const NodeId value = expression::substitute(scratch, {&event.delay, 1}, from, to)[0];
      return scratch.is_constant(value) && scratch[value].value < 0;
    });
  }

  // Events that were triggered together, and wait equally long, act together.
  bool has_open_order() const {
    for (const Event& a : events_)
      for (const Event& b : events_) {
        if (&a == &b || a.delay == no_node || a.delay != b.delay || a.trigger != b.trigger) continue;
        if (a.priority != b.priority && a.priority != no_node && b.priority != no_node) continue;
        const bool is_cancelled = !a.persistent && uses(a.trigger, b);
        const bool takes_what_b_sets = std::any_of(a.set.begin(), a.set.end(), [&](const Setting& setting) {
          const auto same = [&](const Setting& other) {
            return other.quantity == setting.quantity && other.value != setting.value;
          };
          return std::any_of(b.set.begin(), b.set.end(), same) ||
                 (!a.values_from_trigger_time && uses(setting.value, b));
        });
        if (is_cancelled || takes_what_b_sets) return true;
      }
    return false;
  }

  // --- what an event depends on --------------------------------------------------------------------------------------

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

  // --- events with the same trigger ----------------------------------------------------------------------------------

  // One event in place of those with the same trigger, all with values from before; false where their order matters.
  bool join_all() {
    std::vector<Event> joined;
    for (const Event& event : events_) {
      const auto with = std::find_if(joined.begin(), joined.end(), [&](const Event& other) {
        return event.delay == no_node && other.delay == no_node && event.trigger == other.trigger &&
               event.true_before == other.true_before;
      });
      if (with == joined.end()) {
        joined.push_back(event);
        continue;
      }
      if (!with->persistent || !event.persistent) return false;
      for (const Setting& setting : event.set)
        if (sets(*with, setting.quantity) || (!event.values_from_trigger_time && uses(setting.value, *with)))
          return false;
      for (const Setting& setting : with->set)
        if (!with->values_from_trigger_time && uses(setting.value, event)) return false;
      with->set.insert(with->set.end(), event.set.begin(), event.set.end());
    }
    events_ = std::move(joined);
    for (const Event& event : events_)
      if (event.delay == no_node)
        model_.events.push_back(event);
      else
        arrange(event);
    return true;
  }

  // --- one event -----------------------------------------------------------------------------------------------------

  void arrange(const Event& event) {
    if (event.delay != no_node) {
      if (!delay_known_time(event)) delay(event);
    } else if (event.values_from_trigger_time && is_touched(event)) {
      Event keeping = helper(event, event.trigger);
      keeping.true_before = event.true_before;
      Event acting = event;
      keep_values(acting, keeping);
      add(std::move(keeping));
      add(std::move(acting));
    } else {
      add(event);
    }
  }

  // Another event may act between the trigger of this one and its own action; or this one itself, where others of a
  // higher priority turn its trigger several times before it comes to act.
  bool is_touched(const Event& event) const {
    return std::any_of(events_.begin(), events_.end(), [&](const Event& other) {
      if (&other == &event && !(has_priorities_ && event.persistent && event.delay == no_node)) return false;
      return (event.delay != no_node && uses(event.delay, other)) ||
             std::any_of(event.set.begin(), event.set.end(),
                         [&](const Setting& setting) { return uses(setting.value, other); });
    });
  }

  // An event that changes nothing but what belongs to another: it acts before all that could touch it.
  Event helper(const Event& of, NodeId trigger) {
    Event out{.id = of.id, .trigger = trigger};
    if (has_priorities_ || is_touched(of)) out.priority = graph_.constant(std::numeric_limits<double>::infinity());
    return out;
  }

  void add(Event event) {
    if (!event.set.empty()) model_.events.push_back(std::move(event));
  }

  int add_quantity(const std::string& name, double value) {
    std::string id = name;
    for (int number = 2; graph_.find_symbol(id); ++number) id = name + "_" + std::to_string(number);
    const int index = static_cast<int>(model_.quantities.size());
    model_.quantities.push_back({.id = id, .symbol = graph_.symbol(id), .value = value, .constant = false});
    model_.places.emplace(id, index);
    return index;
  }

  // `keeping` computes what `acting` sets.
  void keep_values(Event& acting, Event& keeping, NodeId is_kept = no_node) {
    for (Setting& setting : acting.set) {
      if (is_constant(setting.value)) continue;
      const int kept = add_quantity(model_.quantities[setting.quantity].id + "_kept", 0);
      const NodeId symbol = model_.quantities[kept].symbol;
      keeping.set.push_back(
          {kept, is_kept == no_node ? setting.value : graph_.make(Op::select, is_kept, setting.value, symbol)});
      setting.value = symbol;
    }
  }

  // --- delays --------------------------------------------------------------------------------------------------------

  // The trigger c < time or c <= time turns true once: the event acts at c + delay, or later by what c lies before the
  // start, where it counts as false until then.
  bool delay_known_time(const Event& event) {
    const expression::Node& trigger = graph_[event.trigger];
    const bool is_time = (trigger.op == Op::less || trigger.op == Op::less_equal) &&
                         trigger.arguments[1] == model_.time && is_constant(trigger.arguments[0]);
    if (!start_ || !is_time || !is_constant(event.delay)) return false;
    const NodeId turn = trigger.arguments[0];
    const NodeId start = graph_.constant(*start_);
    const NodeId from = event.true_before ? turn : graph_.make(Op::maximum, turn, start);
    NodeId due = graph_.make(Op::less_equal, graph_.add(from, event.delay), model_.time);
    if (event.true_before) {  // what is true from the start does not turn
      const NodeId turns = graph_.make(trigger.op == Op::less ? Op::less_equal : Op::less, start, turn);
      if (graph_.is_constant(turns, 0)) return true;
      if (!graph_.is_constant(turns)) due = graph_.make(Op::logical_and, turns, due);
    }
    Event keeping = helper(event, event.trigger);
    keeping.true_before = event.true_before;
    Event acting = event;
    acting.trigger = due;
    acting.true_before = true;
    acting.delay = no_node;
    if (event.values_from_trigger_time) keep_values(acting, keeping);
    add(std::move(keeping));
    add(std::move(acting));
    return true;
  }

  // Each turn of the trigger takes a place in which it waits for its time. A trigger that must stay true cannot turn
  // again before it is done with; others may wait several at once, whose places are taken in turn.
  void delay(const Event& event) {
    const int places = event.persistent ? most_waiting : 1;
    const std::string name = event.id.empty() ? "event" : event.id;
    const int turn = places > 1 ? add_quantity(name + "_turn", 0) : -1;
    Event keeping = helper(event, event.trigger);
    keeping.true_before = event.true_before;
    Event cancelling = helper(event, graph_.make(Op::logical_not, event.trigger));
    std::vector<Event> all;
    for (int place = 0; place < places; ++place) {
      const int due = add_quantity(name + "_due", never);
      const NodeId due_at = model_.quantities[due].symbol;
      const NodeId is_taken =
          turn < 0 ? no_node : graph_.make(Op::equal, model_.quantities[turn].symbol, graph_.constant(place));
      keeping.set.push_back({due, due_time(event, due_at, is_taken)});
      cancelling.set.push_back({due, graph_.constant(never)});
      Event acting = event;
      acting.trigger = graph_.make(Op::less_equal, due_at, model_.time);
      acting.true_before = true;
      acting.persistent = false;
      acting.delay = no_node;
      if (event.values_from_trigger_time) keep_values(acting, keeping, is_taken);
      acting.set.push_back({due, graph_.constant(never)});
      all.push_back(std::move(acting));
    }
    if (turn >= 0) {
      const NodeId next = graph_.add(model_.quantities[turn].symbol, graph_.constant(1));
      const NodeId is_last = graph_.make(Op::less_equal, graph_.constant(places), next);
      keeping.set.push_back({turn, graph_.make(Op::select, is_last, graph_.constant(0), next)});
    }
    add(std::move(keeping));
    if (!event.persistent) add(std::move(cancelling));
    for (Event& acting : all) add(std::move(acting));
  }

  // A place that is still taken when its turn comes again is an event too many: its time is no number, and says so. So
  // does a delay that turns out to be negative.
  NodeId due_time(const Event& event, NodeId due_at, NodeId is_taken) {
    const NodeId no_number = graph_.constant(std::numeric_limits<double>::quiet_NaN());
    const NodeId waits = graph_.make(Op::less_equal, graph_.constant(0), event.delay);
    const NodeId due = graph_.make(Op::select, waits, graph_.add(model_.time, event.delay), no_number);
    if (is_taken == no_node) return due;
    const NodeId is_free = graph_.make(Op::less_equal, graph_.constant(never), due_at);
    return graph_.make(Op::select, is_taken, graph_.make(Op::select, is_free, due, no_number), due_at);
  }

  Model& model_;
  Graph& graph_;
  std::optional<double> start_;
  std::vector<Event> events_;  // of the file
  std::set<int> set_by_events_;
  bool has_priorities_ = false;
};

}  // namespace

std::string arrange_events(Model& model, std::optional<double> start) { return Arranger(model, start).run(); }

}  // namespace salvo::formats::sbml
