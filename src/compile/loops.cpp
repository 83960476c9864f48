#include "compile/loops.hpp"

#include <algorithm>

namespace salvo::compile {
namespace {

constexpr int group = Loop::side_by_side;

// Numbers of a group of cells for the body of a loop, and what it makes of them. Where trajectories are the lanes, the
// arguments of one cell stand there at a time and the outputs of all.
template <int W>
class LoopRun {
 public:
  static constexpr bool cells_are_lanes = W == 1;
  static constexpr int lanes = cells_are_lanes ? group : W;

  LoopRun(const Loops& loops, const Arguments& a, double* work, double* out)
      : a_(a), sums_(work), partial_(sums_ + loops.sums * W), room_(partial_ + loops.sums * W * group), out_(out) {}

  void run(const Loop& loop, bool adds) {
    place(loop);
    set_shared(loop);
    for (row_ = 0; row_ < loop.rows; ++row_)
      for (int first = 0; first < loop.cells; first += group)
        run_group(loop, first, std::min(group, loop.cells - first), adds);
  }

 private:
  void run_group(const Loop& loop, int first, int count, bool adds) {
    if constexpr (cells_are_lanes) {
      gather_cells(loop, first, count);
      run_body(loop, body_out_);
    } else {
      for (int c = 0; c < count; ++c) {
        gather_lanes(loop, first + c);
        run_body(loop, body_out_ + static_cast<std::size_t>(c) * loop.body.output_count() * W);
      }
    }
    for (std::size_t k = 0; k < loop.outputs.size(); ++k) scatter(loop, k, first, count, adds);
    for (std::size_t k = 0; k < loop.sums.size(); ++k) add_up(loop, k, count);
  }

  // Of a cell of the row that is looked at.
  std::ptrdiff_t place_of(const Reach& reach, int cell) const {
    return reach.first + static_cast<std::ptrdiff_t>(reach.row_stride) * row_ +
           static_cast<std::ptrdiff_t>(reach.stride) * cell;
  }

  void place(const Loop& loop) {
    double* next = room_;
    const auto give = [&](std::size_t count) {
      double* given = next;
      next += count;
      return given;
    };
    time_ = give(lanes);
    kept_ = give(lanes);
    states_ = give((loop.states.size() + loop.numbers.size()) * lanes);
    seeds_ = give(loop.seeds.size() * lanes);
    parameters_ = give(loop.parameters.size() * lanes);
    body_out_ = give(static_cast<std::size_t>(loop.body.output_count()) * group * W);
    body_work_ = next;
  }

  // What all cells see.
  void set_shared(const Loop& loop) {
    const auto share = [](const double* from, double* to) {
      for (int l = 0; l < lanes; ++l) to[l] = from[cells_are_lanes ? 0 : l];
    };
    if (a_.time != nullptr) share(a_.time, time_);
    if (loop.takes_kept) share(a_.kept, kept_);
    for (std::size_t k = 0; k < loop.parameters.size(); ++k)
      share(a_.parameter + static_cast<std::size_t>(loop.parameters[k]) * W, parameters_ + k * lanes);
  }

  void run_body(const Loop& loop, double* out) {
    loop.body.template run<lanes>(
        {.time = time_, .state = states_, .parameter = parameters_, .seed = seeds_, .kept = kept_}, body_work_, out);
  }

  static double weighted(const Reach& reach, const double* from, int l) {
    double sum = 0;
    for (std::size_t i = 0; i < reach.weights.size(); ++i)
      sum += reach.weights[i] * from[(reach.first + static_cast<std::ptrdiff_t>(i) * reach.step) * W + l];
    return sum;
  }

  // Lanes behind the last cell repeat it.
  void gather(const std::vector<Reach>& reaches, const double* from, int first, int count, double* to) const {
    for (const Reach& reach : reaches) {
      const double* at = from + place_of(reach, first);
      if (!reach.weights.empty()) {
        std::fill_n(to, group, weighted(reach, from, 0));
      } else if (reach.stride == 1 && count == group) {
        std::copy_n(at, group, to);
      } else {
        for (int c = 0; c < group; ++c) to[c] = at[static_cast<std::ptrdiff_t>(reach.stride) * std::min(c, count - 1)];
      }
      to += group;
    }
  }
  void gather_cells(const Loop& loop, int first, int count) {
    gather(loop.states, a_.state, first, count, states_);
    double* to = states_ + loop.states.size() * group;
    for (const std::vector<double>& values : loop.numbers) {
      for (int c = 0; c < group; ++c) to[c] = values[row_ * loop.cells + first + std::min(c, count - 1)];
      to += group;
    }
    gather(loop.seeds, a_.seed, first, count, seeds_);
  }

