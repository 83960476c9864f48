#include "integrate/cvodes_lane.hpp"

#include <cvodes/cvodes.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "integrate/coupled_sizes.hpp"
#include "integrate/error_scale.hpp"

namespace salvo::integrate {
namespace {

constexpr int most_dense_states = 60;
constexpr int steps_between_checkpoints = 250;

void require(bool holds) {
  if (!holds) throw std::runtime_error("CVODES refused to be set up");
}

double* numbers(N_Vector v) { return N_VGetArrayPointer(v); }

}  // namespace

struct CvodesLane::Library {
  const compile::CompiledModel& model;
  const compile::StiffKernels& kernels;
  model::Cvodes choice;
  Start start;
  int d, a;
  std::vector<double> work, linear, f_out, product, by_p, absolute, flat, reading;
  SUNContext context = nullptr;
  void* memory = nullptr;
  N_Vector x = nullptr, lambda = nullptr, quadrature = nullptr;
  N_Vector* s = nullptr;
  int directions = 0;
  std::vector<std::vector<double>> dp;  // of each direction
  std::vector<SUNMatrix> matrices;
  std::vector<SUNLinearSolver> linear_solvers;
  std::vector<SUNNonlinearSolver> fixed_points;
  long rhs = 0;
  bool is_measured = false;  // the tolerances stay as they are
  double scalar_size = 1;    // of what is differentiated on the way back

