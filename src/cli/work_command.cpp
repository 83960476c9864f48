#include <fmt/format.h>

#include "base/words.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/output.hpp"
#include "cli/tell.hpp"
#include "runs/worker.hpp"

namespace salvo::cli {
namespace {

// "3/64"
bool read_share(const Word& text, options::OptionReader& reader, runs::WorkWish& wish, Issues& issues) {
  if (!text) return true;
  const std::size_t slash = std::min(text->find('/'), text->size());
  const auto share = reader.count("--share", text->substr(0, slash), 0);
  const auto of = reader.count("--share", text->substr(std::min(slash + 1, text->size())), 1);
  if (!share || !of || *share >= *of) {
    issues.push_back(
        usage_issue(fmt::format("--share: '{}' is no share", *text), "0/64 is the first of 64 shares, 63/64 the last"));
    return false;
  }
  wish.share = *share;
  wish.of = *of;
  return true;
}

Result<runs::WorkWish> read_wish(const WorkArguments& arguments) {
  options::OptionReader reader;
  runs::WorkWish wish{.threads = arguments.threads, .max_time = arguments.max_time};
  Issues issues;
  read_share(arguments.share, reader, wish, issues);
  if (!issues.empty()) return issues;
  wish.task = reader.count("--task", arguments.task, 0);
  reader.count("--threads", arguments.threads, 0);
  reader.duration("--max-time", arguments.max_time);
  if (!reader.is_content()) return reader.issues();
  return wish;
}

}  // namespace

int work_command(const WorkArguments& arguments, runs::Team* team) {
  const auto wish = read_wish(arguments);
  if (!wish) return refuse(wish.issues());
  catch_interrupts();
  catch_wishes_of_schedulers();
  Progress progress(arguments.quiet ? Progress::Volume::quiet : Progress::Volume::normal, "tasks", std::nullopt);
  const auto done = runs::work(arguments.folder, *wish, watched_by(progress), team);
  progress.finish();
  if (!done) return refuse(done.issues());
  if (!arguments.quiet)
    print_note(fmt::format("{} done here; {}", counted(done->tasks, "task"),
                           done->is_done ? "nothing is left" : "there is more to do"));
  if (done->is_done) return exit_code::done;
  return was_interrupted_by_hand() ? exit_code::interrupted : exit_code::more_to_do;
}

}  // namespace salvo::cli
