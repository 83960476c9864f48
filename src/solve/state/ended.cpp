#include "solve/state/ended.hpp"

namespace salvo::solve {

std::string_view to_string(Ended ended) {
  switch (ended) {
    case Ended::tolerance: return "tolerance";
    case Ended::joined: return "joined";
    case Ended::budget: return "budget";
    case Ended::deadline: return "deadline";
    case Ended::iterations: return "iterations";
    case Ended::interrupted: return "interrupted";
    case Ended::no_step: return "no_step";
    case Ended::conflict: return "conflict";
    case Ended::not_computable: return "not_computable";
    case Ended::early_stopping: return "early_stopping";
  }
  return {};
}

}  // namespace salvo::solve
