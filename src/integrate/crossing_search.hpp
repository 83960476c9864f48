#pragma once

#include <span>
#include <vector>

namespace salvo::integrate {

// Looks for the first zero of switching functions within one step, by taking the step itself again with other lengths:
// z(Phi(x, h), t + h, p) = 0 is solved for h. Each function has a side, 1 or -1, on which it stands; it has crossed
// where side * z < 0.
class CrossingSearch {
 public:
  // The functions where a step begins or ends: z, and dz/dt.
  struct Reading {
    std::span<const double> z{};
    std::span<const double> speed{};
  };

  void resize(int functions);
  // Where the next step begins.
  void stand_at(const Reading& reading);
  // A function that has just been crossed, and stays near its zero for a while, has not crossed again because of
  // rounding.
  void allow(int function, double rounding) { rounding_[function] = rounding; }
  double rounding(int function) const { return rounding_[function]; }
  int side(int function) const { return side_[function]; }
  void set_side(int function, int side) { side_[function] = side; }

  enum class Verdict {
    stands,    // nothing is crossed
    again,     // take the step again, of length `trial`
    crossing,  // `function` vanishes at its end
  };
  // After a step of length h from time t.
  Verdict judge(double t, double h, const Reading& end);

  bool is_under_way() const { return is_searching_ || is_probing_; }
  double trial() const { return trial_; }
  int function() const { return function_; }
  // The search found something so flat that no derivative exists.
  bool is_grazing() const { return is_grazing_; }
  void give_up() { is_searching_ = is_probing_ = false; }

 private:
  bool has_crossed(int i, double z) const { return side_[i] * z < -rounding_[i]; }
  bool is_about_to_cross(double t, double h, const Reading& end);
  double dip(double h, const Reading& end) const;
  void begin_search(double h, const Reading& end);
  Verdict refine(double t, double h, const Reading& end);
  void choose_function();

  std::vector<int> side_{};
  std::vector<double> rounding_{};
  std::vector<double> z_{}, speed_{};       // where the step begins
  std::vector<double> z_low_{}, z_high_{};  // at the ends of the bracket
  double low_ = 0, high_ = 0, trial_ = 0;
  double last_change_ = 0;  // of the length, by Newton's step
  int function_ = -1;
  int tries_ = 0;
  bool is_searching_ = false, is_probing_ = false, is_grazing_ = false;
};

}  // namespace salvo::integrate
