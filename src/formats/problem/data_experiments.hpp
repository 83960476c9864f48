#pragma once

#include <string>
#include <vector>

#include "formats/problem/data_source.hpp"

namespace salvo::formats {

// A data file that has been opened.
struct OpenedTable {
  const DataSource* source = nullptr;
  const TextFile* file = nullptr;
};

// Without a section `experiments`, each one that the data name is one; all are like the one that the file describes.
// `patients`: those of tables for NONMEM.
void add_experiments_of_data(Draft& draft, const yaml::Node& root, const std::vector<OpenedTable>& tables,
                             const std::vector<std::string>& patients);

// Gives every experiment the constants that columns of its rows hold.
void set_covariates(Draft& draft, const std::vector<OpenedTable>& tables);

}  // namespace salvo::formats
