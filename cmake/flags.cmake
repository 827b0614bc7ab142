# dodona_flags: how every file is compiled.  Not -march=native and not -ffast-math: the same source
# gives the same results on every machine, and -INFINITY stays a number.  -ffp-contract=off because
# compilers differ in whether they fuse a*b+c where the machine can.
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
if(NOT CMAKE_BUILD_TYPE AND PROJECT_IS_TOP_LEVEL)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release or Debug" FORCE)
endif()
set(CMAKE_C_FLAGS_RELEASE "-O2 -g") # assertions stay: a caller's bug is to be seen

add_library(dodona_flags INTERFACE)
target_compile_options(dodona_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -fvisibility=hidden -ffp-contract=off)
target_compile_definitions(dodona_flags INTERFACE _POSIX_C_SOURCE=200809L)
if(DODONA_WERROR)
  target_compile_options(dodona_flags INTERFACE -Werror)
endif()

if(DODONA_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "DODONA_FUZZ needs clang: configure with -DCMAKE_C_COMPILER=clang")
  endif()
  set(DODONA_SANITIZE "fuzzer-no-link,address,undefined")
endif()
if(DODONA_SANITIZE)
  set(SANITIZE_FLAGS -fsanitize=${DODONA_SANITIZE} -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
  target_compile_options(dodona_flags INTERFACE ${SANITIZE_FLAGS})
  target_link_options(dodona_flags INTERFACE ${SANITIZE_FLAGS})
endif()
