#!/usr/bin/env bash
# The whole way in real browsers, against the real server: e2e.sh [screens]
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib.sh
need_tools
need_chromium
[ "${1:-}" = screens ] || need_engines
npm_packages
build_web
# PORTAGE_BIN names a program that is built already.
if [ -z "${PORTAGE_BIN:-}" ]; then
  cargo build --locked -p portage
  PORTAGE_BIN=$(built_program)
fi
export PORTAGE_BIN
cd frontend
if [ "${1:-}" = screens ]; then
  say "Every page as a picture"
  npm run --silent screens
  exit
fi
say "In the browser"
npm run --silent e2e
say "In Firefox and WebKit"
npm run --silent e2e:engines
