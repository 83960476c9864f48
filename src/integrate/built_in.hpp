#pragma once

namespace salvo::integrate {

// Was SUNDIALS there when this program was built?
bool has_cvodes();

}  // namespace salvo::integrate
