#include "base/parallel.hpp"
#include "model/prior.hpp"
#include "shooting/pack_run.hpp"
#include "shooting/written_products.hpp"

// Products with the derivatives by theta: by sweeps over the steps of one evaluation, or from its matrices.
namespace salvo::shooting {

class ShootingProblem::SweptProducts final : public nlp::Products {
 public:
  SweptProducts(const ShootingProblem& shooting, nlp::Point q, const nlp::Request& request)
      : shooting_(shooting), q_(std::move(q)), pass_{.q = q_, .request = request, .room = room_, .stored = &stored_} {}
  SweptProducts(const SweptProducts&) = delete;
  SweptProducts& operator=(const SweptProducts&) = delete;

  // Evaluates the point and stores what the products need.
  nlp::Evaluation evaluate(nlp::Blocks& out) {
    Pass first{.q = q_, .request = pass_.request, .room = room_, .blocks = &out, .jacobians = true, .stored = &stored_};
    const nlp::Evaluation evaluation = shooting_.run(first);
    pass_.model = first.model;
    pass_.integrator = first.integrator;
    pass_.experiments = stored_.experiments;
    for (int i = 0; i < shooting_.layout_.thetas; ++i) {
      const model::Estimated& estimated = estimated_theta(shooting_.problem_, shooting_.names(), i);
      if (estimated.prior)
        priors_.push_back(
            {i, model::prior_row(estimated, q_[i], pass_.request.smoothing, purpose_of(pass_.request)).slope});
    }
    return evaluation;
  }

  void along(const std::vector<double>& theta, nlp::Blocks& change) const override {
    if (shooting_.options_.lanes == 1) along_by<1>(theta, change);
    if (shooting_.options_.lanes == widest_pack) along_by<widest_pack>(theta, change);
  }
  std::vector<double> transposed(const nlp::Blocks& weights) const override {
    if (shooting_.options_.lanes == 1) return transposed_by<1>(weights);
    return transposed_by<widest_pack>(weights);
  }

 private:
  int chains() const { return static_cast<int>(shooting_.layout_.chains.size()); }
  int intervals() const { return static_cast<int>(shooting_.plan_.intervals.size()); }
  const std::vector<RowSlopes>& slopes_at_end(int chain) const { return stored_.slopes[intervals() + chain]; }
  NodeMap last_node(int c) const {
    const nlp::Layout::Chain& chain = shooting_.layout_.chains[c];
    return node_map(stored_.experiments[c], chain, chain.links(), q_);
  }

  template <int W>
  void along_by(const std::vector<double>& theta, nlp::Blocks& change) const {
    typename PackRun<W>::Direction direction{.theta = theta};
    for (const ExperimentValues& values : stored_.experiments) {
      direction.dp.push_back(std::vector<double>(shooting_.model().active, 0.0));
      for (const Slope& slope : values.p_by_theta) direction.dp.back()[slope.row] += slope.value * theta[slope.column];
    }
    shape(change);
    each_pack<W>([&](PackRun<W>& run, int) { run.along(direction, change); });
    for (int c = 0; c < chains(); ++c) {
      std::vector<double> ds(shooting_.model().states, 0.0);
      last_node(c).each_by_theta([&](int row, int column, double value) { ds[row] += value * theta[column]; });
      for (const RowSlopes& slopes : slopes_at_end(c)) {
        double& r = change.chains[c].rows.back().r[slopes.row];
        for (const auto& [k, slope] : slopes.by_p) r += slope * direction.dp[c][k];
        for (const auto& [i, slope] : slopes.by_x) r += slope * ds[i];
      }
    }
    for (std::size_t n = 0; n < priors_.size(); ++n) change.priors.r[n] = priors_[n].second * theta[priors_[n].first];
  }

  template <int W>
  std::vector<double> transposed_by(const nlp::Blocks& weights) const {
    std::vector<std::vector<double>> parts((intervals() + W - 1) / W,
                                           std::vector<double>(shooting_.layout_.thetas, 0.0));
    each_pack<W>([&](PackRun<W>& run, int pack) { run.transposed(weights, parts[pack]); });
    std::vector<double> by_theta(shooting_.layout_.thetas, 0.0);
    for (const auto& part : parts)
      for (std::size_t i = 0; i < by_theta.size(); ++i) by_theta[i] += part[i];
    for (int c = 0; c < chains(); ++c) add_end(c, weights, by_theta);
    for (std::size_t n = 0; n < priors_.size(); ++n)
      by_theta[priors_[n].first] += priors_[n].second * weights.priors.r[n];
    return by_theta;
  }

  // What is measured at the last node of a chain.
  void add_end(int c, const nlp::Blocks& weights, std::vector<double>& by_theta) const {
    std::vector<double> by_p(shooting_.model().active, 0.0);
    std::vector<double> by_s(shooting_.model().states, 0.0);
    for (const RowSlopes& slopes : slopes_at_end(c)) {
      const double r = weights.chains[c].rows.back().r[slopes.row];
      for (const auto& [k, slope] : slopes.by_p) by_p[k] += slope * r;
      for (const auto& [i, slope] : slopes.by_x) by_s[i] += slope * r;
    }
    for (const Slope& slope : stored_.experiments[c].p_by_theta)
      by_theta[slope.column] += by_p[slope.row] * slope.value;
    last_node(c).each_by_theta([&](int row, int column, double value) { by_theta[column] += by_s[row] * value; });
  }

  void shape(nlp::Blocks& change) const {
    change.chains.resize(chains());
    for (int c = 0; c < chains(); ++c) {
      const int K = shooting_.layout_.chains[c].links();
      change.chains[c].links.resize(K);
      change.chains[c].rows.resize(K + 1);
      for (nlp::Link& link : change.chains[c].links) link.gap.assign(shooting_.model().states, 0.0);
      for (int j = 0; j <= K; ++j) change.chains[c].rows[j].r.assign(shooting_.plan_.row_count[c][j], 0.0);
    }
    change.priors.r.assign(priors_.size(), 0.0);
  }

  template <int W, class Body>
  void each_pack(const Body& body) const {
    parallel_for((intervals() + W - 1) / W, shooting_.options_.engine.threads, [&](int pack) {
      if (shooting_.is_stopped()) return;
      const auto workspace = shooting_.engine_->buffers().workspaces.borrow();
      PackRun<W> run(shooting_, pass_, *workspace, pack * W);
      body(run, pack);
    });
  }

  const ShootingProblem& shooting_;
  nlp::Point q_;
  mutable StoredLinearisation stored_;  // sweeps leave nothing behind in it
  PassRoom room_;
  mutable Pass pass_;
  std::vector<std::pair<int, double>> priors_;  // theta, slope of its row
};

nlp::Evaluation ShootingProblem::linearize_nodes(const nlp::Point& q, const nlp::Request& request, nlp::Blocks& out,
                                                 std::unique_ptr<nlp::Products>& by_theta) const {
  by_theta = nullptr;
  if (theta_products_ == ThetaProductsBy::matrices) {
    nlp::Evaluation evaluation = linearize(q, request, out);
    if (evaluation.ok) by_theta = std::make_unique<WrittenProducts>(out);
    return evaluation;
  }
  auto products = std::make_unique<SweptProducts>(*this, q, request);
  nlp::Evaluation evaluation = products->evaluate(out);
  if (evaluation.ok) by_theta = std::move(products);
  return evaluation;
}

}  // namespace salvo::shooting
