#include "statistics/small_samples.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include "statistics/influence.hpp"
#include "statistics/matrix_view.hpp"
#include "statistics/restricted_variances.hpp"

namespace salvo::statistics {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// The degrees of freedom of an error that rests on known noise.
double without_end() { return std::numeric_limits<double>::infinity(); }

// What one datum tells of the logarithm of its sigma, against a datum under a normal law, which tells 2.
double against_normal_law(double scale_information) { return scale_information / 2; }

Matrix to_matrix(const MatrixXd& matrix) {
  Matrix out(static_cast<int>(matrix.rows()), static_cast<int>(matrix.cols()));
  Eigen::Map<MatrixXd>(out.data.data(), out.rows, out.cols) = matrix;
  return out;
}

// The rows of the objective by the noise parameters `of`, noise rows only; one row per row of the objective.
MatrixXd noise_slopes(const nlp::Blocks& blocks, const std::vector<RowRole>& roles, const std::vector<int>& of) {
  MatrixXd out = MatrixXd::Zero(static_cast<Index>(roles.size()), static_cast<Index>(of.size()));
  std::size_t row = 0;
  for (const nlp::ChainBlocks& chain : blocks.chains)
    for (const nlp::Rows& rows : chain.rows)
      for (int i = 0; i < static_cast<int>(rows.r.size()); ++i, ++row)
        for (std::size_t a = 0; a < of.size() && roles[row].of_noise; ++a)
          out(static_cast<Index>(row), static_cast<Index>(a)) = rows.by_theta(i, of[a]);
  return out;
}

// The correction for one sample, step by step.
class Correction {
 public:
  Correction(const nlp::Layout& layout, const nlp::Blocks& blocks, const Uncertainty& uncertainty,
             const std::vector<RowRole>& roles, int measurements, const std::vector<double>& units,
             const SmallSampleRules& rules)
      : layout_(layout),
        blocks_(blocks),
        uncertainty_(uncertainty),
        roles_(roles),
        measurements_(measurements),
        units_(units.empty() ? std::vector<double>(static_cast<std::size_t>(layout.thetas), 1.0) : units),
        rules_(rules) {
    out_.covariance = out_.of_profiles = uncertainty.covariance;
    out_.degrees.assign(uncertainty.held.size(), without_end());
    out_.profile_degrees = out_.degrees;
    out_.noise.resize(static_cast<std::size_t>(layout.thetas));
    out_.profile_noise = out_.noise;
    out_.inflation.assign(static_cast<std::size_t>(measurements), 1.0);
    for (int k = 0; k < layout.thetas; ++k)
      if (layout.noise_only[k] && !uncertainty.held[k] && uncertainty.seen[k]) scales_.push_back(k);
  }

  SmallSamples run() {
    const auto says_more = [](const RowRole& role) { return role.measurement < 0 || role.of_noise; };
    if (std::none_of(roles_.begin(), roles_.end(), says_more)) {  // every row is the mean of a datum
      out_.trace_of_means = out_.trace_of_data = uncertainty_.free_and_seen;
      out_.by_priors.emplace();
      return std::move(out_);
    }
    take_leverages();
    if (scales_.empty()) return std::move(out_);
    take_shares();
    for (Index a = 0; a < share_.cols(); ++a) correct_noise(a);
    inflate();
    correct_covariance();
    return std::move(out_);
  }

 private:
  bool is_mean(Index i) const { return roles_[i].measurement >= 0 && !roles_[i].of_noise; }

