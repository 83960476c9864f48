#pragma once

#include <string_view>

// The files of src/report/page, put into the program when it is built (cmake/embed.cmake).
namespace salvo::report::page_parts {

extern const std::string_view html;     // with @STYLE@, @SCRIPT@, @FIT@ and @PICTURES@ where the rest belongs
extern const std::string_view styles;   // the chart library's, then ours
extern const std::string_view scripts;  // likewise

}  // namespace salvo::report::page_parts
