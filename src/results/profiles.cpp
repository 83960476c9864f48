#include "results/profiles.hpp"

namespace salvo {

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::identifiable: return "identifiable";
    case Verdict::one_sided: return "one-sided";
    case Verdict::flat: return "flat";
    case Verdict::several_minima: return "several minima";
  }
  return "";
}

}  // namespace salvo
