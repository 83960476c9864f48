#include "solve/elimination/gap_multipliers.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solve/elimination/row_change.hpp"

namespace salvo::solve {
namespace {

// Calls begin(c, j, rows_after, y) with what the rows of a node change by, to be made what multiplies them, and with
// zeros for what else pulls at the node; take(c, j, y) with y_{j-1}.
template <class Begin, class Take>
void recur(const nlp::Layout& layout, const nlp::Blocks& blocks, const std::vector<double>& delta, RecursionRoom& room,
           const Begin& begin, const Take& take) {
  auto& [y, next, rows_after] = room;
  for (std::size_t c = 0; c < layout.chains.size(); ++c) {
    const nlp::Layout::Chain& chain = layout.chains[c];
    for (int j = chain.links(); j >= 1; --j) {
      const nlp::Rows& rows = blocks.chains[c].rows[j];
      row_change(rows, block_of_step(chain, j, delta), theta_of(layout, delta), rows_after);
      next.assign(chain.size[j], 0.0);
      begin(c, j, rows_after, next);
      if (!rows_after.empty()) dense::add_transposed_product(dense::block_of(rows.by_block), rows_after, next);
      if (j < chain.links())
        dense::add_transposed_product(dense::block_of(blocks.chains[c].links[j].by_block), y, next);
      std::swap(y, next);
      take(c, j, y);
    }
  }
}

void shape(const nlp::Layout& layout, GapMultipliers& y) {
  y.resize(layout.chains.size());
  for (std::size_t c = 0; c < layout.chains.size(); ++c) {
    const nlp::Layout::Chain& chain = layout.chains[c];
    y[c].resize(chain.links() > 0 ? static_cast<std::size_t>(chain.links()) * chain.size[1] : 0);
  }
}

}  // namespace

void write_multipliers(const nlp::Layout& layout, const nlp::Blocks& blocks, const std::vector<double>& delta,
                       RecursionRoom& room, GapMultipliers& y) {
  shape(layout, y);
  recur(
      layout, blocks, delta, room,
      [&](std::size_t c, int j, std::vector<double>& rows_after, const std::vector<double>&) {
        for (std::size_t i = 0; i < rows_after.size(); ++i) rows_after[i] += blocks.chains[c].rows[j].r[i];
      },
      [&](std::size_t c, int j, const std::vector<double>& of_gap) {
        std::copy(of_gap.begin(), of_gap.end(), y[c].begin() + (j - 1) * static_cast<std::ptrdiff_t>(of_gap.size()));
      });
}

void add_change_of_multipliers(const nlp::Layout& layout, const nlp::Blocks& blocks,
                               const std::vector<double>& gradient, const std::vector<double>& delta,
                               RecursionRoom& room, GapMultipliers& y) {
  recur(
      layout, blocks, delta, room,
      [&](std::size_t c, int j, const std::vector<double>&, std::vector<double>& pull) {
        std::copy_n(gradient.begin() + layout.chains[c].offset[j], pull.size(), pull.begin());
      },
      [&](std::size_t c, int j, const std::vector<double>& change) {
        for (std::size_t i = 0; i < change.size(); ++i) y[c][(j - 1) * change.size() + i] += change[i];
      });
}

double largest(const GapMultipliers& y) {
  double most = 0;
  for (const auto& chain : y)
    for (const double entry : chain) most = std::max(most, std::abs(entry));
  return most;
}

}  // namespace salvo::solve
