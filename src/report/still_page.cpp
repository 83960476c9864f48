#include "report/still_page.hpp"

#include <string_view>

#include "base/contract.hpp"
#include "report/page_parts.hpp"

namespace salvo::report {

std::string styles_of_still_page() {
  constexpr std::string_view chosen = ":root[data-theme=\"dark\"] {";  // by a script, on the page of a fit
  constexpr std::string_view asked_for = "@media (prefers-color-scheme: dark) { :root {";
  std::string styles(page_parts::styles);
  const std::size_t begin = styles.find(chosen);
  SALVO_EXPECTS(begin != std::string::npos);
  styles.insert(styles.find('}', begin), "}");
  return styles.replace(begin, chosen.size(), asked_for);
}

}  // namespace salvo::report
