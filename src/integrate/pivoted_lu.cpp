#include "integrate/pivoted_lu.hpp"

#include <suitesparse/klu.h>

#include <algorithm>
#include <limits>
#include <new>
#include <utility>
#include <vector>

#include "integrate/banded_lu.hpp"

namespace salvo::integrate {

// With pivots on the diagonal, which s I - J mostly allows, the factors keep their places and only their numbers are
// computed anew: a third of the work (Chen's model of 500 states). Where such pivots let numbers grow by more than
// this, they are chosen again.
constexpr double smallest_reciprocal_growth = 1e-5;

// What KLU calls so by numbers: rows as they are, or divided by their largest entry.
constexpr int no_scaling = -1;
constexpr int scaling_by_largest = 2;

struct PivotedLu::Library {
  std::optional<BandedLu> band{};  // of fields: then KLU has nothing to do
  klu_common common{};
  klu_symbolic* symbolic = nullptr;
  klu_numeric* by_diagonal = nullptr;
  klu_numeric* by_pivots = nullptr;
  klu_numeric* numeric = nullptr;  // the one in use; none: singular
  bool is_regular = false;         // of a band
  int states = 0;
  std::vector<int> start{0}, row{};  // by columns
  std::vector<int> place{};          // of each entry among the non-zeros of J; -1: on the diagonal alone
  std::vector<bool> on_diagonal{}, is_shifted{};
  std::vector<double> entry{}, side{};

  explicit Library(const compile::CompiledModel& model) : band(BandedLu::of(model)), states(model.states) {
    side.resize(states);
    if (!band) analyze(model);
  }
  void analyze(const compile::CompiledModel& model) {
    const compile::Lines& columns = model.columns;
    for (int j = 0; j < states; ++j) {
      std::vector<std::pair<int, int>> of_column;  // row and place; cells of a rectangle are not told row by row
      for (int k = columns.start[j]; k < columns.start[j + 1]; ++k)
        of_column.emplace_back(columns.across[k], columns.place[k]);
      const auto is_diagonal = [&](const auto& entry_of) { return entry_of.first == j; };
      if (std::none_of(of_column.begin(), of_column.end(), is_diagonal)) of_column.emplace_back(j, -1);
      std::sort(of_column.begin(), of_column.end());
      const auto add = [&](int i, int at) {
        row.push_back(i);
        place.push_back(at);
        on_diagonal.push_back(i == j);
        is_shifted.push_back(i == j && !std::binary_search(model.algebraic.begin(), model.algebraic.end(), i));
      };
      for (const auto& [i, at] : of_column) add(i, at);
      start.push_back(static_cast<int>(row.size()));
    }
    entry.resize(row.size());
    klu_defaults(&common);
    symbolic = klu_analyze(states, start.data(), row.data(), &common);
    if (symbolic == nullptr) throw std::bad_alloc();
    constexpr double small = 1e-6;
    for (std::size_t k = 0; k < entry.size(); ++k) entry[k] = on_diagonal[k] ? 1 : -small;
    common.scale = no_scaling;
    by_diagonal = klu_factor(start.data(), row.data(), entry.data(), symbolic, &common);
  }
  ~Library() {
    if (band) return;
    if (by_diagonal != nullptr) klu_free_numeric(&by_diagonal, &common);
    if (by_pivots != nullptr) klu_free_numeric(&by_pivots, &common);
    klu_free_symbolic(&symbolic, &common);
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  bool factorize_by_diagonal() {
    common.scale = no_scaling;  // pivots are given: scaled rows change nothing
    return by_diagonal != nullptr &&
           klu_refactor(start.data(), row.data(), entry.data(), symbolic, by_diagonal, &common) != 0 &&
           klu_rgrowth(start.data(), row.data(), entry.data(), symbolic, by_diagonal, &common) != 0 &&
           common.rgrowth >= smallest_reciprocal_growth;
  }

  bool solve_in_place(bool transposed) {
    if (band && is_regular) transposed ? band->solve_transposed(side.data()) : band->solve(side.data());
    if (band) return is_regular;
    const auto solver = transposed ? klu_tsolve : klu_solve;
    return numeric != nullptr && solver(symbolic, numeric, states, 1, side.data(), &common) != 0;
  }
  void solve(const double* b, double* x, int stride, bool transposed) {
    for (int i = 0; i < states; ++i) side[i] = b[static_cast<std::size_t>(i) * stride];
    const bool solved = solve_in_place(transposed);
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    for (int i = 0; i < states; ++i) x[static_cast<std::size_t>(i) * stride] = solved ? side[i] : none;
  }
};

PivotedLu::PivotedLu(const compile::CompiledModel& model) : library_(std::make_unique<Library>(model)) {}
PivotedLu::~PivotedLu() = default;
PivotedLu::PivotedLu(PivotedLu&&) noexcept = default;
PivotedLu& PivotedLu::operator=(PivotedLu&&) noexcept = default;

void PivotedLu::factorize(const double* nonzeros, double shift, int stride) {
  Library& l = *library_;
  if (l.band) {
    l.is_regular = l.band->factorize(nonzeros, shift, stride);
    return;
  }
  for (std::size_t k = 0; k < l.entry.size(); ++k) {
    const double given = l.place[k] < 0 ? 0.0 : nonzeros[static_cast<std::size_t>(l.place[k]) * stride];
    l.entry[k] = (l.is_shifted[k] ? shift : 0.0) - given;
  }
  l.numeric = l.by_diagonal;
  if (l.factorize_by_diagonal()) return;
  if (l.by_pivots != nullptr) klu_free_numeric(&l.by_pivots, &l.common);
  l.common.scale = scaling_by_largest;
  l.by_pivots = klu_factor(l.start.data(), l.row.data(), l.entry.data(), l.symbolic, &l.common);
  l.numeric = l.by_pivots;
}

void PivotedLu::solve(const double* b, double* x, int stride) { library_->solve(b, x, stride, false); }

void PivotedLu::solve_transposed(const double* b, double* x, int stride) { library_->solve(b, x, stride, true); }

}  // namespace salvo::integrate
