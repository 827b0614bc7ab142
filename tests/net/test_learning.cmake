# The parser made of the layers alone is also what bench/net_trial measures.
target_sources(${TARGET} PRIVATE ${PROJECT_SOURCE_DIR}/bench/lib/biaffine.c)
target_compile_options(${TARGET} PRIVATE "SHELL:-iquote ${PROJECT_SOURCE_DIR}/bench")
