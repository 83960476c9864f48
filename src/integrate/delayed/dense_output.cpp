#include "integrate/delayed/dense_output.hpp"

#include "integrate/rodas5p_tableau.hpp"

namespace salvo::integrate {

DenseMethod dense_explicit(const compile::Tableau& tableau, const std::vector<double>& fourth, int order) {
  const int last = tableau.stages();
  DenseMethod out{.count = last + 1, .order = order};
  for (int i = 0; i <= last; ++i) {
    const std::vector<double>& row = i < last ? tableau.a[i] : tableau.b;
    for (std::size_t j = 0; j < row.size(); ++j) out.rows[i][j] = row[j];
    out.nodes[i] = i < last ? tableau.c[i] : 1;
    out.end[i] = i < last ? tableau.b[i] : 0;
    if (!tableau.error.empty()) out.error[i] = tableau.error[i];
    const double first = i == 0 ? 1 : 0;
    const double at_end = i == last ? 1 : 0;
    const double d = fourth.empty() ? 0 : fourth[i];
    out.bend[0][i] = first - out.end[i];
    out.bend[1][i] = 2 * out.end[i] - first - at_end + d;
    out.bend[2][i] = -d;
  }
  return out;
}

const DenseMethod& dense_rodas5p() {
  static const DenseMethod method = [] {
    using Tableau = Rodas5pTableau;
    constexpr int last = Tableau::stages - 1;
    DenseMethod out{.count = Tableau::stages, .order = 5, .is_implicit = true};
    for (int i = 0; i <= last; ++i) {
      out.nodes[i] = Tableau::alpha[i];
      out.end[i] = i < last ? Tableau::a[last][i] : 1;
      for (int j = 0; j < i; ++j) out.rows[i][j] = Tableau::a[i][j];
      for (int k = 0; k < 3; ++k) out.bend[k][i] = Tableau::dense[k][i];
    }
    out.error[last] = 1;
    return out;
  }();
  return method;
}

}  // namespace salvo::integrate
