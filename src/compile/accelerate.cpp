#include "compile/accelerate.hpp"

#include <utility>
#include <vector>

#include "compile/loops.hpp"

namespace salvo::compile {
namespace {

struct Order {
  Kernel* kernel = nullptr;
  int lanes = 1;
};

void give(Kernel& kernel, int lanes, NativeKernel native) {
  if (lanes == 1) kernel.set_native<1>(std::move(native));
  if (lanes == 4) kernel.set_native<4>(std::move(native));
  if (lanes == 8) kernel.set_native<8>(std::move(native));
}

// Tangents of linearly implicit steps take eight stages or steps side by side, however many trajectories there are.
constexpr int side_by_side = 8;

// The bodies of a function that goes through cells, eight of which stand side by side, or the function itself.
template <class Kernel, class Visit>
void each_listing(Kernel& kernel, int lanes, const Visit& visit) {
  if (!kernel.loops()) return visit(kernel, lanes);
  for (Loop& loop : kernel.loops()->loops) visit(loop.body, lanes == 1 ? Loop::side_by_side : lanes);
}

template <class Stiff, class Visit>
void each_of_stiff(Stiff& stiff, const Wanted& wanted, const Visit& visit) {
  visit(stiff.linearization, wanted.lanes);
  visit(stiff.elimination.factorize, wanted.lanes);
  visit(stiff.elimination.solve, wanted.lanes);
  if (wanted.tangents || wanted.directions) {
    visit(stiff.curvature, side_by_side);
    if (wanted.lanes != side_by_side) {
      visit(stiff.linearization, side_by_side);
      visit(stiff.elimination.factorize, side_by_side);
    }
  }
  if (!wanted.jacobian && !wanted.vjp) return;
  visit(stiff.second_pull, wanted.lanes);
  visit(stiff.elimination.solve_transposed, wanted.lanes);
}

// Observables that are more than a state or two.
template <class Model, class Visit>
void each_observable(Model& model, const Visit& visit) {
  constexpr int more_than_a_state = 8;  // instructions
  for (auto& observable : model.observables)
    for (auto* kernel : {&observable.value, &observable.derivative})
      if (kernel->instruction_count() > more_than_a_state) visit(*kernel, 1);
}

// Trajectories that look into their own past fly one by one, and all their sweeps go by one Jacobian. `stiff` is null
// where it is not wanted.
template <class Model, class Delays, class Stiff, class Visit>
void each_of_delayed(Model& model, Delays& delays, Stiff* stiff, const Wanted& wanted, const Visit& visit) {
  const bool sweeps = wanted.tangents || wanted.jacobian || wanted.vjp || wanted.directions;
  visit(model.rhs, 1);
  if (sweeps || stiff != nullptr) visit(delays.jacobian, 1);
  if (stiff != nullptr) {
    const auto if_any = [&](auto& kernel) {
      if (kernel.output_count() > 0) visit(kernel, 1);
    };
    if_any(stiff->elimination.factorize);
    if_any(stiff->elimination.solve);
    if (sweeps) if_any(stiff->curvature_of_past.kernel);
    if (sweeps) if_any(stiff->elimination.solve_transposed);
  }
  each_observable(model, visit);
}

// visit(kernel, lanes) for every kernel that is wanted. `stiff` is null where it is not.
template <class Model, class Stiff, class Visit>
void each_wanted(Model& model, Stiff* stiff, const Wanted& wanted, const Visit& visit) {
  const auto if_any = [&](auto& kernel, int lanes) {
    if (kernel.output_count() > 0) each_listing(kernel, lanes, visit);
  };
  if_any(model.rhs, wanted.lanes);
  if (stiff != nullptr) each_of_stiff(*stiff, wanted, if_any);
  for (auto* kernel : {&model.whole.step, &model.whole.push, &model.whole.pull}) if_any(*kernel, wanted.lanes);
  const bool sweeps_by_stages = wanted.tangents && stiff == nullptr && model.whole.push.output_count() == 0;
  const bool sweeps_stiff = (wanted.tangents || wanted.directions) && stiff != nullptr;
  if (wanted.jacobian || sweeps_by_stages) if_any(model.jacobian, wanted.lanes);
  if (sweeps_stiff && !(wanted.jacobian && wanted.lanes == side_by_side)) if_any(model.jacobian, side_by_side);
  if (wanted.vjp && model.whole.pull.output_count() == 0) if_any(model.vjp, wanted.lanes);
  if (wanted.directions) {
    if_any(model.jvp_x, wanted.lanes);
    if_any(model.jvp, wanted.lanes);
  }
  each_observable(model, if_any);
}

constexpr int with_derivatives = 3;  // whole steps for one without them

// What f keeps for its pullback has no place in a whole step; and steps that end where something switches are swept
// stage by stage.
bool takes_whole_steps(const CompiledModel& model, const Wanted& wanted) {
  return wanted.whole_steps != nullptr && model.formulas && model.kept == 0 && !model.discontinuities &&
         !model.looks_back() &&
         length_of_whole_step(model.rhs.instruction_count(), model.states, *wanted.whole_steps) <= longest_step;
}

}  // namespace

int instructions_to_translate(const CompiledModel& model, const Wanted& wanted) {
  if (model.looks_back()) {
    int count = 0;
    const StiffKernels* stiff = wanted.stiff && model.stiff ? &model.stiff->kernels() : nullptr;
    each_of_delayed(model, *model.delays, stiff, wanted,
                    [&](const Kernel& kernel, int) { count += kernel.instruction_count(); });
    return count;
  }
  int count =
      takes_whole_steps(model, wanted)
          ? with_derivatives * length_of_whole_step(model.rhs.instruction_count(), model.states, *wanted.whole_steps)
          : 0;
  const StiffKernels* stiff = wanted.stiff ? &model.stiff->kernels() : nullptr;
  each_wanted(model, stiff, wanted, [&](const Kernel& kernel, int) { count += kernel.instruction_count(); });
  return count;
}

double price_of_machine_code(const CompiledModel& model, const Wanted& wanted) {
  constexpr double loading = 3e7;      // of the translator
  constexpr double translating = 5e4;  // one instruction ...
  constexpr double many = 2e4;         // ... of a few; of so many it takes twice as long
  const double count = instructions_to_translate(model, wanted);
  return loading + translating * count * (1 + count / many);
}

Accelerated accelerate(const CompiledModel& model, const Wanted& wanted, const StopFlag* stop) {
  auto copy = std::make_shared<CompiledModel>(model);
  copy->accelerator.reset();
  for (Kernel* kernel : {&copy->rhs, &copy->jacobian, &copy->vjp, &copy->jvp_x, &copy->jvp}) kernel->own_loops();
  if (takes_whole_steps(model, wanted)) {
    copy->whole = step_kernels(*model.formulas, *wanted.whole_steps, {.push = wanted.tangents, .pull = wanted.vjp});
    copy->whole_by = wanted.whole_steps;
  }
  StiffKernels stiff;
  if (wanted.stiff && model.stiff) {
    stiff = model.stiff->kernels();
    for (Kernel* kernel : {&stiff.linearization, &stiff.curvature, &stiff.second_pull}) kernel->own_loops();
  }
  std::vector<Order> orders;
  const auto ask_for = [&](Kernel& kernel, int lanes) { orders.push_back({&kernel, lanes}); };
  if (model.looks_back()) {
    const auto delays = std::make_shared<Delays>(*model.delays);
    copy->delays = delays;
    each_of_delayed(*copy, *delays, wanted.stiff && model.stiff ? &stiff : nullptr, wanted, ask_for);
  } else {
    each_wanted(*copy, wanted.stiff ? &stiff : nullptr, wanted, ask_for);
  }
  std::vector<NativeOrder> listings;
  for (const Order& order : orders) listings.push_back({&order.kernel->tape().listing(), order.lanes});
  NativeCode code = translate(listings, stop);
  if (!code.trouble.empty()) return {nullptr, code.trouble};
  for (std::size_t n = 0; n < orders.size(); ++n) give(*orders[n].kernel, orders[n].lanes, std::move(code.kernels[n]));
  if (wanted.stiff && model.stiff) copy->stiff = std::make_shared<StiffSource>(std::move(stiff));
  copy->code = std::move(code.memory);
  return {std::move(copy), {}};
}

}  // namespace salvo::compile
