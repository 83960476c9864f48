#pragma once

#include <string>

#include "cli/arguments.hpp"
#include "cli/fit_run.hpp"
#include "fit/profile.hpp"

namespace salvo::cli {

// profiles.part in the folder of the results: what has been followed so far, until everything has been. Each side is on
// the disk as soon as it is finished. Nobody's links are followed, and what stands there is believed only if it belongs
// to the same problem and options and is whole.
class ProfileRecord {
 public:
  ProfileRecord(const std::string& folder, const ProfileArguments& arguments, const PreparedFit& prepared);

  // Puts in what an earlier run has finished, if it is to be taken up, and has every further side written.
  void use(bool resume, fit::ProfileOptions& options);
  void remove();

 private:
  std::string path_;
  std::string run_;  // digest of all that paths depend on
};

}  // namespace salvo::cli
