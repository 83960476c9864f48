#include "base/sha256.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace salvo {
namespace {

using Word = std::uint32_t;
using State = std::array<Word, 8>;

std::vector<int> first_primes(int count) {
  std::vector<int> primes;
  for (int n = 2; static_cast<int>(primes.size()) < count; ++n) {
    bool is_prime = true;
    for (const int p : primes) is_prime = is_prime && n % p != 0;
    if (is_prime) primes.push_back(n);
  }
  return primes;
}

// The first 32 bits of the fraction; the roots of small primes have them exactly in long double.
Word fraction_bits(long double root) { return static_cast<Word>((root - std::floor(root)) * 4294967296.0L); }

struct Constants {
  State start{};             // of square roots
  std::array<Word, 64> k{};  // of cube roots
  Constants() {
    const std::vector<int> primes = first_primes(64);
    for (std::size_t i = 0; i < 8; ++i) start[i] = fraction_bits(std::sqrt(static_cast<long double>(primes[i])));
    for (std::size_t i = 0; i < 64; ++i) k[i] = fraction_bits(std::cbrt(static_cast<long double>(primes[i])));
  }
};

// Section 6.2.2 of the standard, with its letters; Ch and Maj are written with one operation less.
void compress(State& hash, const unsigned char* block, const Constants& constants) {
  std::array<Word, 64> w;
  for (std::size_t t = 0; t < 16; ++t) {
    const auto byte = [&](std::size_t i) { return static_cast<Word>(block[4 * t + i]); };
    w[t] = byte(0) << 24 | byte(1) << 16 | byte(2) << 8 | byte(3);
  }
  for (std::size_t t = 16; t < 64; ++t) {
    const Word s0 = std::rotr(w[t - 15], 7) ^ std::rotr(w[t - 15], 18) ^ w[t - 15] >> 3;
    const Word s1 = std::rotr(w[t - 2], 17) ^ std::rotr(w[t - 2], 19) ^ w[t - 2] >> 10;
    w[t] = w[t - 16] + s0 + w[t - 7] + s1;
  }
  auto [a, b, c, d, e, f, g, h] = hash;
#pragma GCC unroll 8  // until every letter is back where it was: none of them moves
  for (std::size_t t = 0; t < 64; ++t) {
    const Word sum1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const Word t1 = h + sum1 + (g ^ (e & (f ^ g))) + constants.k[t] + w[t];
    const Word sum0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const Word t2 = sum0 + ((a & b) | (c & (a | b)));
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  const State change{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i) hash[i] += change[i];
}

}  // namespace

std::string sha256(std::string_view bytes) {
  static const Constants constants;  // digests of single formulas are made a hundred thousand times
  State hash = constants.start;
  const std::uint64_t bits = 8 * static_cast<std::uint64_t>(bytes.size());
  const auto take = [&](std::string_view blocks) {
    for (std::size_t i = 0; i + 64 <= blocks.size(); i += 64)
      compress(hash, reinterpret_cast<const unsigned char*>(blocks.data()) + i, constants);
  };
  take(bytes);
  std::string last(bytes.substr(bytes.size() / 64 * 64));
  last += '\x80';
  while (last.size() % 64 != 56) last += '\0';
  for (int k = 7; k >= 0; --k) last += static_cast<char>(bits >> (8 * k) & 0xFF);
  take(last);
  std::string text;
  for (const Word word : hash) text += fmt::format("{:08x}", word);
  return text;
}

}  // namespace salvo
