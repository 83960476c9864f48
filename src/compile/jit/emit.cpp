#include "compile/jit/emit.hpp"

#include <llvm/IR/IRBuilder.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "compile/jit/vector_math.hpp"

namespace salvo::compile::jit {
namespace {

using expression::Op;
using llvm::Value;

// The time that code generation takes grows faster than the length of a function; this is short enough to be linear.
constexpr int longest_piece = 300;
constexpr int sums_together = 8;          // that share a loop over stages, their values in registers
constexpr std::size_t most_sums = 1'000;  // beyond it machine code is hardly faster than the interpreter
constexpr std::size_t all_pieces_later = std::numeric_limits<std::size_t>::max();

std::size_t piece_of(std::size_t instruction) { return instruction / longest_piece; }

std::vector<Operand> operands_of(const Instruction& i) {
  if (i.adds) return {i.a, i.b, i.c};
  const int count = expression::argument_count(i.op);
  if (count == 1) return {i.a};
  return count == 2 ? std::vector<Operand>{i.a, i.b} : std::vector<Operand>{i.a, i.b, i.c};
}

// Which instructions must leave their result in `work`, because a later piece or the sums read it there.
std::vector<bool> handed_on(const Listing& listing) {
  std::vector<std::optional<std::size_t>> read_by(listing.work_size);  // the last piece that reads a register
  const auto reads = [&](Operand o, std::size_t piece) {
    if (o.bank == Bank::work) read_by[o.index] = std::max(read_by[o.index].value_or(0), piece);
  };
  for (const AddedProduct& product : listing.products) {
    reads(product.a, all_pieces_later);
    reads(product.b, all_pieces_later);
  }
  for (const Addition& addition : listing.additions) reads(addition.a, all_pieces_later);
  std::vector<bool> handed(listing.instructions.size(), false);
  for (std::size_t n = listing.instructions.size(); n-- > 0;) {
    const Instruction& instruction = listing.instructions[n];
    std::optional<std::size_t>& reader = read_by[instruction.target];
    handed[n] = reader && *reader > piece_of(n);
    reader.reset();
    for (const Operand& operand : operands_of(instruction)) reads(operand, piece_of(n));
  }
  return handed;
}

// For each instruction, the outputs that are its result.
std::vector<std::vector<std::size_t>> outputs_by_instruction(const Listing& listing) {
  std::vector<std::size_t> writer(listing.work_size);
  for (std::size_t n = 0; n < listing.instructions.size(); ++n) writer[listing.instructions[n].target] = n;
  std::vector<std::vector<std::size_t>> outputs(listing.instructions.size());
  for (std::size_t k = 0; k < listing.outputs.size(); ++k)
    if (listing.outputs[k].bank == Bank::work) outputs[writer[listing.outputs[k].index]].push_back(k);
  return outputs;
}

class Emitter {
 public:
  Emitter(const Listing& listing, int lanes, Registers registers, llvm::Module& module, Externals& externals)
      : listing_(listing),
        lanes_(lanes),
        registers_(std::min(lanes, static_cast<int>(registers))),
        module_(module),
        externals_(externals),
        ir_(module.getContext()),
        number_(vector_of(lanes)) {}

  EmittedKernel emit(const std::string& name) {
    EmittedKernel out;
    const std::vector<bool> handed = handed_on(listing_);
    const auto outputs = outputs_by_instruction(listing_);
    const std::size_t count = listing_.instructions.size();
    for (std::size_t begin = 0; begin < count; begin += longest_piece) {
      begin_piece(out, name);
      for (std::size_t n = begin; n < std::min(begin + longest_piece, count); ++n) {
        const Instruction& instruction = listing_.instructions[n];
        Value* value = result(instruction);
        registers_in_use_[instruction.target] = value;
        if (handed[n]) store(value, array(Bank::work), instruction.target);
        for (const std::size_t k : outputs[n]) store(value, function_->getArg(out_argument), k);
      }
      ir_.CreateRetVoid();
    }
    emit_plain_outputs(out, name);
    if (const std::size_t sums = listing_.products.size() + listing_.additions.size(); sums > 0 && sums <= most_sums)
      out.sums = emit_sums(name + "_sums");
    return out;
  }

 private:
  static constexpr int out_argument = 6;  // behind the banks without constants

