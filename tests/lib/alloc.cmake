# Link options for a test that includes lib/alloc.h; see tests/CMakeLists.txt.
target_sources(${TARGET} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/lib/wrap/alloc.c)
foreach(FUNCTION malloc calloc realloc aligned_alloc strdup free)
  target_link_options(${TARGET} PRIVATE LINKER:--wrap=${FUNCTION})
endforeach()
