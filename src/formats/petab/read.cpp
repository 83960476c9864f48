#include "formats/petab/read.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "formats/petab/draft.hpp"
#include "formats/petab/files.hpp"
#include "formats/petab/observables.hpp"
#include "formats/petab/parameters.hpp"
#include "formats/petab/runs.hpp"
#include "formats/petab/words.hpp"
#include "formats/sbml/read.hpp"

namespace salvo::formats::petab {
namespace {

void read_tables(Draft& draft) {
  draft.parameters = read_table(draft.files.parameters, draft.source, draft.log);
  draft.conditions = read_table(draft.files.conditions, draft.source, draft.log);
  draft.observables = read_table(draft.files.observables, draft.source, draft.log);
  draft.measurements = read_table(draft.files.measurements, draft.source, draft.log);
  draft.experiments = read_table(draft.files.experiments, draft.source, draft.log);
  draft.mapping = read_table(draft.files.mappings, draft.source, draft.log);
}

void read_model(Draft& draft) {
  Result<sbml::Model> model = sbml::read_model(draft.files.model, draft.source);
  if (model) {
    draft.model = *std::move(model);
    return;
  }
  for (const Issue& issue : model.issues()) {
    if (issue.kind == Issue::Kind::unsupported)
      draft.unsupported.push_back(issue);
    else
      draft.log.add(issue);
  }
}

void read_mapping(Draft& draft) {
  const Table& table = draft.mapping;
  for (const Row& row : table.rows) {
    const std::string& name = table.text(row, table.column("petabEntityId"));
    const std::string& meant = table.text(row, table.column("modelEntityId"));
    if (meant.empty()) continue;  // an annotation
    if (draft.model.find(meant) < 0)
      draft.add(table, row, table.column("modelEntityId"),
                fmt::format("'{}' is not in the model", meant.substr(0, 60)));
    draft.model_names[name] = meant;
  }
}

// What the parameter table gives a value to keeps it in every run, before anything else is computed.
std::vector<sbml::Setting> given_by_parameters(Draft& draft) {
  std::vector<sbml::Setting> set;
  for (const model::Parameter& parameter : draft.problem.parameters)
    if (const int index = draft.quantity(parameter.id); index >= 0) set.push_back({index, parameter.symbol});
  return set;
}

// Does what is set after coming to rest depend on where it came to rest?
bool depends_on_rest(const Draft& draft, const Run& run) {
  std::vector<NodeId> values;
  for (const sbml::Setting& setting : run.periods.front().set) values.push_back(setting.value);
  for (const NodeId symbol : expression::symbols_of(draft.model.graph, values)) {
    const int index = draft.model.find(draft.model.graph.symbol_name(symbol));
    if (index >= 0 && !draft.model.quantities[index].constant) return true;
  }
  return false;
}

std::vector<sbml::Condition> conditions_of(Draft& draft, const Runs& runs) {
  const std::vector<sbml::Setting> given = given_by_parameters(draft);
  std::vector<sbml::Condition> conditions;
  for (const Run& run : runs.all) {
    sbml::Condition condition{.id = run.id, .start = run.periods.front().time, .set = given};
    // What depends on the end of a rest, and what may cause events there, is set at once, like what later periods set.
    const bool is_change =
        run.equilibrate && !run.at_rest && (depends_on_rest(draft, run) || !draft.model.events.empty());
    if (!is_change)
      condition.set.insert(condition.set.end(), run.periods.front().set.begin(), run.periods.front().set.end());
    if (run.equilibrate) {
      condition.rest = given;
      condition.rest->insert(condition.rest->end(), run.equilibrate->begin(), run.equilibrate->end());
      // In version 1 a condition states all that differs from the model; in version 2, what differs from the period
      // before.
      if (draft.version == Version::two) condition.lasting = *run.equilibrate;
      condition.stays_at_rest = run.at_rest;
      condition.rest_of = run.rest_of;
      if (run.at_rest && depends_on_rest(draft, run))
        draft.refuse("a steady state (time inf) after a condition that depends on the state before it");
    }
    for (std::size_t i = is_change ? 0 : 1; i < run.periods.size(); ++i)
      condition.changes.push_back({.time = run.periods[i].time, .set = run.periods[i].set});
    conditions.push_back(std::move(condition));
  }
  return conditions;
}

// The formulas of the tables come last: they speak of what the model has become.
void read_all(Draft& draft) {
  read_tables(draft);
  if (!draft.files.model.empty()) read_model(draft);
  if (!draft.log.empty() || !draft.unsupported.empty()) return;
  read_mapping(draft);
  read_parameters(draft);
  const Runs runs = read_runs(draft);
  const std::vector<ObservableRow> observables = read_observables(draft);
  if (!draft.log.empty()) return;
  const std::vector<sbml::Condition> conditions = conditions_of(draft, runs);
  sbml::Resolver resolver(draft.model.graph);
  for (const Issue& issue : sbml::put_into_problem(draft.model, draft.files.model, conditions, draft.problem, resolver))
    issue.kind == Issue::Kind::unsupported ? draft.unsupported.push_back(issue) : draft.log.add(issue);
  if (!draft.log.empty() || !draft.unsupported.empty()) return;
  read_measurements(draft, observables, runs, resolver);
}

Result<model::Problem> finished(Draft& draft, const std::string& file) {
  model::Problem& problem = draft.problem;
  problem.file = file;
  problem.title = std::filesystem::path(file).stem().string();
  problem.data_files = draft.files.measurements;
  problem.petab = model::PetabOrigin{.version = draft.version_text,
                                     .parameters = draft.parameters.as_written(),
                                     .measurements = draft.measurements.as_written()};
  problem.graph = std::move(draft.model.graph);
  return std::move(problem);
}

}  // namespace

Result<model::Problem> read_problem(const TextFile& file, const yaml::Node& root, FileSource& source) {
  Draft draft(file.name, source);
  read_files(draft, root);
  if (draft.log.empty() && draft.unsupported.empty()) read_all(draft);
  if (!draft.log.empty()) return shorten(draft.log.issues(), draft.log.left_out());
  if (!draft.unsupported.empty()) return draft.unsupported;
  return finished(draft, file.name);
}

}  // namespace salvo::formats::petab
