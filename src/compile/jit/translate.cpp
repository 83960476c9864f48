#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/TargetSelect.h>

#include "compile/jit/emit.hpp"
#include "compile/native.hpp"

// The only file that meets ORC. It becomes a library of its own, loaded when machine code is wanted.
namespace salvo::compile::jit {
namespace {

namespace orc = llvm::orc;

Registers registers_of_this_machine() {
  if (__builtin_cpu_supports("avx512f")) return Registers::eight;
  return __builtin_cpu_supports("avx2") ? Registers::four : Registers::two;
}

// The linker makes code executable only after its last byte is written; no page is ever writable and executable.
llvm::Expected<std::unique_ptr<orc::LLJIT>> make_jit() {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto machine = orc::JITTargetMachineBuilder::detectHost();
  if (!machine) return machine.takeError();
  machine->setCodeGenOptLevel(llvm::CodeGenOptLevel::Less);
  machine->getOptions().AllowFPOpFusion = llvm::FPOpFusion::Strict;  // the bits of the tape
  return orc::LLJITBuilder()
      .setJITTargetMachineBuilder(std::move(*machine))
      .setPlatformSetUp(orc::setUpInactivePlatform)
      .create();
}

llvm::Error define(orc::LLJIT& jit, const Externals& externals) {
  orc::SymbolMap symbols;
  for (const auto& [name, address] : externals)
    symbols[jit.mangleAndIntern(name)] = {orc::ExecutorAddr::fromPtr(address), llvm::JITSymbolFlags::Exported};
  return jit.getMainJITDylib().define(orc::absoluteSymbols(std::move(symbols)));
}

template <class Function>
llvm::Error find(orc::LLJIT& jit, const std::string& name, Function& out) {
  auto found = jit.lookup(name);
  if (!found) return found.takeError();
  out = found->toPtr<Function>();
  return llvm::Error::success();
}

llvm::Error translate(const std::vector<NativeOrder>& orders, const StopFlag* stop, NativeCode& out) {
  auto jit = make_jit();
  if (!jit) return jit.takeError();
  const Registers registers = registers_of_this_machine();
  std::vector<EmittedKernel> emitted;
  Externals externals;
  for (std::size_t n = 0; n < orders.size(); ++n) {
    auto context = std::make_unique<llvm::LLVMContext>();
    auto module = std::make_unique<llvm::Module>("kernel" + std::to_string(n), *context);
    module->setDataLayout((*jit)->getDataLayout());
    emitted.push_back(
        emit(*orders[n].listing, orders[n].lanes, registers, "kernel" + std::to_string(n), *module, externals));
    if (auto error = (*jit)->addIRModule(orc::ThreadSafeModule(std::move(module), std::move(context)))) return error;
  }
  if (auto error = define(**jit, externals)) return error;
  for (const EmittedKernel& kernel : emitted) {
    NativeKernel native;
    for (const std::string& name : kernel.pieces) {
      if (is_raised(stop)) return llvm::createStringError(llvm::inconvertibleErrorCode(), "it was stopped");
      native.pieces.push_back(nullptr);
      if (auto error = find(**jit, name, native.pieces.back())) return error;
    }
    if (!kernel.sums.empty())
      if (auto error = find(**jit, kernel.sums, native.sums)) return error;
    out.kernels.push_back(std::move(native));
  }
  out.memory = std::shared_ptr<const void>((*jit).release(),
                                           [](const void* code) { delete static_cast<const orc::LLJIT*>(code); });
  return llvm::Error::success();
}

}  // namespace
}  // namespace salvo::compile::jit

extern "C" __attribute__((visibility("default"))) salvo::compile::NativeCode salvo_jit_translate(
    const std::vector<salvo::compile::NativeOrder>& orders, const salvo::StopFlag* stop) {
  salvo::compile::NativeCode out;
  if (auto error = salvo::compile::jit::translate(orders, stop, out)) {
    out.kernels.clear();
    out.trouble = llvm::toString(std::move(error));
  }
  return out;
}
