#include "formats/petab/observables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numbers>

#include "base/words.hpp"
#include "expression/parse.hpp"
#include "formats/petab/words.hpp"

namespace salvo::formats::petab {
namespace {

using expression::no_node;
using model::Distribution;

class ObservableReader {
 public:
  explicit ObservableReader(Draft& draft) : draft_(draft), table_(draft.observables) {}

  std::vector<ObservableRow> read() {
    for (const char* name : {"observableId", "observableFormula", "noiseFormula"})
      if (!table_.files.empty() && table_.column(name) < 0)
        draft_.log.add({.file = table_.files[0],
                        .line = 1,
                        .column = 1,
                        .message = fmt::format("the column '{}' is missing", name)});
    std::vector<ObservableRow> out;
    if (!draft_.log.empty()) return out;
    std::set<std::string> ids;
    for (const Row& row : table_.rows) {
      out.push_back(read_row(row));
      if (!ids.insert(out.back().id).second) complain(row, "observableId", "the observable is there twice");
    }
    return out;
  }

 private:
  using Names = std::map<std::string, NodeId>;

  const std::string& text(const Row& row, const char* name) const { return table_.text(row, table_.column(name)); }
  void complain(const Row& row, const char* name, const std::string& message, const std::string& hint = {}) {
    draft_.add(table_, row, table_.column(name), message, hint);
  }

  ObservableRow read_row(const Row& row) {
    ObservableRow out{.id = text(row, "observableId")};
    if (!expression::is_name(out.id))
      complain(row, "observableId", fmt::format("'{}' cannot be a name", out.id.substr(0, 60)));
    Names names;
    if (draft_.version == Version::one) {
      out.observable_placeholders = numbered(row, "observableParameter", out.id, names);
      out.noise_placeholders = numbered(row, "noiseParameter", out.id, names);
    } else {
      out.observable_placeholders = listed(row, "observablePlaceholders", names);
      out.noise_placeholders = listed(row, "noisePlaceholders", names);
    }
    out.formula = draft_.formula(table_, row, table_.column("observableFormula"),
                                 fmt::format("the observable {}", out.id), names);
    if (out.formula == no_node) return out;
    names.emplace(out.id, out.formula);
    out.noise =
        draft_.formula(table_, row, table_.column("noiseFormula"), fmt::format("the noise of {}", out.id), names);
    read_distribution(row, out);
    return out;
  }

  // observableParameter1_obs, observableParameter2_obs, ... as far as the formulas name them.
  std::vector<NodeId> numbered(const Row& row, const std::string& word, const std::string& id, Names& names) {
    int count = 0;
    for (const char* column : {"observableFormula", "noiseFormula"}) {
      const auto parsed = expression::parse(draft_.model.graph, text(row, column));
      const auto* read = std::get_if<expression::Formula>(&parsed);
      if (read == nullptr) continue;
      for (const expression::NameUse& use : read->names) {
        if (!use.name.starts_with(word) || !use.name.ends_with("_" + id)) continue;
        const std::size_t digits = use.name.size() - word.size() - id.size() - 1;
        const auto number = parse_number(use.name.substr(word.size(), digits));
        if (number && *number >= 1 && *number <= 1000) count = std::max(count, static_cast<int>(*number));
      }
    }
    std::vector<NodeId> nodes;
    for (int n = 1; n <= count; ++n) nodes.push_back(placeholder(fmt::format("{}{}_{}", word, n, id), id, names));
    return nodes;
  }

  std::vector<NodeId> listed(const Row& row, const char* column, Names& names) {
    std::vector<NodeId> nodes;
    for (const std::string& name : split(text(row, column)))
      nodes.push_back(placeholder(name, text(row, "observableId"), names));
    return nodes;
  }

  NodeId placeholder(const std::string& name, const std::string& of, Names& names) {
    const NodeId node = draft_.model.graph.symbol(fmt::format("placeholder {} of {}", name, of));
    names[name] = node;
    return node;
  }

  void read_distribution(const Row& row, ObservableRow& out) {
    const std::string& law = text(row, "noiseDistribution");
    const std::string& transformation = text(row, "observableTransformation");
    if (draft_.version == Version::two) {
      const auto known = model::from_name<Distribution>(law.empty() ? "normal" : law);
      if (!known)
        complain(row, "noiseDistribution", fmt::format("unknown distribution '{}'", law.substr(0, 40)),
                 "known: normal, log-normal, laplace, log-laplace");
      out.distribution = known.value_or(Distribution::normal);
      return;
    }
    if (!law.empty() && law != "normal" && law != "laplace")
      complain(row, "noiseDistribution", fmt::format("unknown distribution '{}'", law.substr(0, 40)),
               "known: normal, laplace");
    if (!transformation.empty() && transformation != "lin" && transformation != "log" && transformation != "log10")
      complain(row, "observableTransformation",
               fmt::format("unknown transformation '{}'", transformation.substr(0, 40)), "known: lin, log, log10");
    const bool is_log = transformation == "log" || transformation == "log10";
    if (law == "laplace")
      out.distribution = is_log ? Distribution::log_laplace : Distribution::laplace;
    else
      out.distribution = is_log ? Distribution::log_normal : Distribution::normal;
    // Noise of decadic logarithms is ln 10 times as much of natural ones, and the likelihood is the same.
    if (transformation == "log10") out.noise_unit = std::numbers::ln10;
  }

  Draft& draft_;
  const Table& table_;
};

}  // namespace

std::vector<ObservableRow> read_observables(Draft& draft) { return ObservableReader(draft).read(); }

}  // namespace salvo::formats::petab
