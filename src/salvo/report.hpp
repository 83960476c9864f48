#pragma once

// Results as text and files: salvo::report.
#include "report/json.hpp"
#include "report/page.hpp"
#include "report/profiles.hpp"
#include "report/summary.hpp"
#include "report/tables.hpp"
#include "report/write.hpp"
