#pragma once

#include <string>
#include <vector>

#include "report/figure/fit_folder.hpp"
#include "report/figure/options.hpp"

namespace salvo::report::figure {

struct Point {
  double x = 0;
  double y = 0;
};

struct Curve {
  int series = 0;  // whose colour it has
  std::vector<Point> points{};
};

// Between the two ends at each x; they are not finite where the band has none.
struct Band {
  int series = 0;
  std::vector<double> x{};
  std::vector<double> lower{};
  std::vector<double> upper{};
};

struct Mark {
  int series = 0;
  Point at{};
  double low = 0;  // ends of the error bar; equal where there is none
  double high = 0;
  int limit = 0;  // as in Fit::Datum
  bool fitted = true;
};

struct Panel {
  std::string title{};
  std::string x_label{};
  std::string y_label{};
  std::vector<Band> bands{};
  std::vector<Curve> curves{};
  std::vector<Mark> marks{};
  bool log_x = false;
  bool log_y = false;
};

// What stands in which panel, row by row.
struct Panels {
  std::vector<Panel> all{};
  int columns = 0;                    // that belong in a row; 0: as many as there is room for
  std::vector<std::string> series{};  // names of the colours, where there are several
};
Panels panels_of(const Fit& fit, const Options& options);

}  // namespace salvo::report::figure
