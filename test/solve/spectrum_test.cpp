#include "solve/quadratic/spectrum.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>

#include "helpers/blocks.hpp"
#include "solve/elimination/views.hpp"

namespace salvo::solve {
namespace {

using Eigen::MatrixXd;

std::vector<double> sorted(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values;
}

// |V'V - I| and |V diag(e) V' - B|, the largest entries.
double departure_from_orthonormal(const Spectrum& spectrum) {
  const MatrixXd V = map(spectrum.V);
  return (V.transpose() * V - MatrixXd::Identity(V.cols(), V.cols())).cwiseAbs().maxCoeff();
}
double departure_from(const Spectrum& spectrum, const MatrixXd& B) {
  const MatrixXd V = map(spectrum.V);
  return (V * map(spectrum.e).asDiagonal() * V.transpose() - B).cwiseAbs().maxCoeff();
}

// A = [w w; 1 -1] has orthogonal rows, so that A'A has the eigenvalues 2 w^2 and 2.
TEST(SpectrumOfSquares, SeesASmallRowBesideOneThatWeighsABillionTimesAsMuch) {
  Matrix A(2, 2);
  A(0, 0) = A(0, 1) = 1e9;
  A(1, 0) = 1;
  A(1, 1) = -1;
  const std::vector<double> e = sorted(spectrum_of_squares(A).e);
  EXPECT_NEAR(e[0], 2, 2e-10);
  EXPECT_NEAR(e[1] / 2e18, 1, 1e-10);
}

// The same with rows that are not orthogonal, in any order: the product of the eigenvalues is det(A)^2, their sum
// |A|^2, from which the small one follows.
TEST(SpectrumOfSquares, SeesASmallRowThatIsNotOrthogonalToTheLargeOne) {
  const double w = 1e9;
  for (const bool large_first : {true, false}) {
    Matrix A(2, 2);
    A(large_first ? 0 : 1, 0) = 3 * w;
    A(large_first ? 0 : 1, 1) = w;
    A(large_first ? 1 : 0, 0) = 1;
    A(large_first ? 1 : 0, 1) = 2;
    const double large = 10 * w * w + 5;
    const double small = 25 * w * w / large;  // det = 5 w; e_1 e_2 = det^2, and e_2 = |A|^2 to 1e-18
    EXPECT_NEAR(sorted(spectrum_of_squares(A).e)[0] / small, 1, 1e-10) << large_first;
  }
}

TEST(SpectrumOfSquares, DividesTheMatrixItWasMadeFrom) {
  Random random(5);
  for (const int n : {1, 2, 5, 20}) {
    const Matrix A = test::random_matrix(random, n + 3, n);
    const Spectrum spectrum = spectrum_of_squares(A);
    EXPECT_LE(departure_from_orthonormal(spectrum), 1e-13) << n;
    EXPECT_LE(departure_from(spectrum, map(A).transpose() * map(A)), 1e-11) << n;
  }
}

TEST(SpectrumOfSquares, AgreesWithThatOfTheProduct) {
  Random random(6);
  for (const int n : {1, 3, 8, 30, 61, 70}) {  // beyond sixty it is that of the product
    const Matrix A = test::random_matrix(random, n + 5, n);
    const std::vector<double> from_rows = sorted(spectrum_of_squares(A).e);
    const std::vector<double> from_product = sorted(spectrum_of(to_matrix(map(A).transpose() * map(A))).e);
    for (int i = 0; i < n; ++i) EXPECT_NEAR(from_rows[i], from_product[i], 1e-10 * from_product[n - 1]) << n;
  }
}

TEST(SpectrumOfSquares, KnowsMatricesOfNothing) {
  EXPECT_TRUE(spectrum_of_squares(Matrix(3, 0)).e.empty());
  const Spectrum unseen = spectrum_of_squares(Matrix(0, 2));
  EXPECT_EQ(unseen.e, (std::vector<double>{0, 0}));
  EXPECT_LE(departure_from_orthonormal(unseen), 0);
}

TEST(SpectrumOfSquares, HasZerosForColumnsThatDependOnEachOther) {
  Random random(7);
  Matrix A = test::random_matrix(random, 6, 3);
  for (int i = 0; i < 6; ++i) A(i, 2) = A(i, 0) - 2 * A(i, 1);
  const Spectrum spectrum = spectrum_of_squares(A);
  const std::vector<double> e = sorted(spectrum.e);
  EXPECT_LE(e[0], 1e-28 * e[2]);  // a singular value of rounding, squared
  EXPECT_GT(e[1], 1e-3 * e[2]);
  EXPECT_LE(departure_from_orthonormal(spectrum), 1e-13);
}

TEST(SpectrumOfSquares, TakesFewerRowsThanColumnsAndColumnsOfZeros) {
  Matrix A(1, 3);
  A(0, 0) = 3;
  A(0, 2) = 4;
  const Spectrum spectrum = spectrum_of_squares(A);
  const std::vector<double> e = sorted(spectrum.e);
  EXPECT_NEAR(e[0], 0, 1e-28);
  EXPECT_NEAR(e[1], 0, 1e-28);
  EXPECT_NEAR(e[2], 25, 1e-13);
  EXPECT_LE(departure_from_orthonormal(spectrum), 1e-13);
}

// [1 2; 2 1] has the eigenvalues 3 and -1.
TEST(SpectrumOf, KnowsNegativeEigenvalues) {
  Matrix B(2, 2);
  B(0, 0) = B(1, 1) = 1;
  B(0, 1) = B(1, 0) = 2;
  const Spectrum spectrum = spectrum_of(B);
  EXPECT_NEAR(sorted(spectrum.e)[0], -1, 1e-14);
  EXPECT_NEAR(sorted(spectrum.e)[1], 3, 1e-14);
  EXPECT_LE(departure_from_orthonormal(spectrum), 1e-14);
  EXPECT_LE(departure_from(spectrum, map(B)), 1e-14);
}

}  // namespace
}  // namespace salvo::solve
