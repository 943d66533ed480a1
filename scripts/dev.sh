#!/usr/bin/env bash
# The server and Vite side by side; Ctrl-C stops both.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib.sh
need_tools
npm_packages
cargo build --locked -p portage
trap 'kill 0' EXIT INT TERM
PORTAGE_PUBLIC_URL=http://localhost:5173 "${CARGO_TARGET_DIR:-target}/debug/portage" serve &
(cd frontend && npm run dev) &
wait
