#!/usr/bin/env bash
# Builds what is missing and serves Portage.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib.sh
need_tools
npm_packages
build_web
say "Building the server"
cargo build --locked -p portage
exec "${CARGO_TARGET_DIR:-target}/debug/portage" serve --with-history "$@"
