#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace salvo {

class StopFlag;

// Other processes that know the same problem, and each compute a part of what this one is asked for. A question and its
// answers are bytes (base/bytes.hpp) that mean something to those who ask and answer alone.
class Helpers {
 public:
  virtual ~Helpers() = default;

  virtual int count() const = 0;
  // Operations of one evaluation, about a millisecond, from which on it is worth a message: the bits are the same.
  virtual double worth_a_message() const { return 1e6; }
  // Asks all of them, does `own` meanwhile, and returns their answers in their order; an empty one says that its part
  // could not be computed there. Nothing: they are at another question, or `stop` was raised before all had answered.
  // `own` is done in any case. May be called by any thread.
  virtual std::optional<std::vector<std::string>> ask(const std::string& question, const std::function<void()>& own,
                                                      const StopFlag* stop) = 0;
};

// How one of them answers: for part `part` of `parts`, of which the first is that of the process that asks.
using AnswerForPart = std::function<std::string(const std::string& question, int part, int parts)>;

}  // namespace salvo
