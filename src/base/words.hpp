#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace salvo {

// The known word nearest to `word`, if it is near enough to be a slip of the pen.
std::optional<std::string> nearest_word(std::string_view word, std::span<const std::string> known);

// "did you mean 'k1'?" or, if nothing is near, "known: a, b, c" (cut after a dozen); empty if nothing is known.
std::string hint_for_unknown(std::string_view word, std::span<const std::string> known);

// The shortest text that reads back as the same number; "inf", "-inf" and "nan" where it is not finite.
std::string number_text(double value);

// "1 node", "3 nodes"; the plural is said where an s does not make it.
std::string counted(long count, std::string_view thing, std::string_view plural = {});

// A number of things that need not be whole, without an exponent up to a billion: "16", "34.27", "200000".
std::string amount_text(double amount);

// "a", "a and b", "a, b and c"; of more than `most` the first ones: "a, b and 3 others".
std::string listed(std::span<const std::string> words, std::size_t most = 8);

// A whole text as one finite or infinite number, independent of the locale; nothing if any of it is left over.
std::optional<double> parse_number(std::string_view text);

}  // namespace salvo
