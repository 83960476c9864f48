#include "fuzz/folder.hpp"
#include "report/page.hpp"

// Any bytes as the fit.json of a folder of which the page is made.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace salvo;
  static const fuzz::Folder folder;
  static const std::string pictures =
      folder.write("pictures.json", R"({"run": {}, "data": [], "film": [], "solution": []})");
  folder.write("fit.json", fuzz::as_text(data, size));
  const auto page = report::page_of_folder(folder.path());
  fuzz::require(page ? page->find("</html>") != std::string::npos : !page.issues().empty());
  return 0;
}
