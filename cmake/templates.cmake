# Turns templates/*.templates into one C file: an array of names and texts (src/model/builtin.h).
# Run as a script: cmake -D FILES=... -D OUTPUT=... -P templates.cmake
list(SORT FILES)
set(C "#include \"model/builtin.h\"\n\nconst ddn_builtin ddn_builtin_templates[] = {\n")
foreach(FILE ${FILES})
  get_filename_component(NAME ${FILE} NAME_WE)
  file(READ ${FILE} TEXT)
  string(REPLACE "\\" "\\\\" TEXT "${TEXT}")
  string(REPLACE "\"" "\\\"" TEXT "${TEXT}")
  string(REPLACE "\n" "\\n\"\n      \"" TEXT "${TEXT}")
  string(APPEND C "    { \"${NAME}\",\n      \"${TEXT}\" },\n")
endforeach()
string(APPEND C "    { 0 },\n};\n")
file(WRITE ${OUTPUT} "${C}")
