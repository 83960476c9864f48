#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/issue.hpp"
#include "base/result.hpp"

namespace salvo::fit {

// What a comparison has to know of a finished fit.
struct ComparedFit {
  std::string name{};  // of its folder
  std::string title{};
  bool converged = false;
  std::string data{};  // digests (model/digest.hpp)
  std::string model{};
  int measurements = 0;
  double llh = 0;
  double log_prior = 0;
  std::optional<double> aic{}, aicc{}, bic{};
  std::set<std::string> estimated{};      // parameters and initial values
  std::map<std::string, double> fixed{};  // parameters that are constants

  // Effective number of estimated quantities: that of the criteria.
  double k() const;
};

// By how much a criterion lies above the smallest, and the weight exp(-delta/2) over the sum of all of them.
struct Ranked {
  std::optional<double> delta{};
  std::optional<double> weight{};
};
// 2 (llh of the larger - llh of the smaller), which is chi-squared with as many degrees of freedom as the larger one
// has more quantities, if the smaller model is true and lies within the larger.
struct LikelihoodRatio {
  std::string smaller{};
  std::string larger{};
  double statistic = 0;
  int degrees_of_freedom = 0;
  double p_value = 0;
};
struct Comparison {
  struct Row {
    ComparedFit fit{};
    Ranked aic{}, aicc{}, bic{};
  };
  std::vector<Row> rows{};  // the best first
  bool by_aicc = true;      // ranked by AICc, which all of them have, or by AIC
  std::vector<LikelihoodRatio> ratios{};
  std::vector<std::string> remarks{};
  std::string sentence{};
};

// Issues where the fits are not of the same data, or have no criteria. `nested`: each is a special case of those that
// estimate more, as the user says.
Result<Comparison> compare(std::vector<ComparedFit> fits, bool nested);

}  // namespace salvo::fit
