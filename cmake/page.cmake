# Turns the script and the style sheet of the HTML page into C: arrays of lines (src/io/page.h).
# Run as a script: cmake -D SCRIPT=... -D STYLE=... -D OUTPUT=... -P page.cmake
set(C "#include \"io/page.h\"\n")
foreach(PART SCRIPT STYLE)
  string(TOLOWER ${PART} NAME)
  file(READ ${${PART}} TEXT)
  string(REPLACE "\\" "\\\\" TEXT "${TEXT}")
  string(REPLACE "\"" "\\\"" TEXT "${TEXT}")
  string(REPLACE "\n" "\\n\",\n    \"" TEXT "${TEXT}")
  string(APPEND C "\nconst char *const ddn_page_${NAME}[] = {\n    \"${TEXT}\",\n    0,\n};\n")
endforeach()
file(WRITE ${OUTPUT} "${C}")
