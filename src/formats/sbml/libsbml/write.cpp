#include <sbml/SBMLTypes.h>

#include <memory>

#include "formats/sbml/libsbml/entry.hpp"
#include "formats/sbml/libsbml/math_writer.hpp"

namespace salvo::formats::sbml {
namespace {

using expression::no_node;

class ModelWriter {
 public:
  ModelWriter(const Model& source, ::Model& to) : source_(source), to_(to), math_(source) {}

  void write() {
    to_.setId(source_.id);
    for (const Quantity& quantity : source_.quantities) write_quantity(quantity);
    for (const Event& event : source_.events) write_event(event);
  }

 private:
  void write_quantity(const Quantity& quantity) {
    ::Parameter& parameter = *to_.createParameter();
    parameter.setId(quantity.id);
    parameter.setConstant(quantity.constant);
    if (quantity.value) parameter.setValue(*quantity.value);
    if (quantity.initial_assignment != no_node) {
      ::InitialAssignment& assignment = *to_.createInitialAssignment();
      assignment.setSymbol(quantity.id);
      assignment.setMath(math_.write(quantity.initial_assignment, &quantity).get());
    }
    if (quantity.assignment != no_node) write_rule(*to_.createAssignmentRule(), quantity, quantity.assignment);
    if (quantity.algebraic != no_node) to_.createAlgebraicRule()->setMath(math_.write(quantity.algebraic).get());
    if (quantity.rate != no_node) write_rule(*to_.createRateRule(), quantity, quantity.rate);
  }

  void write_rule(::Rule& rule, const Quantity& quantity, NodeId formula) {
    rule.setVariable(quantity.id);
    rule.setMath(math_.write(formula, &quantity).get());
  }

  void write_event(const Event& event) {
    ::Event& out = *to_.createEvent();
    out.setId(event.id);
    out.setUseValuesFromTriggerTime(true);
    ::Trigger& trigger = *out.createTrigger();
    trigger.setInitialValue(event.true_before);
    trigger.setPersistent(true);
    trigger.setMath(math_.write(event.trigger).get());
    for (const Setting& setting : event.set) {
      ::EventAssignment& assignment = *out.createEventAssignment();
      assignment.setVariable(source_.quantities[setting.quantity].id);
      assignment.setMath(math_.write(setting.value).get());
    }
  }

  const Model& source_;
  ::Model& to_;
  MathWriter math_;
};

}  // namespace

extern "C" __attribute__((visibility("default"))) void salvo_sbml_write(WriterRequest& request) {
  constexpr unsigned level = 3;
  constexpr unsigned version = 2;
  SBMLDocument document(level, version);
  ModelWriter(*request.model, *document.createModel()).write();
  SBMLWriter writer;
  request.text = writer.writeSBMLToStdString(&document);
}

}  // namespace salvo::formats::sbml