  // Leverages h_i of every row. Where trajectories grow so much that rounding spoils them, or where they would cost too
  // much, they are even: their sum is known.
  void take_leverages() {
    const auto rows = static_cast<Index>(roles_.size());
    const double rank = uncertainty_.free_and_seen;
    leverage_ = VectorXd::Zero(rows);
    if (influence_work(layout_, blocks_, uncertainty_.root) <= rules_.most_work)
      influence_ = row_influence(layout_, blocks_, uncertainty_.root);
    if (influence_.cols == rows) leverage_ = view(influence_).colwise().squaredNorm().transpose();
    if (!(std::abs(leverage_.sum() - rank) <= rules_.credible_sum * std::max(rank, 1.0))) {
      influence_.resize(0, 0);
      leverage_.setConstant(rows > 0 ? rank / static_cast<double>(rows) : 0);
    }
    take_priors();
    out_.trace_of_data = rank;
    for (Index i = 0; i < rows; ++i)
      if (roles_[i].measurement < 0) out_.trace_of_data -= leverage_[i];
    out_.trace_of_means = out_.trace_of_data - share_of_noise();
    mean_leverage_ = VectorXd::Zero(measurements_);
    for (Index i = 0; i < rows; ++i)
      if (is_mean(i)) mean_leverage_[roles_[i].measurement] = std::min(leverage_[i], 1.0);
  }

  // Eigenvalues of sum M_i M_i' over the rows of priors.
  void take_priors() {
    std::vector<Index> priors;
    for (Index i = 0; i < static_cast<Index>(roles_.size()); ++i)
      if (roles_[i].measurement < 0) priors.push_back(i);
    if (influence_.cols == 0 && !priors.empty()) return;
    out_.by_priors.emplace();
    if (priors.empty()) return;
    const MatrixXd M = view(influence_)(Eigen::all, priors);
    const bool is_tall = M.rows() > M.cols();
    const MatrixXd gram = is_tall ? MatrixXd(M.transpose() * M) : MatrixXd(M * M.transpose());
    const VectorXd eigenvalues = Eigen::SelfAdjointEigenSolver<MatrixXd>(gram, Eigen::EigenvaluesOnly).eigenvalues();
    out_.by_priors->assign(eigenvalues.begin(), eigenvalues.end());
  }

  // How many of the thetas that the data determine shape the noise alone; a prior takes its share of each.
  double share_of_noise() const {
    double sum = 0;
    for (int k = 0; k < layout_.thetas; ++k) {
      if (!shapes_noise_alone(k) || uncertainty_.held[k] || !uncertainty_.seen[k]) continue;
      sum += std::max(0.0, 1 - prior_information(k) * uncertainty_.covariance(k, k));
    }
    return sum;
  }
  bool shapes_noise_alone(int theta) const {
    bool shapes_noise = false;
    std::size_t row = 0;
    for (const nlp::ChainBlocks& chain : blocks_.chains) {
      for (const nlp::Link& link : chain.links)
        for (int i = 0; i < link.by_theta.rows; ++i)
          if (link.by_theta(i, theta) != 0) return false;
      for (const nlp::Rows& rows : chain.rows)
        for (int i = 0; i < static_cast<int>(rows.r.size()); ++i, ++row) {
          if (rows.by_theta(i, theta) == 0) continue;
          if (!roles_[row].of_noise && !roles_[row].crosses) return false;
          shapes_noise = true;
        }
    }
    return shapes_noise;
  }

  // share(i, a) = w_ia^2 / sum_i w_ia^2 with the noise rows w: how much of what is known of noise a, were it the only
  // one, comes from row i; they add up to 1 over i. part(m, a): what noise a has in the scatter of measurement m,
  // d log sigma_m / d log of it, so that they add up to 1 over a, or to 0 where its sigma is known. A noise that has
  // vanished has no part.
  void take_shares() {
    slopes_ = noise_slopes(blocks_, roles_, scales_);
    share_ = slopes_.cwiseAbs2();
    for (Index a = 0; a < share_.cols(); ++a)
      if (const double sum = share_.col(a).sum(); sum > 0) share_.col(a) /= sum;
    part_ = MatrixXd::Zero(measurements_, share_.cols());
    for (Index i = 0; i < share_.rows(); ++i) {
      if (!roles_[i].of_noise) continue;
      VectorXd along = slopes_.row(i).cwiseAbs().transpose();
      for (Index a = 0; a < along.size(); ++a) along[a] *= std::abs(units_[scales_[a]]);
      if (const double sum = along.sum(); sum > 0) part_.row(roles_[i].measurement) = along.transpose() / sum;
    }
    for (Index a = 0; a < part_.cols(); ++a)
      if (part_.col(a).maxCoeff() < rules_.told_apart) part_.col(a).setZero();
    const auto is_whole = [&](double part) { return part == 0 || std::abs(part - 1) < rules_.rounding; };
    for (Index a = 0; a < part_.cols(); ++a)
      whole_.push_back(std::all_of(part_.col(a).begin(), part_.col(a).end(), is_whole) && part_.col(a).maxCoeff() > 0);
    are_whole_ = std::all_of(whole_.begin(), whole_.end(), [](bool whole) { return whole; });
  }

