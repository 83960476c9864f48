#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "estimate/quantities.hpp"
#include "estimate/ways/aliases.hpp"
#include "estimate/ways/found.hpp"
#include "estimate/ways/trajectory.hpp"

namespace salvo::estimate {
namespace {

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
// from the others, which find what else has to be exchanged. Aliases may cost a little in any case: one of them may be
// the answer.
class Mirror {
 public:
  explicit Mirror(const WayTask& task)
      : task_(task),
        workspace_(task.workspace),
        rules_(workspace_.rules().answer),
        setup_(make_setup(workspace_, task.planned.discretisation)) {
    request_ = task.best->run.request;
    request_.accuracy = 0;
    setup_.solve.request.stiff = request_.stiff;
  }

  std::vector<Found> look() {
    if (!is_point_of(*setup_.shooting, task_.best->estimates)) return {};
    const double spent = workspace_.ledger().spent();
    const RunContext for_aliases = within(spent + std::max(spent, workspace_.rules().account.cheap));
    std::vector<Image> aliases;
    for (Image& alias : aliases_of(*setup_.shooting, task_.best->estimates, request_, rules_, for_aliases))
      if (is_within(setup_.shooting->layout(), alias.q)) aliases.push_back(std::move(alias));
    look_at(std::move(aliases), for_aliases);
    look_at(images_of(*setup_.shooting, *task_.best, rules_.same), within(2 * spent));
    return std::move(out_);
  }

 private:
  RunContext within(double until) const {
    RunContext context = task_.context;
    context.share.until = std::min(task_.look.until, until);
    return context;
  }
  void look_at(std::vector<Image> images, const RunContext& context) {
    std::vector<Image> worse;
    nlp::Blocks blocks;
    for (Image& image : images) {
      if (context.should_stop() || context.is_spent()) return;
      if (!setup_.shooting->values(image.q, request_, blocks).ok) continue;
      if (std::abs(blocks.objective - task_.best->run.objective) <= rules_.better)
        follow(image, context);
      else
        worse.push_back(std::move(image));
    }
    for (const Image& image : worse)
      if (!context.should_stop() && !context.is_spent()) follow(image, context);
  }
  void follow(const Image& image, const RunContext& context) {
    solve::SolveResult end = descend_precisely(setup_, image.q, context, {.stiff = request_.stiff});
    if (end.trace.empty() || end.objective > task_.best->run.objective + rules_.told) return;
    Found one = found(task_, on_same_nodes(setup_), std::move(end));
    if (is_still(image, one.answer.estimates)) one.answer.mirrored = image.words;
    out_.push_back(std::move(one));
  }

  // The descent may have led to another answer, of which the image tells nothing.
  bool is_still(const Image& image, const std::vector<double>& end) const {
    constexpr double stayed = 0.1;  // of the way from the answer to its image
    const std::vector<double>& from = task_.best->estimates;
    for (std::size_t i = 0; i < from.size(); ++i)
      if (image.q[i] != from[i] && std::abs(end[i] - image.q[i]) > stayed * std::abs(image.q[i] - from[i]))
        return false;
    return true;
  }

  const WayTask& task_;
  const Workspace& workspace_;
  const AnswerRules& rules_;
  Setup setup_;
  nlp::Request request_{};
  std::vector<Found> out_{};
};

std::vector<Found> look_into_mirror(const WayTask& task) {
  const model::Problem& problem = task.workspace.problem();
  if (!problem.networks.empty() || !problem.constraints.empty()) return {};
  return Mirror(task).look();
}

}  // namespace

const Way mirror{.name = "mirror", .says = "mirror images", .is_unbroken = true, .run = look_into_mirror};

}  // namespace salvo::estimate