  void gather_one(const std::vector<Reach>& reaches, const double* from, int cell, double* to) const {
    for (const Reach& reach : reaches) {
      for (int l = 0; l < W; ++l)
        to[l] = reach.weights.empty() ? from[place_of(reach, cell) * W + l] : weighted(reach, from, l);
      to += W;
    }
  }
  void gather_lanes(const Loop& loop, int cell) {
    gather_one(loop.states, a_.state, cell, states_);
    double* to = states_ + loop.states.size() * W;
    for (const std::vector<double>& values : loop.numbers) {
      std::fill_n(to, W, values[row_ * loop.cells + cell]);
      to += W;
    }
    gather_one(loop.seeds, a_.seed, cell, seeds_);
  }

  // Output k of cell c in a group.
  double output(const Loop& loop, std::size_t k, int c, int l) const {
    if constexpr (cells_are_lanes) return body_out_[k * group + c];
    return body_out_[(static_cast<std::size_t>(c) * loop.body.output_count() + k) * W + l];
  }

  void scatter(const Loop& loop, std::size_t k, int first, int count, bool adds) {
    const Reach& reach = loop.outputs[k];
    const auto put = [&](std::ptrdiff_t place, int l, double value) {
      double& to = out_[place * W + l];
      to = adds ? to + value : value;
    };
    for (std::size_t i = 0; i < reach.weights.size(); ++i)
      for (int l = 0; l < W; ++l)
        put(reach.first + static_cast<std::ptrdiff_t>(i) * reach.step, l, reach.weights[i] * output(loop, k, 0, l));
    if (!reach.weights.empty()) return;
    const std::ptrdiff_t at = place_of(reach, first);
    for (int c = 0; c < count; ++c)
      for (int l = 0; l < W; ++l) put(at + static_cast<std::ptrdiff_t>(reach.stride) * c, l, output(loop, k, c, l));
  }

  void add_up(const Loop& loop, std::size_t k, int count) {
    double* to = partial_ + static_cast<std::size_t>(loop.sums[k]) * group * W;
    for (int c = 0; c < count; ++c)
      for (int l = 0; l < W; ++l) to[c * W + l] += output(loop, loop.outputs.size() + k, c, l);
  }

  int row_ = 0;
  const Arguments& a_;
  double *sums_, *partial_, *room_;
  double* out_;
  double *time_ = nullptr, *kept_ = nullptr, *states_ = nullptr, *seeds_ = nullptr, *parameters_ = nullptr;
  double *body_out_ = nullptr, *body_work_ = nullptr;
};

}  // namespace

void Kernel::own_loops() {
  if (loops_) loops_ = std::make_shared<Loops>(*loops_);
}

int output_count(const Loops& loops) { return loops.outputs; }

int work_size(const Loops& loops) {
  std::size_t largest = 0;
  for (const Loop& loop : loops.loops)
    largest = std::max(largest, 2 + loop.states.size() + loop.numbers.size() + loop.seeds.size() +
                                    loop.parameters.size() + loop.body.output_count() + loop.body.work_size());
  return static_cast<int>((group + 1) * static_cast<std::size_t>(loops.sums) + group * largest);
}

int instruction_count(const Loops& loops) {
  int count = 0;
  for (const Loop& loop : loops.loops) count += loop.cells * loop.rows * loop.body.instruction_count();
  return count;
}

// Sums over cells are taken in the same order however many trajectories stand side by side.
template <int W>
void run(const Loops& loops, const Arguments& a, double* work, double* out) {
  double* partial = work + loops.sums * W;
  std::fill_n(partial, loops.sums * W * group, 0.0);
  if (loops.adds) std::fill_n(out, static_cast<std::size_t>(loops.outputs) * W, 0.0);
  LoopRun<W> loop_run(loops, a, work, out);
  for (const Loop& loop : loops.loops) loop_run.run(loop, loops.adds);
  for (int k = 0; k < loops.sums; ++k) {
    for (int l = 0; l < W; ++l) {
      double sum = 0;
      for (int c = 0; c < group; ++c) sum += partial[(k * group + c) * W + l];
      work[k * W + l] = sum;
    }
  }
}

template <int W>
void add_sums(const Loops& loops, const double* work, const Strides& strides, int stages, double* sums) {
  for (int i = 0; i < stages; ++i, work += strides.work)
    for (int k = 0; k < loops.sums * W; ++k) sums[k] += work[k];
}

template void run<1>(const Loops&, const Arguments&, double*, double*);
template void run<4>(const Loops&, const Arguments&, double*, double*);
template void run<8>(const Loops&, const Arguments&, double*, double*);
template void add_sums<1>(const Loops&, const double*, const Strides&, int, double*);
template void add_sums<4>(const Loops&, const double*, const Strides&, int, double*);
template void add_sums<8>(const Loops&, const double*, const Strides&, int, double*);

}  // namespace salvo::compile