  void correct_noise(Index a) {
    double leverage = 0;
    double squares = 0;
    double scale_information = 0;
    for (Index i = 0; i < share_.rows(); ++i) {
      if (!roles_[i].of_noise) continue;
      leverage += share_(i, a) * mean_leverage_[roles_[i].measurement];
      squares += share_(i, a) * share_(i, a);
      scale_information += share_(i, a) * roles_[i].scale_information;
    }
    const double data = squares > 0 ? 1 / squares : 0;  // as many of equal share
    const double of_data = slopes_.col(a).squaredNorm();
    const double by_prior = of_data > 0 ? data * prior_information(scales_[a]) / of_data : 0;
    const double left = data * (1 - std::clamp(leverage, 0.0, 1.0)) + by_prior;
    data_.push_back(data + by_prior);
    relative_information_.push_back(against_normal_law(scale_information));
    out_.noise[scales_[a]] = {.inflation = left > 0 ? (data + by_prior) / left : without_end(),
                              .degrees = left * against_normal_law(scale_information),
                              .is_whole = whole_[a]};
  }

  double prior_information(int theta) const {
    const Matrix& slopes = blocks_.priors.by_theta;
    double sum = 0;
    for (int i = 0; i < slopes.rows; ++i) sum += slopes(i, theta) * slopes(i, theta);
    return sum;
  }

  // The variance of every measurement is too small as its noise parameters say, by their parts in it.
  void inflate() {
    for (int m = 0; m < measurements_; ++m) {
      double log_inflation = 0;
      for (Index a = 0; a < part_.cols(); ++a)
        if (part_(m, a) != 0) log_inflation += part_(m, a) * std::log(out_.noise[scales_[a]].inflation);
      out_.inflation[m] = std::exp(log_inflation);
    }
  }

  // With rows divided by the root of the inflation c_i, and M_i = J_i root, M'M = I:
  //   C = root K^-1 root',   K = I - sum_i (1 - 1/c_i) M_i' M_i.
  void correct_covariance() {
    if (influence_.cols == 0 || work_of_correction() > rules_.most_work) return scale_covariance();
    const Weighted weighted = weighted_by(out_.inflation);
    store_parts(weighted);
    const MatrixXd at_known_weights = weighted.even * weighted.even.transpose();
    std::vector<MatrixXd> parts;
    for (const MatrixXd& share : weighted.shares) parts.push_back(weighted.even * share * weighted.even.transpose());
    account_for_guessed_weights(at_known_weights, parts, weighted);
    out_.of_profiles = out_.covariance;
    out_.profile_degrees = out_.degrees;
    out_.profile_noise = out_.noise;
    if (can_be_restricted()) correct_by_restricted_variances();
  }
  // Multiply-adds of the products of what is below, which all have as many columns as there are quantities.
  double work_of_correction() const {
    const double n = uncertainty_.root.cols;
    const auto rows = static_cast<double>(influence_.cols);
    const auto noises = static_cast<double>(scales_.size());
    return n * n * (rows * (0.5 + 2 * noises) + n * (4 + 2 * noises + noises * noises));
  }
  double inflation_of(Index row, const std::vector<double>& inflation) const {
    return roles_[row].measurement < 0 ? 1.0 : inflation[roles_[row].measurement];
  }

