include(lib/alloc.cmake)
