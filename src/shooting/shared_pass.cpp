#include "shooting/shared_pass.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/bytes.hpp"
#include "base/contract.hpp"
#include "integrate/integrator.hpp"
#include "shooting/pass.hpp"

namespace salvo::shooting {
namespace {

// Writes or reads what is asked.
template <class Bytes, class Asked>
void pass_asked(Bytes& bytes, Asked& asked) {
  bytes(asked.experiments, asked.nodes, asked.constrains_nodes, asked.lanes, asked.derivatives);
  bytes(asked.q, asked.request, asked.what, asked.predicts, asked.weights.penalty, asked.weights.multipliers);
  bytes(asked.integrator, asked.packing, asked.code, asked.in_whole_steps);
}

// Writes or reads what one interval has filled.
template <class Bytes>
void pass_slot(Bytes& bytes, const nlp::Layout& layout, const PlannedInterval& interval, int slot, Pass& pass) {
  bytes(pass.trouble[slot], pass.steps[slot], pass.turned_out_stiff[slot], pass.objective[slot]);
  if (pass.predicted != nullptr)
    for (const int measurement : interval.measured) bytes((*pass.predicted)[measurement]);
  const auto [c, j] = std::pair(interval.chain, interval.j);
  const nlp::Layout::Chain& chain = layout.chains[c];
  if (pass.gradients != nullptr) {
    bytes(pass.objective_by_theta[slot]);
    for (int i = 0; i < chain.size[j]; ++i) bytes(pass.gradients->objective_by_q[chain.offset[j] + i]);
    if (j == chain.links()) return;
    nlp::Gradients::LinkGradient& link = pass.gradients->links[c][j];
    bytes(link.gap, link.by_block, link.by_theta);
  } else if (pass.blocks != nullptr) {
    nlp::Rows& rows = pass.blocks->chains[c].rows[j];
    bytes(rows.r, rows.by_block.data, rows.by_theta.data);
    if (j == chain.links()) return;
    nlp::Link& link = pass.blocks->chains[c].links[j];
    bytes(link.gap, link.by_block.data, link.by_theta.data);
  }
}

PassAsked::For what_is_wanted(const Pass& pass) {
  if (pass.gradients != nullptr) return PassAsked::For::gradients;
  return pass.jacobians ? PassAsked::For::jacobians : PassAsked::For::values;
}

}  // namespace

std::string PassAsked::bytes() const {
  ByteWriter writer;
  pass_asked(writer, *this);
  return writer.finish();
}

std::optional<PassAsked> PassAsked::from(const std::string& bytes) {
  PassAsked asked;
  ByteReader reader(bytes);
  pass_asked(reader, asked);
  if (!reader.is_exact()) return std::nullopt;
  if (asked.code && asked.in_whole_steps) asked.code->whole_steps = integrate::whole_steps_of(asked.integrator);
  return asked;
}

std::vector<Grid> PassAsked::grids() const {
  std::vector<Grid> out;
  for (std::size_t c = 0; c < experiments.size(); ++c) out.push_back({experiments[c], nodes[c]});
  return out;
}

// --- who asks --------------------------------------------------------------------------------------------------------

// Steps that are stored for products stay where they are made.
bool ShootingProblem::is_worth_sharing(const Pass& pass) const {
  const SharedEvaluations& shared = engine_->options().shared;
  if (shared.helpers == nullptr || shared.problem != &problem_ || pass.stored != nullptr) return false;
  const auto code = engine_->code_of(*pass.model);
  if (code && code->whole_steps != nullptr && code->whole_steps != integrate::whole_steps_of(pass.integrator))
    return false;
  const double stages =
      static_cast<double>(plan_.intervals.size()) * stages_of_an_interval(work_on_these_nodes(), options_.rules);
  return stages * static_cast<double>(engine_->operations_of_a_stage()) >= shared.helpers->worth_a_message();
}

PassAsked ShootingProblem::asked_of_others(const Pass& pass) const {
  PassAsked asked{.constrains_nodes = subject_->constrains_nodes,
                  .lanes = options_.lanes,
                  .derivatives = options_.derivatives,
                  .q = pass.q,
                  .request = pass.request,
                  .what = what_is_wanted(pass),
                  .predicts = pass.predicted != nullptr,
                  .integrator = pass.integrator,
                  .code = engine_->code_of(*pass.model)};
  for (const Grid& grid : grids_) {
    asked.experiments.push_back(grid.experiment);
    asked.nodes.push_back(grid.tau);
  }
  if (pass.weights != nullptr) asked.weights = *pass.weights;
  if (pass.packing) asked.packing = *pass.packing;
  if (asked.code) asked.in_whole_steps = std::exchange(asked.code->whole_steps, nullptr) != nullptr;
  return asked;
}

// A part that nobody has answered for is computed here: whoever does it comes to the same bits.
void ShootingProblem::run_shared(Pass& pass) const {
  Helpers& helpers = *engine_->options().shared.helpers;
  const int parts = helpers.count() + 1;
  const auto answers = helpers.ask(
      asked_of_others(pass).bytes(),
      [&] {
        begin(pass);
        run_part(pass, {0, parts});
      },
      stop());
  for (int n = 1; n < parts; ++n)
    if (const PassPart part{n, parts}; !answers || !take((*answers)[n - 1], part, pass)) run_part(pass, part);
}

std::vector<int> ShootingProblem::slots_of(const Pass& pass, const PassPart& part) const {
  const int intervals = static_cast<int>(plan_.intervals.size());
  const int lanes = options_.lanes;
  std::vector<int> slots;
  for (int first = part.first * lanes; first < intervals; first += part.of * lanes)
    for (int n = first; n < std::min(first + lanes, intervals); ++n)
      slots.push_back(pass.packing ? (*pass.packing)[n] : n);
  return slots;
}

bool ShootingProblem::take(const std::string& answer, const PassPart& part, Pass& pass) const {
  if (answer.empty()) return false;
  ByteReader bytes(answer);
  WorkCount work;
  bytes(work);
  for (const int slot : slots_of(pass, part)) pass_slot(bytes, layout_, plan_.intervals[slot], slot, pass);
  SALVO_EXPECTS(bytes.is_exact());
  engine_->count(work);
  return true;
}

// --- who answers -----------------------------------------------------------------------------------------------------

std::string ShootingProblem::answer(const PassAsked& asked, const PassPart& part) const {
  std::shared_ptr<const compile::CompiledModel> code;
  if (asked.code && model().accelerator) code = model().accelerator->accelerated(model(), *asked.code, stop()).model;
  if (asked.code && !code) return {};
  const auto room = engine_->buffers().rooms.borrow();
  nlp::Blocks blocks = used_blocks();
  nlp::Gradients gradients;
  std::vector<Predicted> predicted(asked.predicts ? problem_.measurements.size() : 0);
  const bool by_adjoint = asked.what == PassAsked::For::gradients;
  Pass pass{.q = asked.q,
            .request = asked.request,
            .room = *room,
            .blocks = by_adjoint ? nullptr : &blocks,
            .jacobians = asked.what == PassAsked::For::jacobians,
            .gradients = by_adjoint ? &gradients : nullptr,
            .weights = by_adjoint ? &asked.weights : nullptr,
            .predicted = asked.predicts ? &predicted : nullptr,
            .model = code ? code.get() : &model(),
            .integrator = asked.integrator};
  if (!asked.packing.empty()) pass.packing = std::make_shared<const Packing>(asked.packing);
  const std::vector<int> slots = slots_of(pass, part);
  std::vector<char> left_out(layout_.chains.size(), 1);
  for (const int slot : slots) left_out[plan_.intervals[slot].chain] = 0;
  begin(pass, left_out);
  const WorkCount before = engine_->work();
  run_part(pass, part);
  ByteWriter bytes;
  bytes(engine_->work() - before);
  for (const int slot : slots) pass_slot(bytes, layout_, plan_.intervals[slot], slot, pass);
  leave(std::move(blocks));
  return is_stopped() ? std::string{} : bytes.finish();
}

}  // namespace salvo::shooting
