# QuickJS's WebAssembly part would clone SIMDe; Debian's libsimde-dev has the same headers.
set(FETCHCONTENT_SOURCE_DIR_SIMDE /usr/include CACHE PATH "")
