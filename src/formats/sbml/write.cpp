#include "formats/sbml/write.hpp"

#include <algorithm>

#include "formats/sbml/library.hpp"

namespace salvo::formats::sbml {
namespace {

// libsbml goes into formulas by calls within calls.
constexpr int deepest_formula = 2000;

int depth_of(const expression::Graph& graph) {
  std::vector<int> depth(static_cast<std::size_t>(graph.size()), 0);
  int deepest = 0;
  for (NodeId id = 0; id < graph.size(); ++id) {
    for (int i = 0; i < expression::argument_count(graph[id].op); ++i)
      depth[id] = std::max(depth[id], depth[graph[id].arguments[i]] + 1);
    deepest = std::max(deepest, depth[id]);
  }
  return deepest;
}

}  // namespace

Result<std::string> write_model(const Model& model) {
  if (library().write == nullptr)
    return Issue{.kind = Issue::Kind::unreadable, .message = "SBML cannot be written: " + library().trouble};
  if (depth_of(model.graph) > deepest_formula)
    return Issue{
        .kind = Issue::Kind::unsupported, .message = "formulas that are nested so deeply in SBML", .is_feature = true};
  WriterRequest request{.model = &model};
  library().write(request);
  return std::move(request.text);
}

}  // namespace salvo::formats::sbml
