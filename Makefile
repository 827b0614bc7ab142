# A thin front: CMake and Ninja do the work.
build/build.ninja:
	cmake -S . -B build -G Ninja
all: build/build.ninja
	ninja -C build
test: all
	ctest --test-dir build --output-on-failure -j2
.DEFAULT_GOAL := all
.PHONY: all test
