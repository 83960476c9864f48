#include "compile/pattern.hpp"

#include <cstddef>

namespace salvo::compile {

Lines make_lines(const std::vector<int>& line, const std::vector<int>& across, int count) {
  Lines out;
  out.start.assign(count + 1, 0);
  for (const int i : line) ++out.start[i + 1];
  for (int i = 0; i < count; ++i) out.start[i + 1] += out.start[i];
  std::vector<int> next(out.start.begin(), out.start.end() - 1);
  out.place.resize(line.size());
  out.across.resize(line.size());
  for (std::size_t k = 0; k < line.size(); ++k) {
    const int at = next[line[k]]++;
    out.place[at] = static_cast<int>(k);
    out.across[at] = across[k];
  }
  return out;
}

Lines make_columns(const Pattern& by_x, const Pattern& by_p, int states, int active) {
  std::vector<int> column = by_x.column;
  std::vector<int> row = by_x.row;
  for (const int c : by_p.column) column.push_back(states + c);
  row.insert(row.end(), by_p.row.begin(), by_p.row.end());
  return make_lines(column, row, states + active);
}

}  // namespace salvo::compile
