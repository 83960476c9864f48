# make            set up and build build/release/salvo
# make demo       build, fit the predator-prey example, say where its pictures are
# make test       build and run all tests
# make bench      build and run the benchmarks into build/bench.json
# make asan tsan  the tests with sanitizers
# make coverage   which lines the tests reach
# make format     clang-format over all sources
# make tidy       clang-tidy over the sources changed since the last commit, or FILES="..."
# make clean      remove build/

packages := g++ cmake ninja-build ccache libeigen3-dev libfmt-dev libyaml-cpp-dev libcli11-dev libtbb-dev \
            nlohmann-json3-dev libboost-math-dev libgtest-dev libbenchmark-dev python3
jobs     := $(shell nproc)
sources   = $(shell find src test bench -name '*.cpp' -o -name '*.hpp')

.DEFAULT_GOAL := release
.PHONY: release setup demo test bench asan tsan coverage format tidy clean

setup:
	@tools/install_packages $(packages)

# $(call build,PRESET) configures and builds one of the presets of CMakePresets.json.
define build
	@echo "Configuring build/$(1)"
	@cmake --preset $(1) >/dev/null
	@echo "Building build/$(1) with $(jobs) jobs"
	@cmake --build build/$(1) -j$(jobs)
endef

release: setup
	$(call build,release)
	@echo "Built build/release/salvo; try  build/release/salvo --help"

demo: release
	@echo "Fitting the predator-prey example"
	build/release/salvo fit examples/lotka-volterra/lotka-volterra.yaml --out build/demo.fit
	@echo "The trajectories at the start: build/demo.fit/start.svg"
	@echo "The trajectories at the end:   build/demo.fit/solution.svg"

test: release
	@ctest --test-dir build/release --output-on-failure -j2

bench: release
	@tools/run_benchmarks build/release/bench build/bench.json

asan: setup
	$(call build,asan)
	@ctest --test-dir build/asan --output-on-failure -j2

tsan: setup
	$(call build,tsan)
	@ctest --test-dir build/tsan --output-on-failure -j2

coverage:
	@tools/install_packages $(packages) gcovr
	$(call build,coverage)
	@ctest --test-dir build/coverage --output-on-failure -j2
	@gcovr --root . --filter src/ build/coverage

format:
	@tools/install_packages clang-format
	@clang-format -i $(sources)

tidy: setup
	@tools/install_packages clang-tidy
	@cmake --preset dev >/dev/null
	@files="$(or $(FILES),$(shell git diff --name-only --diff-filter=d HEAD -- 'src/*.cpp' 2>/dev/null))"; \
	if [ -z "$$files" ]; then echo "No changed sources; name some with FILES=\"...\""; \
	else clang-tidy -p build/dev $$files; fi

clean:
	@rm -rf build
