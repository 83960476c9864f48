#include "compile/accelerate.hpp"

#include <utility>
#include <vector>

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

}  // namespace

Accelerated accelerate(const CompiledModel& model, int lanes) {
  auto copy = std::make_shared<CompiledModel>(model);
  copy->accelerator.reset();
  std::vector<Order> orders;
  for (Kernel* kernel : {&copy->rhs, &copy->jacobian, &copy->vjp, &copy->jvp_x, &copy->jvp})
    if (kernel->output_count() > 0) orders.push_back({kernel, lanes});
  for (ObservableKernel& observable : copy->observables) {
    orders.push_back({&observable.value, 1});
    orders.push_back({&observable.derivative, 1});
  }
  std::vector<NativeOrder> listings;
  for (const Order& order : orders) listings.push_back({&order.kernel->tape().listing(), order.lanes});
  NativeCode code = translate(listings);
  if (!code.trouble.empty()) return {nullptr, code.trouble};
  for (std::size_t n = 0; n < orders.size(); ++n) give(*orders[n].kernel, orders[n].lanes, std::move(code.kernels[n]));
  copy->code = std::move(code.memory);
  return {std::move(copy), {}};
}

}  // namespace salvo::compile