  llvm::Type* vector_of(int lanes) {
    llvm::Type* number = llvm::Type::getDoubleTy(module_.getContext());
    return lanes == 1 ? number : llvm::FixedVectorType::get(number, lanes);
  }

  llvm::Function* begin_function(const std::string& name, int pointers, std::vector<llvm::Type*> types) {
    auto* signature = llvm::FunctionType::get(ir_.getVoidTy(), types, false);
    function_ = llvm::Function::Create(signature, llvm::Function::ExternalLinkage, name, module_);
    function_->addFnAttr("min-legal-vector-width", std::to_string(64 * registers_));
    function_->addFnAttr("prefer-vector-width", std::to_string(64 * registers_));
    function_->addFnAttr(llvm::Attribute::NoUnwind);
    for (int i = 0; i < pointers; ++i) function_->addParamAttr(i, llvm::Attribute::NoAlias);
    ir_.SetInsertPoint(llvm::BasicBlock::Create(module_.getContext(), "entry", function_));
    registers_in_use_.clear();
    arguments_read_.clear();
    return function_;
  }

  void begin_piece(EmittedKernel& out, const std::string& name) {
    out.pieces.push_back(name + "_" + std::to_string(out.pieces.size()));
    begin_function(out.pieces.back(), out_argument + 1, std::vector<llvm::Type*>(out_argument + 1, ir_.getPtrTy()));
  }

  // Outputs that are arguments or constants themselves.
  void emit_plain_outputs(EmittedKernel& out, const std::string& name) {
    int written = 0;
    for (std::size_t k = 0; k < listing_.outputs.size(); ++k) {
      if (listing_.outputs[k].bank == Bank::work) continue;
      if (written++ % longest_piece == 0) {
        if (written > 1) ir_.CreateRetVoid();
        begin_piece(out, name);
      }
      store(read(listing_.outputs[k]), function_->getArg(out_argument), k);
    }
    if (written > 0) ir_.CreateRetVoid();
  }

  // --- numbers -------------------------------------------------------------------------------------------------------

  Value* array(Bank bank) { return function_->getArg(static_cast<unsigned>(bank) - 1); }
  Value* place(Value* base, std::size_t index) {
    return ir_.CreateConstInBoundsGEP1_64(ir_.getDoubleTy(), base, index * static_cast<std::size_t>(lanes_));
  }
  Value* load(Value* from) { return ir_.CreateAlignedLoad(number_, from, llvm::Align(8)); }
  void store(Value* value, Value* base, std::size_t index) {
    ir_.CreateAlignedStore(value, place(base, index), llvm::Align(8));
  }
  Value* all(double value) { return llvm::ConstantFP::get(number_, value); }

  Value* read(Operand o) {
    if (o.bank == Bank::constant) return all(listing_.constants[o.index]);
    if (o.bank == Bank::work) {
      Value*& value = registers_in_use_[o.index];
      if (value == nullptr) value = load(place(array(Bank::work), o.index));
      return value;
    }
    Value*& value = arguments_read_[{o.bank, o.index}];
    if (value == nullptr) value = load(place(array(o.bank), o.index));
    return value;
  }

  // --- operations, each as expression::apply defines it -------------------------------------------------------------

  // 1 or 0, by the bits of 1 under a mask. Of 0 divided by a choice between 1 and 0 LLVM 19 makes 0 where it knows
  // registers for masks (AVX-512), also where it is 0 / 0.
  Value* truth(Value* condition) {
    llvm::Type* integers = number_->getWithNewType(ir_.getInt64Ty());
    Value* mask = ir_.CreateSExt(condition, integers);
    return ir_.CreateBitCast(ir_.CreateAnd(mask, ir_.CreateBitCast(all(1), integers)), number_);
  }
  Value* is_true(Value* value) { return ir_.CreateFCmpUNE(value, all(0)); }
  Value* is_nan(Value* value) { return ir_.CreateFCmpUNO(value, value); }

