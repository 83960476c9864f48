#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "estimate/quantities.hpp"
#include "estimate/ways/found.hpp"
#include "estimate/ways/trajectory.hpp"

namespace salvo::estimate {
namespace {

// Another point that may be as good as the answer, because the equations do not tell them apart.
struct Image {
  nlp::Point q{};
  std::string words{};
};

bool is_within(const nlp::Layout& layout, const nlp::Point& q) {
  for (std::size_t i = 0; i < q.size(); ++i)
    if (q[i] < layout.lower[i] || q[i] > layout.upper[i]) return false;
  return true;
}

// Signs turned, where the scale has two and the data see the quantity, and quantities of one scale exchanged.
std::vector<Image> images_of(const shooting::ShootingProblem& shooting, const Answer& answer, double same) {
  const nlp::Point& q = answer.estimates;
  const std::vector<bool> unseen = unseen_quantities(answer, same);
  const nlp::Layout& layout = shooting.layout();
  const std::vector<Quantity> all = quantities(shooting);
  std::vector<Image> images;
  const auto add = [&](Image image) {
    if (is_within(layout, image.q)) images.push_back(std::move(image));
  };
  const auto is_noise = [&](int i) { return i < layout.thetas && layout.noise_only[i]; };
  for (int i = 0; i < static_cast<int>(all.size()); ++i) {
    if (is_noise(i) || all[i].estimated->scale != model::Scale::lin || q[i] == 0 || unseen[i]) continue;
    Image image{q, fmt::format("{} has the other sign", all[i].id)};
    image.q[i] = -q[i];
    add(std::move(image));
  }
  for (int i = 0; i < layout.thetas; ++i)
    for (int j = i + 1; j < layout.thetas; ++j) {
      const bool is_value = all[i].estimated->scale == model::Scale::lin;
      const double unit = is_value ? std::max(std::abs(q[i]), std::abs(q[j])) : 1;
      if (is_noise(i) || is_noise(j) || all[i].estimated->scale != all[j].estimated->scale) continue;
      if (std::abs(q[i] - q[j]) <= same * unit) continue;
      Image image{q, fmt::format("{} and {} are exchanged", all[i].id, all[j].id)};
      std::swap(image.q[i], image.q[j]);
      add(std::move(image));
    }
  return images;
}

// The look costs at most as much again as the fit has: images that are as good as they stand come first, then descents
// from the others, which find what else has to be exchanged.
std::vector<Found> look_into_mirror(const WayTask& task) {
  std::vector<Found> out;
  const Workspace& workspace = task.workspace;
  if (!workspace.problem().networks.empty() || !workspace.problem().constraints.empty()) return out;
  RunContext context = task.context;
  context.share.until = std::min(task.look.until, 2 * workspace.ledger().spent());
  Setup setup = make_setup(workspace, task.planned.discretisation);
  if (!is_point_of(*setup.shooting, task.best->estimates)) return out;
  const AnswerRules& rules = workspace.rules().answer;
  nlp::Request request = task.best->run.request;
  request.accuracy = 0;
  setup.solve.request.stiff = request.stiff;
  std::vector<Image> worse;
  const auto follow = [&](const Image& image) {
    solve::SolveResult end = descend_precisely(setup, image.q, context, {.stiff = request.stiff});
    if (end.trace.empty() || end.objective > task.best->run.objective + rules.told) return;
    Found one = found(task, on_same_nodes(setup), std::move(end));
    one.answer.mirrored = image.words;
    out.push_back(std::move(one));
  };
  nlp::Blocks blocks;
  for (Image& image : images_of(*setup.shooting, *task.best, rules.same)) {
    if (context.should_stop() || context.is_spent()) return out;
    if (!setup.shooting->values(image.q, request, blocks).ok) continue;
    const bool is_as_good = std::abs(blocks.objective - task.best->run.objective) <= rules.better;
    if (is_as_good)
      follow(image);
    else
      worse.push_back(std::move(image));
  }
  for (const Image& image : worse)
    if (!context.should_stop() && !context.is_spent()) follow(image);
  return out;
}

}  // namespace

const Way mirror{.name = "mirror", .says = "mirror images", .is_unbroken = true, .run = look_into_mirror};

}  // namespace salvo::estimate
