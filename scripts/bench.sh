#!/usr/bin/env bash
# Figures as ratios of one run, what a document costs, and how long a page takes to be drawn. The first time a release is
# built, which takes up to half an hour.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib.sh
need_tools
need_chromium
npm_packages
build_web
cargo bench --locked -p pricing
cargo bench --locked -p documents
cargo bench --locked -p portage --bench throughput
# The program that the figures above are of.
PORTAGE_BIN=$(built_program | sed 's,/debug/portage$,/release/portage,')
export PORTAGE_BIN
(cd frontend && npm run --silent e2e:bench)
