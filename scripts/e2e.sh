#!/usr/bin/env bash
# The whole way in a real browser, against the real server: e2e.sh [screens]
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib.sh
need_tools
need_chromium
npm_packages
build_web
cargo build --locked -p portage
PORTAGE_BIN="$(pwd)/${CARGO_TARGET_DIR:-target}/debug/portage"
case "${CARGO_TARGET_DIR:-}" in /*) PORTAGE_BIN="$CARGO_TARGET_DIR/debug/portage" ;; esac
export PORTAGE_BIN
say "In the browser"
cd frontend
if [ "${1:-}" = screens ]; then npm run --silent screens; else npm run --silent e2e; fi
