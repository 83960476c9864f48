#include "report/version.hpp"

namespace salvo::report {

std::string_view version() { return SALVO_VERSION; }

}  // namespace salvo::report
