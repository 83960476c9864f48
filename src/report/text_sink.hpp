#pragma once

#include <functional>
#include <string_view>

namespace salvo::report {

// Takes a text piece by piece: that of long data is never in memory as a whole.
using TextSink = std::function<void(std::string_view piece)>;

}  // namespace salvo::report
