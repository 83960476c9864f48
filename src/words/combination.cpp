#include "words/combination.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace salvo::words {
namespace {

constexpr double no_change = 1e-2;  // relative change that counts as none

double width(const std::vector<double>& values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return *most - *least;
}
double largest(const std::vector<double>& values) {
  double size = 0;
  for (const double value : values) size = std::max(size, std::abs(value));
  return size;
}
bool keep_their_sign(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [&](double value) { return value * values[0] > 0; });
}

// n/d close to a number, with small n and d.
std::optional<std::pair<int, int>> small_fraction(double number) {
  constexpr double close = 0.02;
  for (int d = 1; d <= 3; ++d) {
    const double n = std::round(number * d);
    if (n != 0 && std::abs(n) <= 4 && std::abs(number - n / d) <= close) return std::pair{static_cast<int>(n), d};
  }
  return std::nullopt;
}

struct Series {
  std::string id{};
  std::vector<double> values{};
};

std::string power(const std::string& id, int exponent) {
  return exponent == 1 ? id : fmt::format("{}^{}", id, exponent);
}

// first^a second^b, if it is the same all along.
std::optional<std::string> product_of(const Series& first, const Series& second) {
  if (!keep_their_sign(first.values) || !keep_their_sign(second.values)) return std::nullopt;
  const double way = std::log(first.values.back() / first.values.front());
  const auto fraction = small_fraction(std::log(second.values.back() / second.values.front()) / way);
  if (!fraction) return std::nullopt;
  int a = -fraction->first;  // second^d ~ first^n
  int b = fraction->second;
  if (a < 0) a = -a, b = -b;
  std::vector<double> products;
  for (std::size_t k = 0; k < first.values.size(); ++k)
    products.push_back(std::pow(first.values[k], a) * std::pow(second.values[k], b));
  if (width(products) > no_change * largest(products)) return std::nullopt;
  return fmt::format("{}{}{} = {:.4g}", power(first.id, a), b > 0 ? "*" : "/", power(second.id, std::abs(b)),
                     products.back());
}

// a first + b second, if it is the same all along.
std::optional<std::string> sum_of(const Series& first, const Series& second) {
  const double way = first.values.back() - first.values.front();
  const auto fraction = small_fraction((second.values.back() - second.values.front()) / way);
  if (!fraction) return std::nullopt;
  int a = -fraction->first;
  int b = fraction->second;
  if (a < 0) a = -a, b = -b;
  std::vector<double> sums;
  for (std::size_t k = 0; k < first.values.size(); ++k) sums.push_back(a * first.values[k] + b * second.values[k]);
  if (width(sums) > no_change * width(second.values)) return std::nullopt;
  const auto term = [](int factor, const std::string& id) {
    return factor == 1 ? id : fmt::format("{}*{}", factor, id);
  };
  return fmt::format("{} {} {} = {:.4g}", term(a, first.id), b > 0 ? "+" : "-", term(std::abs(b), second.id),
                     sums.back());
}

}  // namespace

std::vector<std::string> combinations_along(const std::string& id, const std::vector<Profile::Point>& stretch,
                                            const std::vector<std::string>& ids) {
  std::vector<std::string> found;
  const auto own_place = std::find(ids.begin(), ids.end(), id);
  Series own{.id = id};
  for (const Profile::Point& point : stretch) own.values.push_back(point.value);
  if (stretch.size() < 3 || own_place == ids.end() || width(own.values) <= no_change * largest(own.values))
    return found;
  for (auto other = ids.begin(); other != ids.end(); ++other) {
    if (other == own_place) continue;
    Series moving{.id = *other};
    for (const Profile::Point& point : stretch) moving.values.push_back(point.others[other - ids.begin()]);
    if (width(moving.values) <= no_change * largest(moving.values)) continue;
    const bool in_order = own_place < other;
    const Series& first = in_order ? own : moving;
    const Series& second = in_order ? moving : own;
    auto text = product_of(first, second);
    if (!text) text = sum_of(first, second);
    if (!text) return {};
    found.push_back(std::move(*text));
  }
  return found;
}

}  // namespace salvo::words
