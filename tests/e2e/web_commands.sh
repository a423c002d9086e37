# Commands from the page to a target on this computer. (tests/ports/web_commands.sh: to an emulated board.)
"$SRC/web/install.sh" "$BUILD" >/dev/null
timeout 1500 node "$SRC/tests/web/commands.mjs" "$PHILOSOPHERS" --seconds=600 --output=tcp:127.0.0.1:{port}
