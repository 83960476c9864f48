#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The files of a run, in the folder of its results. Nobody's links are followed, and what is no plain file is none of
// them.
namespace salvo::journal {

std::vector<std::string> journals_in(const std::string& folder);  // their names, in order

// A plain file, open for reading; -1: there is none.
int open_plain(const std::string& path);

// All that stands in it; nothing: there is none.
std::optional<std::string> read_plain(const std::string& path);

// Puts the text under another name first, then on the disk, then in the place of what was there: whenever the process
// is killed, the file is whole. Returns why it could not be done, or nothing.
std::string replace_whole(const std::string& path, std::string_view text);

// Whether a living process of a machine that knows of its locks still writes this file.
bool is_being_written(const std::string& path);

// All of it in one write, so that nobody sees half; false: the disk refuses, and the file is as it was before.
bool append_whole(int file, std::string_view text);

}  // namespace salvo::journal
