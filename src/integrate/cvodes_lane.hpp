#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "compile/compiled_model.hpp"
#include "integrate/record.hpp"
#include "integrate/switchboard.hpp"
#include "model/choices.hpp"

namespace salvo::integrate {

// One trajectory by the library CVODES ([HBGLSSW05]): multistep methods with variable order, whose derivatives are
// solutions of equations of their own, to the same tolerance. A second opinion, not the derivatives of the numbers
// that were computed.
class CvodesLane {
 public:
  struct Start {
    double begin = 0;
    std::vector<double> stops{}, x0{}, p{};
    std::vector<double> x_stop{};  // from an earlier flight: what adjoints measure errors by
    int max_steps = default_max_steps;
    const StopFlag* stop = nullptr;
  };
  CvodesLane(const model::Cvodes& choice, const compile::CompiledModel& model, const Start& start);
  ~CvodesLane();
  CvodesLane(const CvodesLane&) = delete;
  CvodesLane& operator=(const CvodesLane&) = delete;

  // What a run leaves: the states at the stops that were reached, one after the other.
  struct Flown {
    Ending ending{};
    std::vector<double> x_stop{};
    std::vector<int> steps_at_stop{};
    long rhs = 0;
    bool is_due = false;  // it ended at a discontinuity,
    double time = 0;      // at this time
    std::vector<double> x{};
  };
  Flown fly();
  // This one goes up to the first discontinuity.
  Flown fly_until_due(Switchboard& board);

  // at_stop(k, T): T[i + column * states] by the given directions, each of which holds those of x0 and of the active p.
  template <class AtStop>
  void tangents(const std::vector<std::vector<double>>& directions, const AtStop& at_stop) {
    begin_tangents(directions);
    for (int k = 0; k < stops() && advance(k); ++k) at_stop(k, sensitivities());
  }

  // injected[k][i + scalar * states] is added at stop k; [i + scalar * (states + active)] comes back.
  std::vector<double> adjoints(const std::vector<std::vector<double>>& injected, int scalars);

 private:
  struct Library;
  int stops() const;
  void begin_tangents(const std::vector<std::vector<double>>& directions);
  bool advance(int stop);
  void note_failure(int flag, Flown& out);
  void note_stop(Flown& out);
  double pass_crossings(Switchboard& board, double t, double reached);
  const double* sensitivities();

  std::unique_ptr<Library> library_;
};

}  // namespace salvo::integrate
