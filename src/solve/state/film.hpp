#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "nlp/problem.hpp"

namespace salvo::solve {

// A point on the way of a solver.
struct Frame {
  int iteration = 0;
  int grid = 0;  // which of the grids of the run it lies on; whoever changes grids counts them
  nlp::Point q{};
};

// Points on the way, for pictures of it: every iteration of a short run, every second, fourth, ... of a longer one, so
// that the film never holds more than so many frames and so many numbers.
class Film {
 public:
  Film() = default;
  // As another one was, with its frames.
  Film(std::vector<Frame> frames, int stride) : frames_(std::move(frames)), stride_(stride) {
    for (const Frame& frame : frames_) numbers_ += frame.q.size();
  }

  void keep(Frame frame) {
    if (frame.iteration % stride_ != 0) return;
    numbers_ += frame.q.size();
    frames_.push_back(std::move(frame));
    while (frames_.size() > 1 && (frames_.size() > most_frames() || numbers_ > most_numbers())) thin_out();
  }
  // Goes on with the film of the rest of the same run, as if it had never been stopped.
  void go_on(Film rest) {
    while (stride_ < rest.stride_) thin_out();
    for (Frame& frame : rest.frames_) keep(std::move(frame));
  }
  // Goes on with another film, whose first frame is the last of this one, if there is one.
  void append(Film next, int iterations) {
    for (Frame& frame : next.frames_) {
      if (!frames_.empty() && frame.iteration == 0) continue;
      frame.iteration += iterations;
      keep(std::move(frame));
    }
  }
  void set_grid(int grid) {
    for (Frame& frame : frames_) frame.grid = grid;
  }
  const std::vector<Frame>& frames() const { return frames_; }
  int stride() const { return stride_; }  // between iterations that are kept

  // As much as a picture shows, and as much as a report may weigh.
  static std::size_t most_frames() { return 60; }
  static std::size_t most_numbers() { return 4'000'000; }

 private:
  void thin_out() {
    stride_ *= 2;
    std::vector<Frame> kept;
    numbers_ = 0;
    for (Frame& frame : frames_)
      if (frame.iteration % stride_ == 0) {
        numbers_ += frame.q.size();
        kept.push_back(std::move(frame));
      }
    frames_ = std::move(kept);
  }

  std::vector<Frame> frames_;
  std::size_t numbers_ = 0;
  int stride_ = 1;
};

}  // namespace salvo::solve
