#include "cli/write_all.hpp"

#include <string_view>
#include <vector>

#include "report/folder_update.hpp"

namespace salvo::cli {

void write_all(const formats::Written& written, const std::string& folder) {
  report::FolderUpdate update(folder.empty() ? "." : folder);
  std::vector<std::string_view> names;
  for (const formats::Written::File& file : written.files) {
    update.write(file.name, file.text);
    names.push_back(file.name);
  }
  update.finish(names);
}

}  // namespace salvo::cli
