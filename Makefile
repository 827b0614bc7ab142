# A thin front: CMake and Ninja do the work.
#
#   make           build the libraries and build/dodona
#   make demo      install what is missing, build, draw the tree of a sentence, train a small parser
#   make test      install what is missing, build, run all tests
#   make python    build the Python package into build/venv and run its tests there
#   make install   into PREFIX (/usr/local), below DESTDIR where that is given
#   make uninstall removes from there what make install puts there
#   make options   write the lists of options in the manual and the manual page anew
#   make format    lay out all C sources as .clang-format says
#   make clean     remove build/
PREFIX  ?= /usr/local
DESTDIR ?=
CMAKEFLAGS ?=

all: build/build.ninja
	cmake --build build

build/build.ninja:
	cmake -S . -B build -G Ninja $(CMAKEFLAGS)

setup:
	tools/setup

demo: setup
	$(MAKE) --no-print-directory all
	tools/demo

# Configured anew, since setup may have installed cmocka after an earlier build.
test: setup
	cmake -S . -B build -G Ninja $(CMAKEFLAGS)
	cmake --build build
	ctest --test-dir build --output-on-failure -j $$(nproc)

# Needs the command and the generator, which the tests compare with.
python: all
	tools/setup python
	python3 -m venv build/venv
	build/venv/bin/pip install --quiet --disable-pip-version-check '.[test]'
	build/venv/bin/python -m pytest -q -p no:cacheprovider

install: all
	DESTDIR="$(DESTDIR)" cmake --install build --prefix "$(PREFIX)"
	@if [ -z "$(DESTDIR)" ] && [ "$$(id -u)" = 0 ]; then ldconfig; fi

uninstall: all
	tools/uninstall build "$(PREFIX)" "$(DESTDIR)"

options: all
	tools/update-options build/dodona

format:
	find include src tests bench fuzz tools python -name '*.[ch]' | xargs clang-format -i

clean:
	rm -rf build

.PHONY: all setup demo test python install uninstall options format clean