  Value* result(const Instruction& i) {
    Value* a = read(i.a);
    if (i.adds) return ir_.CreateFAdd(read(i.c), ir_.CreateFMul(a, read(i.b)));
    const int count = expression::argument_count(i.op);
    Value* b = count > 1 ? read(i.b) : nullptr;
    Value* c = count > 2 ? read(i.c) : nullptr;
    switch (i.op) {
      case Op::add: return ir_.CreateFAdd(a, b);
      case Op::subtract: return ir_.CreateFSub(a, b);
      case Op::multiply: return ir_.CreateFMul(a, b);
      case Op::divide: return ir_.CreateFDiv(a, b);
      case Op::negate: return ir_.CreateFNeg(a);
      case Op::minimum: return ir_.CreateSelect(ir_.CreateOr(ir_.CreateFCmpOLT(a, b), is_nan(a)), a, b);
      case Op::maximum: return ir_.CreateSelect(ir_.CreateOr(ir_.CreateFCmpOGT(a, b), is_nan(a)), a, b);
      case Op::less: return truth(ir_.CreateFCmpOLT(a, b));
      case Op::less_equal: return truth(ir_.CreateFCmpOLE(a, b));
      case Op::equal: return truth(ir_.CreateFCmpOEQ(a, b));
      case Op::not_equal: return truth(ir_.CreateFCmpUNE(a, b));
      case Op::logical_and: return truth(ir_.CreateAnd(is_true(a), is_true(b)));
      case Op::logical_or: return truth(ir_.CreateOr(is_true(a), is_true(b)));
      case Op::logical_not: return truth(ir_.CreateFCmpOEQ(a, all(0)));
      case Op::sqrt: return ir_.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, a);
      case Op::abs: return ir_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, a);
      case Op::sign:
        return ir_.CreateSelect(ir_.CreateFCmpOGT(a, all(0)), all(1),
                                ir_.CreateSelect(ir_.CreateFCmpOLT(a, all(0)), all(-1), a));
      case Op::select: return ir_.CreateSelect(is_true(a), b, c);
      default: return call(i.op, b == nullptr ? std::vector<Value*>{a} : std::vector<Value*>{a, b});
    }
  }

  // A function of the library, over as many lanes at a time as fit a register.
  Value* call(Op op, const std::vector<Value*>& arguments) {
    if (lanes_ == 1) return ir_.CreateCall(external(library_name(op), scalar_function(op), 1, arguments), arguments);
    const VectorFunction vector = vector_function(op, registers_);
    const int width = vector.address == nullptr ? 1 : registers_;
    Value* out = llvm::PoisonValue::get(number_);
    for (int from = 0; from < lanes_; from += width) {
      std::vector<Value*> parts;
      for (Value* argument : arguments) parts.push_back(part(argument, from, width));
      const auto function = width == 1 ? external(library_name(op), scalar_function(op), 1, parts)
                                       : external(vector.name, vector.address, width, parts);
      Value* value = ir_.CreateCall(function, parts);
      out = with_part(out, value, from, width);
    }
    return out;
  }

  llvm::FunctionCallee external(const std::string& name, void* address, int width, const std::vector<Value*>& like) {
    externals_[name] = address;
    llvm::Type* type = vector_of(width);
    llvm::FunctionCallee function =
        module_.getOrInsertFunction(name, llvm::FunctionType::get(type, std::vector(like.size(), type), false));
    if (auto* declared = llvm::dyn_cast<llvm::Function>(function.getCallee())) {
      declared->setDoesNotThrow();
      declared->setDoesNotAccessMemory();
    }
    return function;
  }

  std::vector<int> range(int from, int count) {
    std::vector<int> lanes(count);
    for (int l = 0; l < count; ++l) lanes[l] = from + l;
    return lanes;
  }
  Value* part(Value* value, int from, int width) {
    if (width == lanes_) return value;
    if (width == 1) return ir_.CreateExtractElement(value, static_cast<std::uint64_t>(from));
    return ir_.CreateShuffleVector(value, range(from, width));
  }
  Value* with_part(Value* out, Value* value, int from, int width) {
    if (width == lanes_) return value;
    if (width == 1) return ir_.CreateInsertElement(out, value, static_cast<std::uint64_t>(from));
    std::vector<int> widened(lanes_, -1);
    std::vector<int> joined = range(0, lanes_);
    for (int l = 0; l < width; ++l) {
      widened[l] = l;
      joined[from + l] = lanes_ + l;
    }
    return ir_.CreateShuffleVector(out, ir_.CreateShuffleVector(value, widened), joined);
  }

