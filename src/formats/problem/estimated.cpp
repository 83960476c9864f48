#include "formats/problem/estimated.hpp"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "formats/problem/prior.hpp"
#include "formats/problem/values.hpp"

namespace salvo::formats {
namespace {

using model::Estimated;
using model::Scale;
using yaml::Node;

// With many starts (--starts), initial values are drawn as their data say: `starts` is for parameters.
const std::vector<std::string> options_of_initial_values{"guess", "bounds", "scale", "prior", "unit", "label"};
const std::vector<std::string> options_of_parameters{"guess", "bounds", "scale", "prior", "starts", "unit", "label"};

// The steps return whether all went well; Issues are added by them.
class EstimatedReader {
 public:
  EstimatedReader(Draft& draft, const Node& map, const std::string& id) : draft_(draft), map_(map), id_(id) {}

  std::optional<Estimated> read(Guess guess) {
    check_options(draft_, map_, id_, guess == Guess::needed ? options_of_parameters : options_of_initial_values);
    bool good = read_scale();
    good = read_bounds() && good;
    good = read_guess() && good;
    good = good && read_its_prior();
    good = read_starts() && good;
    result_.axis = read_axis(draft_, map_, id_);
    if (!good || !fits_together() || !complete(guess)) return std::nullopt;
    return result_;
  }

 private:
  std::string its(std::string_view what) const { return fmt::format("the {} of {}", what, id_); }

  bool read_scale() {
    const Node* node = map_.find("scale");
    if (node == nullptr) return true;
    const std::optional<Scale> scale = read_choice<Scale>(draft_, *node);
    if (scale) result_.scale = *scale;
    return scale.has_value();
  }

  bool read_bounds() {
    bounds_ = map_.find("bounds");
    if (bounds_ == nullptr) return true;
    if (bounds_->kind != Node::Kind::sequence || bounds_->items.size() != 2) {
      if (bounds_->kind != Node::Kind::broken)
        draft_.log.add(bounds_->place, fmt::format("{} must be two numbers", its("bounds")), "write bounds: [0, 10]");
      return false;
    }
    const auto lower = read_number(draft_, bounds_->items[0], its("lower bound"));
    const auto upper = read_number(draft_, bounds_->items[1], its("upper bound"));
    if (!lower || !upper) return false;
    result_.lower = *lower;
    result_.upper = *upper;
    return are_ordered(*lower, *upper);
  }

  bool are_ordered(double lower, double upper) {
    if (lower < upper || (lower == upper && std::isfinite(lower))) return true;
    if (lower == upper)
      draft_.log.add(bounds_->place, fmt::format("{} are both infinite on the same side", its("bounds")));
    else
      draft_.log.add(bounds_->place, fmt::format("{} are reversed", its("bounds")),
                     fmt::format("write [{}, {}]", number_text(upper), number_text(lower)));
    return false;
  }

  bool read_guess() {
    guess_ = map_.find("guess");
    if (guess_ == nullptr) return true;
    result_.guess = read_finite(draft_, *guess_, its("guess"));
    return result_.guess.has_value();
  }

  bool read_its_prior() {
    const Node* node = map_.find("prior");
    if (node == nullptr) return true;
    result_.prior = read_prior(draft_, *node, its("prior"), result_);
    if (!result_.prior || result_.lower <= result_.upper) return result_.prior.has_value();
    draft_.log.add(node->place, fmt::format("{} has nothing between the bounds", its("prior")));
    return false;
  }

  bool read_starts() {
    const Node* node = map_.find("starts");
    if (node == nullptr) return true;
    result_.start = read_start_law(draft_, *node, its("starts"));
    return result_.start.has_value();
  }

  bool fits_together() {
    if (result_.scale != Scale::lin && !is_positive()) return false;
    if (!result_.guess || (result_.lower <= *result_.guess && *result_.guess <= result_.upper)) return true;
    draft_.log.add(guess_->place,
                   fmt::format("{} is {}, outside its bounds [{}, {}]", its("guess"), number_text(*result_.guess),
                               number_text(result_.lower), number_text(result_.upper)),
                   "move the guess between the bounds, or widen them");
    return false;
  }

  bool is_positive() {
    const std::string_view scale = model::to_string(result_.scale);
    bool positive = true;
    if (bounds_ != nullptr && result_.lower <= 0 && std::isfinite(result_.lower)) {
      draft_.log.add(bounds_->items[0].place,
                     fmt::format("{} must be positive on the scale {}", its("lower bound"), scale),
                     "use a small positive one, such as 1e-6");
      positive = false;
    }
    if (bounds_ != nullptr && result_.upper <= 0) {
      draft_.log.add(bounds_->items[1].place,
                     fmt::format("{} must be positive on the scale {}", its("upper bound"), scale));
      positive = false;
    }
    if (result_.guess && *result_.guess <= 0) {
      draft_.log.add(guess_->place, fmt::format("{} must be positive on the scale {}", its("guess"), scale));
      positive = false;
    }
    return positive;
  }

  bool complete(Guess guess) {
    if (result_.guess) return true;
    if (std::isfinite(result_.lower) && std::isfinite(result_.upper)) {
      const double middle = (to_scale(result_.scale, result_.lower) + to_scale(result_.scale, result_.upper)) / 2;
      result_.guess = from_scale(result_.scale, middle);
      return true;
    }
    if (guess == Guess::optional) return true;
    draft_.log.add(map_.place, fmt::format("{} has neither a guess nor two finite bounds", id_),
                   "write {guess: 1} or {bounds: [0, 10]}");
    return false;
  }

  Draft& draft_;
  const Node& map_;
  const std::string& id_;
  const Node* bounds_ = nullptr;
  const Node* guess_ = nullptr;
  Estimated result_{};
};

}  // namespace

std::optional<Estimated> read_estimated(Draft& draft, const Node& map, const std::string& id, Guess guess) {
  return EstimatedReader(draft, map, id).read(guess);
}

std::optional<double> fixed_by_bounds(Draft& draft, const Node& map, const std::string& id,
                                      const Estimated& estimated) {
  if (estimated.lower != estimated.upper) return std::nullopt;
  draft.warn(map.place, fmt::format("the bounds of {} are equal: it is held at {}", id, number_text(estimated.lower)));
  return estimated.lower;
}

}  // namespace salvo::formats