  // The estimates if the variances were those, and what noise a says about them, in the coordinates in which all rows
  // together say I:   even even' = C,   A_a = L^-1 (sum_i p_ia M_i' M_i / c_i) L^-T,   K = L L',   over the rows of
  // means.
  struct Weighted {
    MatrixXd even{};
    std::vector<MatrixXd> shares{};
    MatrixXd rows{};  // L^-1 M_i' / sqrt(c_i) of the means, by measurement; zero where there is none
    MatrixXd W{};
  };
  Weighted weighted_by(const std::vector<double>& inflation) const {
    const auto root = view(uncertainty_.root);
    const auto M = view(influence_);
    MatrixXd inflated = M;
    for (Index i = 0; i < M.cols(); ++i)
      inflated.col(i) *= std::sqrt(std::max(0.0, 1 - 1 / inflation_of(i, inflation)));
    MatrixXd K = MatrixXd::Identity(root.cols(), root.cols());
    K.selfadjointView<Eigen::Lower>().rankUpdate(inflated, -1);
    const Eigen::LLT<MatrixXd> llt(K.selfadjointView<Eigen::Lower>());
    Weighted out;
    out.even = llt.matrixL().solve(MatrixXd(root.transpose())).transpose();
    for (Index a = 0; a < part_.cols(); ++a) {
      MatrixXd rows = M;
      for (Index i = 0; i < M.cols(); ++i)
        rows.col(i) *= is_mean(i) ? std::sqrt(part_(roles_[i].measurement, a) / inflation_of(i, inflation)) : 0.0;
      const MatrixXd even = llt.matrixL().solve(rows);
      out.shares.push_back(even * even.transpose());
    }
    if (!are_whole_) {
      MatrixXd rows = MatrixXd::Zero(M.rows(), measurements_);
      for (Index i = 0; i < M.cols(); ++i)
        if (is_mean(i)) rows.col(roles_[i].measurement) = M.col(i) / std::sqrt(inflation_of(i, inflation));
      out.rows = llt.matrixL().solve(rows);
    }
    out.W = are_whole_ ? spread_of_variances(out.shares) : spread_of_parts(out);
    return out;
  }

  // Relative covariance of the estimated variances, from their restricted likelihood:
  //   W^-1_ab = (delta_ab (n_a - 2 tr A_a) + tr A_a A_b) / 2,
  // which is (n - k)/2 for one noise, and knows that residuals shared between two noises tell of both.
  MatrixXd spread_of_variances(const std::vector<MatrixXd>& shares) const {
    const auto count = static_cast<Index>(shares.size());
    MatrixXd information(count, count);
    for (Index a = 0; a < count; ++a)
      for (Index b = 0; b < count; ++b) information(a, b) = 0.5 * shares[a].cwiseProduct(shares[b]).sum();
    for (Index a = 0; a < count; ++a) information(a, a) += 0.5 * (data_[a] - 2 * shares[a].trace());
    for (Index a = 0; a < count; ++a)
      for (Index b = 0; b < count; ++b)
        information(a, b) *= std::sqrt(relative_information_[a] * relative_information_[b]);
    information.diagonal() *= 1 + rules_.rounding;  // where residuals cannot tell one noise from the other
    return information.ldlt().solve(MatrixXd::Identity(count, count));
  }

