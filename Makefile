# make            set up and build the program, build/release/salvo
# make demo       build the program, fit the predator-prey example, say where its pictures are
# make test       build and run all tests
# make python     build the Python package and say how to import it (PYTHON=... for another interpreter)
# make mpi        build salvo-mpi, which shares long runs between the processes that MPI starts
# make wheel      build a wheel of the Python package for this machine, without pip
# make bench      build and run the benchmarks into build/bench.json
# make campaign   how often fits succeed from random guesses, and intervals cover the truth (an hour)
# make asan       the tests with sanitizers of addresses and undefined behaviour
# make tsan       the tests that use threads with a sanitizer of threads
# make fuzz       fuzzers of all readers, for FUZZ_SECONDS (default 3600) in all
# make coverage   which lines the tests reach
# make install    install programs, libraries for C++, C, R and Julia, manual page and completions (PREFIX, default /usr/local)
# make pages      run the commands in the documentation again and put in what they print
# make pictures   take the screenshots in docs/ and examples/ again
# make format     clang-format over all sources; make format-check says which of them it would change
# make tidy       clang-tidy over the sources changed since the last commit, or FILES="..."
# make clean      remove build/

packages := g++ cmake ninja-build ccache libeigen3-dev libfmt-dev libyaml-cpp-dev libcli11-dev libtbb-dev \
            nlohmann-json3-dev libboost-math-dev libsuitesparse-dev llvm-19-dev libsbml5-dev libgtest-dev \
            libbenchmark-dev python3
jobs     := $(shell nproc)
sources   = $(shell find src test bench bindings examples python -name '*.[ch]pp' -o -name '*.[ch]')

.DEFAULT_GOAL := release
.PHONY: release setup program mpi python wheel install demo test bench pages pictures asan tsan fuzz coverage format \
        format-check tidy clean

setup:
	@tools/install_packages $(packages)

# $(call build,PRESET) configures and builds one of the presets of CMakePresets.json; $(call build,PRESET,TARGET) a part.
define build
	@echo "Configuring build/$(1)"
	@cmake --preset $(1) >/dev/null
	@echo "Building $(or $(2),everything) in build/$(1) with $(jobs) jobs"
	@cmake --build build/$(1) -j$(jobs) --target $(or $(2),all)
endef

release: program
	@echo "Built build/release/salvo; try  build/release/salvo --help"

program: setup
	$(call build,release,salvo)

mpi_packages := libopenmpi-dev openmpi-bin
mpi: setup
	@tools/install_packages $(mpi_packages)
	$(call build,release,salvo salvo-mpi)
	@echo "Built build/release/salvo-mpi; try  mpirun -n 2 build/release/salvo-mpi fit PROBLEM --starts 100"

python_packages      := pybind11-dev python3-dev python3-numpy
python_test_packages := python3-pytest python3-scipy python3-pandas python3-matplotlib python3-xarray python3-joblib python3-emcee \
                        python3-lmfit python3-mypy python3-nbconvert python3-ipykernel python3-wheel python3-venv
python: setup
	@tools/install_packages $(python_packages)
	@echo "Configuring build/release"
	@cmake --preset release -D SALVO_PYTHON_PACKAGE=ON -D SALVO_PYTHON_INTERPRETER="$(PYTHON)" >/dev/null
	@echo "Building the Python package in build/release with $(jobs) jobs"
	@cmake --build build/release -j$(jobs) --target python
	@python=$$(cat build/release/python/interpreter.txt); \
	echo "Built for $$python; try"; \
	echo "  PYTHONPATH=$(CURDIR)/build/release/python $$python -c 'import salvo; print(salvo.__version__)'"

wheel: python
	@tools/install_packages python3-wheel
	@tools/make_wheel build/release build/wheel

PREFIX ?= /usr/local
install: setup
	@tools/install_packages $(python_packages)
	$(call build,release,to_install python)
	@cmake --install build/release --prefix $(PREFIX) >/dev/null
	@echo "Installed into $(PREFIX); try  man salvo"
	@grep -q '/salvo-mpi$$' build/release/install_manifest.txt || \
	  echo "Without salvo-mpi, since OpenMPI is not there: make mpi gets it, and then make install"
	@tools/where_python_looks build/release/python/interpreter.txt $(PREFIX)

example := examples/lotka-volterra/lotka-volterra.yaml
truth   := p1=1,p2=1,p3=1,p4=1,x1=0.4,x2=1

