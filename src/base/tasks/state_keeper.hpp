#pragma once

#include <optional>
#include <string>

namespace salvo {

// Keeps how far one long run has come, so that it goes on from there after it was cut off. What is kept is a text from
// which the run comes to the bits of one that was never cut off.
class StateKeeper {
 public:
  virtual ~StateKeeper() = default;

  // Whether it is worth while to keep the state now: asked between two steps of a run.
  virtual bool is_due() = 0;
  virtual void keep(const std::string& state) = 0;
  // What an earlier run has left; nothing: this one begins.
  virtual std::optional<std::string> kept() = 0;
};

}  // namespace salvo
