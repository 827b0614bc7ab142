# What `make install` puts in place.  The pkg-config file and the CMake package find the rest from
# where they lie, so that the installed tree may be moved.
install(TARGETS dodona_shared dodona_static EXPORT dodona
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET dodona_cli)
  install(TARGETS dodona_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(FILES include/dodona.h include/dodona_research.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

set(PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/dodona)
install(EXPORT dodona NAMESPACE dodona:: FILE dodonaTargets.cmake DESTINATION ${PACKAGE_DIR})
configure_package_config_file(cmake/dodonaConfig.cmake.in dodonaConfig.cmake
  INSTALL_DESTINATION ${PACKAGE_DIR})
write_basic_package_version_file(dodonaConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/dodonaConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/dodonaConfigVersion.cmake DESTINATION ${PACKAGE_DIR})

set(PC_DIR ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH PC_TO_PREFIX /prefix/${PC_DIR} /prefix)
configure_file(cmake/dodona.pc.in dodona.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/dodona.pc DESTINATION ${PC_DIR})

file(GLOB MODEL_FILES CONFIGURE_DEPENDS models/*.model)
install(FILES ${MODEL_FILES} DESTINATION ${CMAKE_INSTALL_DATADIR}/dodona/models)
install(FILES docs/dodona.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES tools/completion/dodona.bash RENAME dodona
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES tools/completion/_dodona
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
