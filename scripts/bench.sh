#!/usr/bin/env bash
# Figures as ratios of one run. A release build, so it takes some minutes the first time.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo bench --locked -p pricing
cargo bench --locked -p portage --bench throughput
