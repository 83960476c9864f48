#include "report/petab_tables.hpp"

#include <unordered_map>

#include "base/words.hpp"

namespace salvo::report {
namespace {

std::string line_of(const std::vector<std::string>& cells) {
  std::string line;
  for (const std::string& cell : cells) line += (&cell == &cells.front() ? "" : "\t") + cell;
  return line + "\n";
}

std::string text_of(const model::TextTable& table) {
  std::string text = line_of(table.header);
  for (const auto& row : table.rows) text += line_of(row);
  return text;
}

}  // namespace

std::string petab_parameters(const model::PetabOrigin& petab, const FitResult& result) {
  std::unordered_map<std::string, double> estimates;
  for (const Estimate& estimate : result.parameters) estimates.emplace(estimate.id, estimate.estimate);
  model::TextTable table = petab.parameters;
  const int id = table.column("parameterId");
  const int value = table.column("nominalValue");
  for (auto& row : table.rows)
    if (const auto found = estimates.find(row[id]); found != estimates.end()) row[value] = number_text(found->second);
  return text_of(table);
}

std::string petab_simulations(const model::PetabOrigin& petab, const FitResult& result) {
  model::TextTable table = petab.measurements;
  const int value = table.column("measurement");
  table.header[value] = "simulation";
  for (const Prediction& prediction : result.predictions)
    table.rows[static_cast<std::size_t>(prediction.row)][value] = number_text(prediction.simulation);
  return text_of(table);
}

}  // namespace salvo::report