  // The same where data scatter with several noises, p_ia the part of noise a in datum i and h_i its leverage:
  //   W^-1_ab = (sum_i p_ia p_ib (1 - 2 h_i) + tr A_a A_b) / 2.
  // A noise without any part tells nothing and is told nothing.
  MatrixXd spread_of_parts(const Weighted& weighted) const {
    const auto count = static_cast<Index>(weighted.shares.size());
    const VectorXd left = 1 - 2 * weighted.rows.colwise().squaredNorm().transpose().array();
    MatrixXd information(count, count);
    for (Index a = 0; a < count; ++a)
      for (Index b = 0; b < count; ++b) {
        const double of_data = part_.col(a).cwiseProduct(part_.col(b)).dot(left);
        information(a, b) = 0.5 * (of_data + weighted.shares[a].cwiseProduct(weighted.shares[b]).sum()) *
                            std::sqrt(relative_information_[a] * relative_information_[b]);
      }
    const VectorXd size = information.diagonal().cwiseMax(0).cwiseSqrt();
    std::vector<Index> telling;
    for (Index a = 0; a < count; ++a)
      if (size[a] > 0) telling.push_back(a);
    MatrixXd W = MatrixXd::Zero(count, count);
    if (telling.empty()) return W;
    // By the pseudo-inverse of the correlations: what residuals cannot tell apart is not told apart.
    const VectorXd unit = size(telling).cwiseInverse();
    const MatrixXd correlation = unit.asDiagonal() * information(telling, telling) * unit.asDiagonal();
    const Eigen::SelfAdjointEigenSolver<MatrixXd> spectrum(correlation);
    VectorXd inverse = spectrum.eigenvalues();
    for (double& value : inverse) value = value > rules_.told_apart ? 1 / value : 0;
    W(telling, telling) = unit.asDiagonal() * spectrum.eigenvectors() * inverse.asDiagonal() *
                          spectrum.eigenvectors().transpose() * unit.asDiagonal();
    return W;
  }

  // Weights between data of different noise are guessed from the same data: estimates scatter more than if they were
  // known, and errors are told with less certainty ([KenwardRoger97]):
  //   C + 2 even (sum_ab W_ab (delta_ab A_a - A_a A_b)) even',   degrees_k = 2 C_kk^2 / (V' W V),
  // with V_a the part of noise a in C_kk. With one noise it is C and n - k. Where data scatter with several noises,
  // sum_i p_ia p_ib M_i'M_i stands in the place of delta_ab A_a.
  void account_for_guessed_weights(const MatrixXd& at_known_weights, const std::vector<MatrixXd>& parts,
                                   const Weighted& weighted) {
    const auto& [even, shares, rows, W] = weighted;
    const auto count = static_cast<Index>(shares.size());
    MatrixXd scatter = MatrixXd::Zero(even.cols(), even.cols());
    if (!are_whole_) {
      const VectorXd both = (part_ * W).cwiseProduct(part_).rowwise().sum();
      scatter = rows * both.asDiagonal() * rows.transpose();
    }
    for (Index a = 0; a < count; ++a) {
      if (are_whole_) scatter += W(a, a) * shares[a];
      for (Index b = 0; b < count; ++b) scatter -= W(a, b) * shares[a] * shares[b];
    }
    for (Index k = 0; k < even.rows(); ++k) {
      VectorXd own(count);
      for (Index a = 0; a < count; ++a) own[a] = parts[a](k, k);
      const double sum = own.dot(W * own);
      const double variance = at_known_weights(k, k);
      if (sum > 0 && variance > 0) out_.degrees[k] = std::max(1.0, 2 * variance * variance / sum);
    }
    out_.covariance = to_matrix(at_known_weights + 2 * even * scatter * even.transpose());
  }