demo: program
	@echo
	@echo "1. Ten trajectories, one from each measurement, are joined by the solver:"
	@echo
	build/release/salvo fit $(example) --out build/demo.fit
	@echo
	@echo "2. The same with 100 new draws of the noise: are the estimates as good as the bound allows?"
	@echo
	build/release/salvo study $(example) --truth $(truth) --replicates 100
	@echo
	@echo "The fit as a page to look at:  build/demo.fit/report.html"
	@echo "The trajectories at the start: build/demo.fit/start.svg"
	@echo "The trajectories at the end:   build/demo.fit/solution.svg"

in_python = PYTHONPATH=build/release/python $$(cat build/release/python/interpreter.txt)

pages: program python
	@tools/refresh_pages build/release/salvo README.md examples/*/README.md docs/*.md docs/commands/*.md
	@tools/install_packages $(python_test_packages)
	@$(in_python) tools/run_python_pages docs/python.md docs/tutorial-python.md docs/python/from-*.md
	@$(in_python) tools/make_python_reference.py docs/python/reference.md

pictures: program python
	@tools/install_browser build/browser
	@SALVO=build/release/salvo SALVO_BROWSER=build/browser node tools/take_pictures.mjs
	@tools/install_packages $(python_test_packages)
	@$(in_python) tools/draw_python_pictures.py docs/pictures

# What only some tests need is fetched while that is built which does without it, but not before CMake has looked around.
test_packages := libnlopt-cxx-dev librsvg2-bin pkg-config r-base-core r-cran-jsonlite $(mpi_packages) $(python_packages) \
                 $(python_test_packages)
test: setup
	@tools/install_packages libsundials-dev
	@echo "Building unit tests in build/release with $(jobs) jobs"
	@cmake --preset release >/dev/null
	@{ tools/install_packages $(test_packages) && tools/install_browser build/browser; } >build/packages.log 2>&1 & \
	fetching=$$!; cmake --build build/release -j$(jobs) --target unit_tests; built=$$?; \
	wait $$fetching; fetched=$$?; cat build/packages.log; exit $$((built + fetched))
	$(call build,release)
	@ctest --test-dir build/release --output-on-failure -j$(jobs)

bench: setup
	@tools/install_packages libsundials-dev
	$(call build,release,salvo benchmarks)
	@tools/run_benchmarks build/release/salvo build/release/bench build/bench.json

campaign: setup
	$(call build,release,salvo success_rates_campaign hidden_states_campaign stiff_campaign plateau_campaign rules_campaign)
	@build/release/bench/success_rates_campaign
	@build/release/bench/hidden_states_campaign
	@build/release/bench/stiff_campaign
	@build/release/bench/plateau_campaign
	@build/release/bench/rules_campaign
	@tools/coverage build/release/salvo

# Sanitizers take dlopen upon themselves and do not know the run path of the program.
asan: setup
	$(call build,asan)
	@LD_LIBRARY_PATH=$(CURDIR)/build/asan ctest --test-dir build/asan --output-on-failure -j$(jobs)

# Suites that run on more than one thread, or beside a watch that reads the wish to stop.
threaded := Engine Objective ActingColumns Command FitCommand FitOfPredatorAndPrey Lagrangian ManyStarts Account HareAndLynx OtherStarts ParallelFor \
            ParallelForDeathTest Pool ProfileCommand Profiles RoughSearch RunContext ShootingProblem SmallSamples StiffFit \
            Stop Study ThetaProducts Watch WrongAnswers

tsan: setup
	$(call build,tsan,test_base test_shooting test_estimate test_fit test_salvo test_cli)
	@LD_LIBRARY_PATH=$(CURDIR)/build/tsan \
	ctest --test-dir build/tsan --output-on-failure -j$(jobs) -R "/($$(echo $(threaded) | tr ' ' '|'))(/|$$)"

FUZZ_SECONDS ?= 3600
fuzz: setup
	@tools/install_packages clang libclang-rt-dev
	$(call build,fuzz,fuzzers)
	@tools/fuzz build/fuzz $(FUZZ_SECONDS) $(jobs) $(FUZZ_SEED)

coverage:
	@tools/install_packages $(packages) gcovr
	$(call build,coverage)
	@ctest --test-dir build/coverage --output-on-failure -j$(jobs)
	@gcovr --root . --filter src/ build/coverage

format:
	@tools/install_packages clang-format
	@clang-format -i $(sources)

format-check:
	@tools/install_packages clang-format
	@clang-format --dry-run -Werror $(sources)

tidy: setup
	@tools/install_packages clang-tidy
	@cmake --preset dev >/dev/null
	@files="$(or $(FILES),$(shell git diff --name-only --diff-filter=d HEAD -- 'src/*.cpp' 2>/dev/null))"; \
	if [ -z "$$files" ]; then echo "No changed sources; name some with FILES=\"...\""; \
	else clang-tidy -p build/dev $$files; fi

clean:
	@rm -rf build