  Library(const model::Cvodes& the_choice, const compile::CompiledModel& the_model, const Start& the_start)
      : model(the_model),
        kernels(the_model.stiff->kernels()),
        choice(the_choice),
        start(the_start),
        d(the_model.states),
        a(the_model.active),
        work(std::max(the_model.largest_work(), kernels.largest_work())),
        linear(2 * d + model.f_x.size()),
        f_out(d + model.kept),
        product(d),
        by_p(std::max(a, 1)),
        absolute(d) {
    const ErrorScale scale = error_scale();
    scale.begin<1>(start.x0.data(), d, absolute.data());
    if (!choice.atol) measure_by_neighbours();
    require(SUNContext_Create(nullptr, &context) == 0);
    x = N_VNew_Serial(d, context);
    lambda = N_VNew_Serial(d, context);
    quadrature = N_VNew_Serial(std::max(a, 1), context);
    memory = CVodeCreate(family(), context);
    require(memory != nullptr);
    CVodeSetErrHandlerFn(
        memory, [](int, const char*, const char*, char*, void*) {}, nullptr);
    std::copy(start.x0.begin(), start.x0.end(), numbers(x));
    require(CVodeInit(memory, f, start.begin, x) == 0);
    CVodeSetUserData(memory, this);
    CVodeWFtolerances(memory, weights);
    CVodeSetMaxNumSteps(memory, start.max_steps);
    if (is_bdf()) {
      add_linear_solver();
      CVodeSetLinearSolver(memory, linear_solvers.back(), matrices.back());
      CVodeSetJacFn(memory, jacobian);
    } else {
      fixed_points.push_back(SUNNonlinSol_FixedPoint(x, 0, context));
      CVodeSetNonlinearSolver(memory, fixed_points.back());
    }
  }
  ~Library() {
    CVodeFree(&memory);
    for (SUNNonlinearSolver solver : fixed_points) SUNNonlinSolFree(solver);
    for (SUNLinearSolver solver : linear_solvers) SUNLinSolFree(solver);
    for (SUNMatrix matrix : matrices) SUNMatDestroy(matrix);
    if (s != nullptr) N_VDestroyVectorArray(s, directions);
    for (N_Vector v : {x, lambda, quadrature}) N_VDestroy(v);
    SUNContext_Free(&context);
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  ErrorScale error_scale() const { return {.rtol = choice.rtol, .atol = choice.atol}; }
  bool is_bdf() const { return choice.family == model::MultistepFamily::bdf; }
  int family() const { return is_bdf() ? CV_BDF : CV_ADAMS; }
  bool is_dense() const { return d <= most_dense_states; }
  static Library& of(void* data) { return *static_cast<Library*>(data); }

  void add_linear_solver() {
    if (is_dense()) {
      matrices.push_back(SUNDenseMatrix(d, d, context));
      linear_solvers.push_back(SUNLinSol_Dense(x, matrices.back(), context));
    } else {
      matrices.push_back(SUNSparseMatrix(d, d, model.f_x.size() + d, CSC_MAT, context));
      linear_solvers.push_back(SUNLinSol_KLU(x, matrices.back(), context));
    }
  }

  // States near zero are measured by what flows into them.
  void measure_by_neighbours() {
    const auto at = [&](const std::array<double, 1>& time, const double* state) {
      linearize(time[0], state);
      return Linearized{linear.data(), linear.data() + d};
    };
    const std::array<double, 1> end{start.stops.empty() ? start.begin : start.stops.back()};
    const std::vector<double> least =
        least_by_neighbours<1>(error_scale(), model.rows, {start.begin}, end, start.x0.data(), product.data(), at);
    for (int i = 0; i < d; ++i) absolute[i] = std::max(absolute[i], least[i]);
  }

  // --- what CVODES asks for -----------------------------------------------------------------------------------------

  void linearize(double t, const double* at) {
    kernels.linearization.run<1>({.time = &t, .state = at, .parameter = start.p.data()}, work.data(), linear.data());
  }

  // What CVODES takes for a mistake that no shorter step can mend.
  static constexpr int given_up = -1;

  static int f(double t, N_Vector x, N_Vector out, void* data) {
    Library& l = of(data);
    if (is_raised(l.start.stop)) return given_up;
    ++l.rhs;
    l.model.rhs.run<1>({.time = &t, .state = numbers(x), .parameter = l.start.p.data()}, l.work.data(), l.f_out.data());
    for (int i = 0; i < l.d; ++i) {
      if (!std::isfinite(l.f_out[i])) return 1;
      numbers(out)[i] = l.f_out[i];
    }
    return 0;
  }

  static int weights(N_Vector x, N_Vector out, void* data) {
    Library& l = of(data);
    const ErrorScale scale = l.error_scale();
    if (!l.is_measured) scale.grow<1>(numbers(x), l.d, l.absolute.data());
    for (int i = 0; i < l.d; ++i) numbers(out)[i] = 1 / std::max(scale.weight(numbers(x)[i], 0, l.absolute[i]), 1e-300);
    return 0;
  }

  // sign f_x, or its transpose, by columns.
  void fill(SUNMatrix out, double sign, bool transposed) const {
    const double* nonzeros = linear.data() + d;
    SUNMatZero(out);
    if (is_dense()) {
      for (int k = 0; k < model.f_x.size(); ++k) {
        const int i = transposed ? model.f_x.column[k] : model.f_x.row[k];
        const int j = transposed ? model.f_x.row[k] : model.f_x.column[k];
        SM_ELEMENT_D(out, i, j) = sign * nonzeros[k];
      }
      return;
    }
    const compile::Lines& lines = transposed ? model.rows : model.columns;
    sunindextype* start_of = SUNSparseMatrix_IndexPointers(out);
    sunindextype* row = SUNSparseMatrix_IndexValues(out);
    double* value = SUNSparseMatrix_Data(out);
    for (int j = 0; j <= d; ++j) start_of[j] = lines.start[j];
    for (int k = 0; k < lines.start[d]; ++k) {
      row[k] = lines.across[k];
      value[k] = sign * nonzeros[lines.place[k]];
    }
  }
  static int jacobian(double t, N_Vector x, N_Vector, SUNMatrix out, void* data, N_Vector, N_Vector, N_Vector) {
    Library& l = of(data);
    l.linearize(t, numbers(x));
    l.fill(out, 1, false);
    return 0;
  }
  static int adjoint_jacobian(double t, N_Vector x, N_Vector, N_Vector, SUNMatrix out, void* data, N_Vector, N_Vector,
                              N_Vector) {
    Library& l = of(data);
    l.linearize(t, numbers(x));
    l.fill(out, -1, true);
    return 0;
  }

  void pull(double t, const double* at, const double* covector) {
    if (model.kept > 0)
      model.rhs.run<1>({.time = &t, .state = at, .parameter = start.p.data()}, work.data(), f_out.data());
    const compile::Arguments arguments{
        .time = &t, .state = at, .parameter = start.p.data(), .seed = covector, .kept = f_out.data() + d};
    model.vjp.run<1>(arguments, work.data(), product.data());
    std::fill(by_p.begin(), by_p.end(), 0.0);
    model.vjp.add_sums<1>(arguments, work.data(), {}, 1, by_p.data());
  }
  static int adjoint_f(double t, N_Vector x, N_Vector lambda, N_Vector out, void* data) {
    Library& l = of(data);
    if (is_raised(l.start.stop)) return given_up;
    l.pull(t, numbers(x), numbers(lambda));
    for (int i = 0; i < l.d; ++i) numbers(out)[i] = -l.product[i];
    return 0;
  }
  static int adjoint_quadrature(double t, N_Vector x, N_Vector lambda, N_Vector out, void* data) {
    Library& l = of(data);
    l.pull(t, numbers(x), numbers(lambda));
    for (std::size_t k = 0; k < l.by_p.size(); ++k) numbers(out)[k] = -l.by_p[k];
    return 0;
  }
  static int forward_f(int count, double t, N_Vector x, N_Vector, N_Vector* s, N_Vector* out, void* data, N_Vector,
                       N_Vector) {
    Library& l = of(data);
    if (l.model.kept > 0)
      l.model.rhs.run<1>({.time = &t, .state = numbers(x), .parameter = l.start.p.data()}, l.work.data(),
                         l.f_out.data());
    std::vector<double> seed(l.d + l.a);
    for (int c = 0; c < count; ++c) {
      std::copy_n(numbers(s[c]), l.d, seed.begin());
      std::copy_n(l.dp[c].begin(), l.a, seed.begin() + l.d);
      l.model.jvp.run<1>({.time = &t,
                          .state = numbers(x),
                          .parameter = l.start.p.data(),
                          .seed = seed.data(),
                          .kept = l.f_out.data() + l.d},
                         l.work.data(), numbers(out[c]));
    }
    return 0;
  }

  // --- adjoints -----------------------------------------------------------------------------------------------------

  // The size that a state has had on the way forward.
  double size_of(int i) const { return absolute[i] > 0 ? absolute[i] / (error_scale().share * choice.rtol) : 1.0; }

  // Derivatives of a scalar are measured in its unit by that of the state or parameter, and the scalar by the largest
  // product |lambda_i| |x_i|.
  void set_adjoint_tolerances(int which) {
    const double least = error_scale().share * choice.rtol * scalar_size;
    for (int i = 0; i < d; ++i) numbers(x)[i] = least / size_of(i);
    CVodeSVtolerancesB(memory, which, choice.rtol, x);
  }
  void set_quadrature_tolerances(int which) {
    const double least = error_scale().share * choice.rtol * scalar_size;
    for (std::size_t k = 0; k < by_p.size(); ++k) {
      const double size = static_cast<int>(k) < a ? std::abs(start.p[k]) : 0.0;
      numbers(quadrature)[k] = size > 0 ? least / size : least;
    }
    CVodeQuadSVtolerancesB(memory, which, choice.rtol, quadrature);
    N_VConst(0, quadrature);
  }

  int begin_backward(double t) {
    int which = 0;
    require(CVodeCreateB(memory, family(), &which) == 0);
    require(CVodeInitB(memory, which, adjoint_f, t, lambda) == 0);
    set_adjoint_tolerances(which);
    CVodeSetUserDataB(memory, which, this);
    CVodeSetMaxNumStepsB(memory, which, start.max_steps);
    if (is_bdf()) {
      add_linear_solver();
      CVodeSetLinearSolverB(memory, which, linear_solvers.back(), matrices.back());
      CVodeSetJacFnB(memory, which, adjoint_jacobian);
    } else {
      fixed_points.push_back(SUNNonlinSol_FixedPoint(x, 0, context));
      CVodeSetNonlinearSolverB(memory, which, fixed_points.back());
    }
    N_VConst(0, quadrature);
    CVodeQuadInitB(memory, which, adjoint_quadrature, quadrature);
    set_quadrature_tolerances(which);
    CVodeSetQuadErrConB(memory, which, SUNTRUE);
    return which;
  }
};

CvodesLane::CvodesLane(const model::Cvodes& choice, const compile::CompiledModel& model, const Start& start)
    : library_(std::make_unique<Library>(choice, model, start)) {}
CvodesLane::~CvodesLane() = default;

int CvodesLane::stops() const { return static_cast<int>(library_->start.stops.size()); }

bool CvodesLane::advance(int stop) {
  double t = 0;
  const double to = library_->start.stops[stop];
  CVodeSetStopTime(library_->memory, to);
  return CVode(library_->memory, to, library_->x, &t, CV_NORMAL) >= 0;
}

CvodesLane::Flown CvodesLane::fly() {
  Library& l = *library_;
  Flown out;
  for (int k = 0; k < stops(); ++k) {
    double t = 0;
    CVodeSetStopTime(l.memory, l.start.stops[k]);
    const int flag = CVode(l.memory, l.start.stops[k], l.x, &t, CV_NORMAL);
    if (flag < 0) {
      note_failure(flag, out);
      break;
    }
    note_stop(out);
  }
  out.rhs = l.rhs;
  return out;
}

void CvodesLane::note_failure(int flag, Flown& out) {
  Library& l = *library_;
  CVodeGetCurrentTime(l.memory, &out.ending.time);
  out.ending.outcome = is_raised(l.start.stop)                                        ? Outcome::stopped
                       : flag == CV_TOO_MUCH_WORK                                     ? Outcome::too_many_steps
                       : flag == CV_ERR_FAILURE || flag == CV_CONV_FAILURE            ? Outcome::step_too_small
                       : flag == CV_FIRST_RHSFUNC_ERR || flag == CV_REPTD_RHSFUNC_ERR ? Outcome::equation_not_finite
                                                                                      : Outcome::not_finite;
  if (CVodeGetEstLocalErrors(l.memory, l.lambda) != 0) return;
  double worst = -1;
  for (int i = 0; i < l.d; ++i) {
    const double ratio = std::abs(numbers(l.lambda)[i]) / (l.absolute[i] + 1e-300);
    if (!(ratio <= worst)) worst = ratio, out.ending.state = i;
  }
}

void CvodesLane::note_stop(Flown& out) {
  Library& l = *library_;
  long steps = 0;
  CVodeGetNumSteps(l.memory, &steps);
  out.steps_at_stop.push_back(static_cast<int>(steps));
  out.x_stop.insert(out.x_stop.end(), numbers(l.x), numbers(l.x) + l.d);
}

CvodesLane::Flown CvodesLane::fly_until_due(Switchboard& board) {
  Library& l = *library_;
  Flown out;
  double t = l.start.begin;
  int attempts = 0;
  for (int k = 0; k < stops() && !out.is_due;) {
    const double target = std::min(l.start.stops[k], board.next_time());
    double reached = t;
    CVodeSetStopTime(l.memory, target);
    const int flag =
        ++attempts > l.start.max_steps ? CV_TOO_MUCH_WORK : CVode(l.memory, target, l.x, &reached, CV_ONE_STEP);
    if (flag < 0) {
      note_failure(flag, out);
      break;
    }
    t = pass_crossings(board, t, flag == CV_TSTOP_RETURN ? target : reached);
    if (board.is_due(t)) {
      out.is_due = true;
      out.time = t;
      out.x.assign(numbers(l.x), numbers(l.x) + l.d);
    } else if (t == l.start.stops[k]) {
      note_stop(out);
      ++k;
    }
  }
  out.rhs = l.rhs;
  return out;
}

// Where the step may end, with the state there: steps of other lengths are the interpolant of this one.
double CvodesLane::pass_crossings(Switchboard& board, double t, double reached) {
  Library& l = *library_;
  const auto read = [&](double time) {
    l.model.rhs.run<1>({.time = &time, .state = numbers(l.x), .parameter = l.start.p.data()}, l.work.data(),
                       l.f_out.data());
    l.reading.resize(l.model.discontinuities->motion.output_count());
    l.model.discontinuities->motion.run<1>(
        {.time = &time, .state = numbers(l.x), .parameter = l.start.p.data(), .seed = l.f_out.data()}, l.work.data(),
        l.reading.data());
    const std::span<const double> all(l.reading);
    return CrossingSearch::Reading{all.first(all.size() / 2), all.subspan(all.size() / 2)};
  };
  double end = reached;
  CrossingSearch::Reading reading = read(end);
  while (!board.judge(t, end - t, reading)) {
    end = t + board.trial();
    CVodeGetDky(l.memory, end, 0, l.x);
    reading = read(end);
  }
  if (end != reached && !board.is_due(end)) {
    CVodeGetDky(l.memory, end = reached, 0, l.x);
    reading = read(end);
  }
  board.accept(-1, reading);
  return end;
}

void CvodesLane::begin_tangents(const std::vector<std::vector<double>>& directions) {
  Library& l = *library_;
  l.directions = static_cast<int>(directions.size());
  l.s = N_VCloneVectorArray(l.directions, l.x);
  std::vector<double> pbar;
  for (int c = 0; c < l.directions; ++c) {
    std::copy_n(directions[c].begin(), l.d, numbers(l.s[c]));
    l.dp.push_back({directions[c].begin() + l.d, directions[c].end()});
    double scale = 0;  // how far one may go along the direction before p has changed by its own size
    for (int k = 0; k < l.a; ++k)
      if (l.start.p[k] != 0) scale = std::max(scale, std::abs(l.dp[c][k] / l.start.p[k]));
    pbar.push_back(scale > 0 ? 1 / scale : 1.0);
  }
  require(CVodeSensInit(l.memory, l.directions, CV_STAGGERED, Library::forward_f, l.s) == 0);
  CVodeSetSensParams(l.memory, nullptr, pbar.data(), nullptr);
  CVodeSensEEtolerances(l.memory);
  CVodeSetSensErrCon(l.memory, SUNTRUE);
  if (l.is_bdf()) return;
  l.fixed_points.push_back(SUNNonlinSol_FixedPointSens(l.directions, l.x, 0, l.context));
  CVodeSetNonlinearSolverSensStg(l.memory, l.fixed_points.back());
}

const double* CvodesLane::sensitivities() {
  Library& l = *library_;
  double t = 0;
  CVodeGetSens(l.memory, &t, l.s);
  l.flat.resize(static_cast<std::size_t>(l.d) * l.directions);
  for (int c = 0; c < l.directions; ++c)
    std::copy_n(numbers(l.s[c]), l.d, l.flat.begin() + static_cast<std::ptrdiff_t>(c) * l.d);
  return l.flat.data();
}

std::vector<double> CvodesLane::adjoints(const std::vector<std::vector<double>>& injected, int scalars) {
  Library& l = *library_;
  std::vector<double> out(static_cast<std::size_t>(l.d + l.a) * scalars, 0.0);
  CVodeAdjInit(l.memory, steps_between_checkpoints, CV_HERMITE);
  double t = 0;
  int checkpoints = 0;
  // On its way back CVODES repeats steps from its checkpoints and must find the same ones: without stop times, which it
  // does not remember, and with tolerances that do not change.
  for (std::size_t n = 0; n + l.d <= l.start.x_stop.size(); n += l.d)
    l.error_scale().grow<1>(l.start.x_stop.data() + n, l.d, l.absolute.data());
  l.is_measured = true;
  double largest = 0;
  for (const std::vector<double>& at_stop : injected)
    for (std::size_t n = 0; n < at_stop.size(); ++n)
      largest = std::max(largest, std::abs(at_stop[n]) * l.size_of(static_cast<int>(n % l.d)));
  if (largest > 0) l.scalar_size = largest;
  for (const double stop : l.start.stops)
    if (CVodeF(l.memory, stop, l.x, &t, CV_NORMAL, &checkpoints) < 0) return out;
  int which = -1;
  for (int c = 0; c < scalars; ++c) {
    N_VConst(0, l.lambda);
    N_VConst(0, l.quadrature);
    for (int k = stops() - 1; k >= 0; --k) {
      for (int i = 0; i < l.d; ++i) numbers(l.lambda)[i] += injected[k][i + static_cast<std::size_t>(c) * l.d];
      if (which < 0) {
        which = l.begin_backward(l.start.stops[k]);
      } else {
        CVodeReInitB(l.memory, which, l.start.stops[k], l.lambda);
        CVodeQuadReInitB(l.memory, which, l.quadrature);
      }
      const double to = k > 0 ? l.start.stops[k - 1] : l.start.begin;
      if (CVodeB(l.memory, to, CV_NORMAL) < 0) return out;
      CVodeGetB(l.memory, which, &t, l.lambda);
      CVodeGetQuadB(l.memory, which, &t, l.quadrature);
    }
    double* of_scalar = out.data() + static_cast<std::size_t>(c) * (l.d + l.a);
    std::copy_n(numbers(l.lambda), l.d, of_scalar);
    std::copy_n(numbers(l.quadrature), l.a, of_scalar + l.d);
  }
  return out;
}

}  // namespace salvo::integrate
