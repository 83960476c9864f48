#include "cli/run.hpp"

int main(int argc, char** argv) { return salvo::cli::run(argc, argv); }
