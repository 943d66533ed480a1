#!/usr/bin/env bash
# All tests. Nothing is skipped: what a test needs is found, installed, or its absence fails.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib.sh
need_tools
need_lints
need_postgres
need_chromium
npm_packages

say "The web app: types, lints, unit tests, size"
(cd frontend && npm run --silent typecheck && npm run --silent lint && npm test)
build_web
(cd frontend && npm run --silent budget)

say "Rust: format and lints"
cargo fmt --all --check
cargo clippy --locked --workspace --all-targets --quiet -- -D warnings

say "Rust: both databases, every crate"
cargo test --locked --workspace

scripts/e2e.sh