  // --- sums over stages ----------------------------------------------------------------------------------------------

  struct Term {
    std::int32_t target = 0;
    Operand a{};
    std::optional<Operand> b{};
  };

  std::string emit_sums(const std::string& name) {
    std::vector<llvm::Type*> types(9, ir_.getPtrTy());
    types[7] = ir_.getInt64Ty();  // the number of stages, behind how far apart they stand
    begin_function(name, 6, types);
    for (int bank = 0; bank < bank_count; ++bank)
      apart_[bank] = ir_.CreateLoad(ir_.getInt64Ty(),
                                    ir_.CreateConstInBoundsGEP1_64(ir_.getInt64Ty(), function_->getArg(6), bank));
    std::vector<Term> terms;
    for (const AddedProduct& product : listing_.products) terms.push_back({product.target, product.a, product.b});
    for (const Addition& addition : listing_.additions) terms.push_back({addition.target, addition.a, std::nullopt});
    for (std::size_t from = 0; from < terms.size(); from += sums_together)
      emit_loop({terms.begin() + static_cast<long>(from),
                 terms.begin() + static_cast<long>(std::min(from + sums_together, terms.size()))});
    ir_.CreateRetVoid();
    return name;
  }

  // sums[target] += sum over stages of a b, stage by stage as the tape does.
  void emit_loop(const std::vector<Term>& terms) {
    llvm::LLVMContext& context = module_.getContext();
    Value* sums = function_->getArg(8);
    std::vector<Value*> before;
    for (const Term& term : terms) before.push_back(load(place(sums, term.target)));
    llvm::BasicBlock* outside = ir_.GetInsertBlock();
    llvm::BasicBlock* body = llvm::BasicBlock::Create(context, "stage", function_);
    llvm::BasicBlock* after = llvm::BasicBlock::Create(context, "after", function_);
    ir_.CreateBr(body);
    ir_.SetInsertPoint(body);
    llvm::PHINode* stage = ir_.CreatePHI(ir_.getInt64Ty(), 2);
    stage->addIncoming(ir_.getInt64(0), outside);
    std::vector<llvm::PHINode*> partial;
    for (Value* value : before) {
      partial.push_back(ir_.CreatePHI(number_, 2));
      partial.back()->addIncoming(value, outside);
    }
    std::vector<Value*> next;
    for (std::size_t k = 0; k < terms.size(); ++k) {
      Value* term = at_stage(terms[k].a, stage);
      if (terms[k].b) term = ir_.CreateFMul(term, at_stage(*terms[k].b, stage));
      next.push_back(ir_.CreateFAdd(partial[k], term));
    }
    Value* following = ir_.CreateAdd(stage, ir_.getInt64(1));
    ir_.CreateCondBr(ir_.CreateICmpULT(following, function_->getArg(7)), body, after);
    stage->addIncoming(following, body);
    for (std::size_t k = 0; k < terms.size(); ++k) partial[k]->addIncoming(next[k], body);
    ir_.SetInsertPoint(after);
    for (std::size_t k = 0; k < terms.size(); ++k) store(next[k], sums, terms[k].target);
  }

  Value* at_stage(Operand o, Value* stage) {
    if (o.bank == Bank::constant) return all(listing_.constants[o.index]);
    Value* offset = ir_.CreateMul(stage, apart_[static_cast<int>(o.bank)]);
    return load(ir_.CreateInBoundsGEP(ir_.getDoubleTy(), place(array(o.bank), o.index), offset));
  }

  const Listing& listing_;
  int lanes_;
  int registers_;
  llvm::Module& module_;
  Externals& externals_;
  llvm::IRBuilder<> ir_;
  llvm::Type* number_;
  llvm::Function* function_ = nullptr;
  std::map<std::int32_t, Value*> registers_in_use_;
  std::map<std::pair<Bank, std::int32_t>, Value*> arguments_read_;
  std::array<Value*, bank_count> apart_{};
};

}  // namespace

EmittedKernel emit(const Listing& listing, int lanes, Registers registers, const std::string& name,
                   llvm::Module& module, Externals& externals) {
  return Emitter(listing, lanes, registers, module, externals).emit(name);
}

}  // namespace salvo::compile::jit
