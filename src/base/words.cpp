#include "base/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <vector>

namespace salvo {
namespace {

// Optimal string alignment: insertions, deletions, replacements and swaps of neighbours.
int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> before_last(b.size() + 1);
  std::vector<int> last(b.size() + 1);
  std::vector<int> row(b.size() + 1);
  std::iota(last.begin(), last.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int replace = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

// The word without spaces and joiners that no screen shows; they come along when a text is copied from a page.
std::string without_invisible(std::string_view word) {
  constexpr std::string_view invisible[] = {"\u00a0", "\u00ad", "\u200b", "\u200c", "\u200d", "\u200e",
                                            "\u200f", "\u202f", "\u2060", "\ufeff", "\t"};
  std::string shown(word);
  for (const std::string_view character : invisible)
    for (std::size_t at = shown.find(character); at != std::string::npos; at = shown.find(character, at))
      shown.erase(at, character.size());
  return shown;
}

constexpr std::size_t longest_compared = 64;
constexpr std::size_t most_listed = 12;

}  // namespace

std::optional<std::string> nearest_word(std::string_view word, std::span<const std::string> known) {
  if (word.size() > longest_compared) return std::nullopt;
  const int allowed = word.size() <= 2 ? 1 : word.size() <= 5 ? 2 : 3;
  std::optional<std::string> best;
  int best_distance = allowed + 1;
  for (const std::string& candidate : known) {
    if (candidate.size() > longest_compared) continue;
    const int distance = edit_distance(word, candidate);
    if (distance < best_distance && distance < static_cast<int>(std::max(word.size(), candidate.size()))) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string hint_for_unknown(std::string_view word, std::span<const std::string> known) {
  if (const std::string shown = without_invisible(word); shown.size() < word.size())
    if (std::find(known.begin(), known.end(), shown) != known.end())
      return fmt::format("it holds a character that is not visible: write '{}' again", shown);
  if (const auto near = nearest_word(word, known)) return fmt::format("did you mean '{}'?", *near);
  if (known.empty()) return {};
  std::string list = "known: ";
  for (std::size_t i = 0; i < std::min(known.size(), most_listed); ++i) list += (i > 0 ? ", " : "") + known[i];
  if (known.size() > most_listed) list += fmt::format(" and {} more", known.size() - most_listed);
  return list;
}

std::string number_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return fmt::format("{}", value);
}

std::string counted(long count, std::string_view thing, std::string_view plural) {
  if (count == 1) return fmt::format("1 {}", thing);
  return plural.empty() ? fmt::format("{} {}s", count, thing) : fmt::format("{} {}", count, plural);
}

std::string amount_text(double amount) {
  constexpr double with_decimals = 9999.95;  // five digits hold a decimal up to here
  constexpr double readable = 1e9;
  const double size = std::abs(amount);
  return size >= with_decimals && size < readable ? fmt::format("{:.0f}", amount) : fmt::format("{:.5g}", amount);
}

std::string listed(std::span<const std::string> words, std::size_t most) {
  const bool is_cut = words.size() > most + 1;  // "and 1 other" is no shorter than its name
  const std::size_t shown = is_cut ? most : words.size();
  std::string text;
  for (std::size_t k = 0; k < shown; ++k) text += (k == 0 ? "" : k + 1 == words.size() ? " and " : ", ") + words[k];
  return is_cut ? fmt::format("{} and {}", text, counted(static_cast<long>(words.size() - shown), "other")) : text;
}

std::optional<double> parse_number(std::string_view text) {
  if (!text.empty() && text.front() == '+') {
    text.remove_prefix(1);
    if (!text.empty() && (text.front() == '+' || text.front() == '-')) return std::nullopt;
  }
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || std::isnan(value)) return std::nullopt;
  return value;
}

}  // namespace salvo
