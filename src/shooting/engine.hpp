#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/helpers.hpp"
#include "base/ledger.hpp"
#include "base/stop_flag.hpp"
#include "compile/accelerate.hpp"
#include "compile/compiled_model.hpp"
#include "model/problem.hpp"
#include "shooting/packing.hpp"
#include "shooting/rules.hpp"

namespace salvo::shooting {

struct Buffers;  // memory that evaluations borrow and give back
std::shared_ptr<Buffers> make_buffers();

enum class Code { automatic, interpreted, native };

// Processes that compute parts of long evaluations of one problem, and the problem that they know; null: there are
// none.
struct SharedEvaluations {
  Helpers* helpers = nullptr;
  const model::Problem* problem = nullptr;
};

struct EngineOptions {
  int threads = 1;
  Code code = Code::automatic;         // by counted work
  double memory = 0;                   // bytes for the steps of all threads; 0: as usual
  int expected_reuse = 1;              // fits of this model to come, this one included; machine code is made for all
  std::shared_ptr<Buffers> buffers{};  // that several engines share; null: its own
  const StopFlag* stop = nullptr;      // once it is raised, no evaluation succeeds
  Ledger* ledger = nullptr;            // that evaluations are charged to; null: to none
  SharedEvaluations shared{};          // with other processes
};

struct WorkCount {  // in units of one interval
  long trajectories = 0;
  long tangents = 0;
  long adjoints = 0;
  long rhs = 0;

  WorkCount& operator+=(const WorkCount& other) {
    trajectories += other.trajectories;
    tangents += other.tangents;
    adjoints += other.adjoints;
    rhs += other.rhs;
    return *this;
  }
  friend WorkCount operator-(const WorkCount& a, const WorkCount& b) {
    return {a.trajectories - b.trajectories, a.tangents - b.tangents, a.adjoints - b.adjoints, a.rhs - b.rhs};
  }
};

// What evaluations of one model share, whatever the nodes: its machine code, their memory, and the count of their work.
// None of it shapes a result beyond the rounding of machine code. All of it may be used from several threads at a time.
class Engine {
 public:
  Engine(std::shared_ptr<const compile::CompiledModel> model, EngineOptions options, const Rules& rules = {});
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  const compile::CompiledModel& model() const { return *model_; }
  const EngineOptions& options() const { return options_; }
  Buffers& buffers() const { return *options_.buffers; }
  bool is_stopped() const { return is_raised(options_.stop); }

  // Adds to the work of all evaluations so far, and charges the ledger for it.
  void count(const WorkCount& work);
  WorkCount work() const;
  // As it stood when a run was written down that now goes on; interpreted: as long as it had made no machine code.
  void stand_at(const WorkCount& work, bool interpreted, bool has_interpreted);
  // How often machine code has been made, and how often it took the place of what had been interpreted before.
  int code_changes() const;
  int replaced_codes() const;
  bool has_interpreted() const;

  // The model for one evaluation of so many intervals: as machine code once that is worth its price. Without
  // derivatives, machine code for any of them will do.
  const compile::CompiledModel& model_for(const compile::Wanted& wanted, bool with_derivatives, std::size_t intervals);
  // What this model was made for, if it is machine code of this engine.
  std::optional<compile::Wanted> code_of(const compile::CompiledModel& model) const;
  long operations_of_a_stage() const { return operations_of_a_stage_; }
  // "machine code for 4 lanes after 120000 evaluations"; empty while the model is interpreted.
  std::string code_in_words() const;

  // Which of so many unbroken trajectories share a pack, by the steps that they took lately; null: as they come.
  std::shared_ptr<const Packing> packing(std::size_t trajectories) const;
  void learn_packing(const std::vector<int>& steps, int lanes);

  // Steady states that were found for the last points, so that they are found again.
  void forget_steady_states();

 private:
  bool is_machine_code_wanted(const compile::Wanted& wanted, std::size_t intervals) const;

  std::shared_ptr<const compile::CompiledModel> model_;
  EngineOptions options_;
  Rules rules_;
  long operations_of_a_stage_;
  std::atomic<long> trajectories_{0}, tangents_{0}, adjoints_{0}, rhs_{0};
  mutable std::mutex guard_;                                                         // of what follows
  std::map<compile::Wanted, std::shared_ptr<const compile::CompiledModel>> native_;  // null: none to be had
  std::string code_in_words_;
  int code_changes_ = 0;
  int replaced_codes_ = 0;
  bool has_interpreted_ = false;
  bool interprets_ = false;
  std::shared_ptr<const Packing> packing_;
};

}  // namespace salvo::shooting