  // Several noises under normal laws, each measurement with one of them, none with a prior, and few data: that is where
  // it matters.
  bool can_be_restricted() const {
    const auto is_one = [&](double part) { return std::abs(part - 1) < rules_.rounding; };
    const auto work = static_cast<double>(influence_.cols) * influence_.rows * influence_.rows;
    return part_.cols() > 1 && work * rules_.most_rounds <= rules_.most_work && are_whole_ &&
           std::all_of(scales_.begin(), scales_.end(), [&](int k) { return prior_information(k) == 0; }) &&
           std::all_of(relative_information_.begin(), relative_information_.end(), is_one);
  }
  // What was estimated has the weights of the likelihood, which scatter more than its variances: its covariance is
  //   root (sum_i c_i M_i' M_i) root'
  // with c_i the variances of restricted likelihood, not the least that these variances allow.
  void correct_by_restricted_variances() {
    const auto M = view(influence_);
    GroupedRows rows{influence_, residuals(), std::vector<int>(roles_.size(), -1)};
    for (Index i = 0; i < M.cols(); ++i)
      for (Index a = 0; a < part_.cols() && is_mean(i); ++a)
        if (part_(roles_[i].measurement, a) > 0.5) rows.group[i] = static_cast<int>(a);
    std::vector<double> c;
    for (const int k : scales_) c.push_back(out_.noise[k].inflation);
    c = restricted_variances(rows, std::move(c), rules_);
    std::vector<double> inflation(static_cast<std::size_t>(measurements_), 1.0);
    for (int m = 0; m < measurements_; ++m)
      for (Index a = 0; a < part_.cols(); ++a)
        if (part_(m, a) > 0.5) inflation[m] = c[a];
    const auto root = view(uncertainty_.root);
    MatrixXd all = MatrixXd::Zero(root.cols(), root.cols());
    std::vector<MatrixXd> parts(static_cast<std::size_t>(part_.cols()), all);
    for (Index i = 0; i < M.cols(); ++i) {
      const MatrixXd square = inflation_of(i, inflation) * M.col(i) * M.col(i).transpose();
      all += square;
      if (rows.group[i] >= 0) parts[rows.group[i]] += square;
    }
    for (MatrixXd& part : parts) part = root * part * root.transpose();
    const Weighted weighted = weighted_by(inflation);
    account_for_guessed_weights(root * all * root.transpose(), parts, weighted);
    for (std::size_t a = 0; a < c.size(); ++a) {
      const auto at = static_cast<Index>(a);
      out_.noise[scales_[a]] = {.inflation = c[a], .degrees = 2 / weighted.W(at, at)};
    }
  }
  // Residuals of the rows of means and priors; others have none to give.
  std::vector<double> residuals() const {
    std::vector<double> r;
    for (const nlp::ChainBlocks& chain : blocks_.chains)
      for (const nlp::Rows& rows : chain.rows) r.insert(r.end(), rows.r.begin(), rows.r.end());
    r.insert(r.end(), blocks_.priors.r.begin(), blocks_.priors.r.end());
    for (std::size_t i = 0; i < r.size(); ++i)
      if (roles_[i].of_noise) r[i] = 0;
    return r;
  }

  void store_parts(const Weighted& weighted) {
    const MatrixXd& even = weighted.even;
    const auto numbers = static_cast<double>(even.rows() * even.rows()) * static_cast<double>(weighted.shares.size());
    if (numbers > rules_.most_numbers) return;
    out_.at_known_weights = to_matrix(even * even.transpose());
    for (const MatrixXd& share : weighted.shares) out_.by_noise.push_back(to_matrix(even * share * even.transpose()));
    out_.spread = to_matrix(weighted.W);
    if (static_cast<double>(part_.size()) <= rules_.most_numbers) out_.part = to_matrix(part_);
  }

  // The covariance without knowing which row says what, as if all said the same.
  void scale_covariance() {
    double mean = 0;
    for (const double c : out_.inflation) mean += c / static_cast<double>(out_.inflation.size());
    for (double& entry : out_.covariance.data) entry *= mean;
    double degrees = 0;
    for (const int k : scales_) degrees += out_.noise[k].degrees;
    out_.degrees.assign(out_.degrees.size(), degrees);
    out_.of_profiles = out_.covariance;
    out_.profile_degrees = out_.degrees;
    out_.profile_noise = out_.noise;
  }

  const nlp::Layout& layout_;
  const nlp::Blocks& blocks_;
  const Uncertainty& uncertainty_;
  const std::vector<RowRole>& roles_;
  int measurements_;
  std::vector<double> units_;
  SmallSampleRules rules_;
  SmallSamples out_{};
  std::vector<int> scales_{};                   // thetas that are scales of noise
  Matrix influence_{};                          // empty where it is not known
  VectorXd leverage_{};                         // of rows ...
  VectorXd mean_leverage_{};                    // ... and of measurements
  MatrixXd slopes_{};                           // noise rows by noise
  MatrixXd share_{};                            // row by noise
  MatrixXd part_{};                             // measurement by noise; sums to 1
  std::vector<bool> whole_{};                   // a noise that is the only one of its data
  bool are_whole_ = true;                       // all of them
  std::vector<double> data_{};                  // on which a noise stands, as many of equal share ...
  std::vector<double> relative_information_{};  // ... and what each tells of it, against a normal law
};

}  // namespace

Matrix sampling_covariance(const nlp::Layout& layout, const nlp::Blocks& blocks, const Uncertainty& uncertainty,
                           const std::vector<RowRole>& roles) {
  Matrix covariance = uncertainty.covariance;
  const auto is_prior = [](const RowRole& role) { return role.measurement < 0; };
  if (std::none_of(roles.begin(), roles.end(), is_prior)) return covariance;
  const Matrix influence = row_influence(layout, blocks, uncertainty.root);
  Eigen::Map<MatrixXd> C(covariance.data.data(), covariance.rows, covariance.cols);
  for (std::size_t i = 0; i < roles.size(); ++i)
    if (is_prior(roles[i])) {
      const VectorXd moved = view(uncertainty.root) * view(influence).col(static_cast<Index>(i));
      C -= moved * moved.transpose();
    }
  return covariance;
}

namespace {

// Satterthwaite's degrees of freedom of a variance with these parts of each noise.
double degrees_of(const SmallSamples& samples, double variance, const VectorXd& parts) {
  const double sum = parts.dot(view(samples.spread) * parts);
  return sum > 0 ? std::max(1.0, 2 * variance * variance / sum) : without_end();
}
double along_of(const Matrix& matrix, const std::vector<double>& d) {
  const Eigen::Map<const VectorXd> along(d.data(), static_cast<Index>(d.size()));
  return along.dot(view(matrix) * along);
}
VectorXd parts_along(const SmallSamples& samples, const std::vector<double>& d) {
  VectorXd parts(static_cast<Index>(samples.by_noise.size()));
  for (Index a = 0; a < parts.size(); ++a) parts[a] = along_of(samples.by_noise[a], d);
  return parts;
}

}  // namespace

Spread spread_along(const SmallSamples& samples, const std::vector<double>& d) {
  Spread out{.variance = along_of(samples.of_profiles, d), .degrees = without_end()};
  if (samples.by_noise.empty())
    for (const double degrees : samples.profile_degrees) out.degrees = std::min(out.degrees, degrees);
  else
    out.degrees = degrees_of(samples, along_of(samples.at_known_weights, d), parts_along(samples, d));
  return out;
}

Spread spread_of_new(const SmallSamples& samples, const std::vector<double>& d, double variance, int like) {
  Spread out = spread_along(samples, d);
  const double corrected = like < 0 ? variance : variance * samples.inflation[like];
  out.variance += corrected;
  if (samples.by_noise.empty()) return out;
  VectorXd parts = parts_along(samples, d);
  if (like >= 0 && like < samples.part.rows) parts += corrected * view(samples.part).row(like).transpose();
  out.degrees = degrees_of(samples, along_of(samples.at_known_weights, d) + corrected, parts);
  return out;
}

SmallSamples small_samples(const nlp::Layout& layout, const nlp::Blocks& blocks, const Uncertainty& uncertainty,
                           const std::vector<RowRole>& roles, int measurements, const std::vector<double>& units,
                           const SmallSampleRules& rules) {
  return Correction(layout, blocks, uncertainty, roles, measurements, units, rules).run();
}

}  // namespace salvo::statistics
