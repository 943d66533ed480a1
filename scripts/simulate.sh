#!/usr/bin/env bash
# The seeded simulation (docs/decisions/0007): so many schedules, 20,000 when nothing is said. With the word
# `sessions` first: that of accounts, sessions and tokens instead of that of money and capacity.
# PORTAGE_SIM_SEED=… shows one of them, PORTAGE_SIM_SURVEY=1 goes on after failures and lists them.
set -euo pipefail
cd "$(dirname "$0")/.."
what=(-p service --test simulation)
only=()
if [ "${1:-}" = sessions ]; then
  what=(-p identity --lib)
  only=(simulation::)
  shift
fi
build_only=
if [ "${1:-}" = --build-only ]; then
  build_only=yes
  shift
fi
if [ -n "${1:-}" ] || [ -z "${PORTAGE_SIM_SEED:-}" ]; then
  export PORTAGE_SIM_SCHEDULES="${1:-20000}"
fi
# SQLite as it is built for one thread a connection: nothing is locked or counted over all threads
# (two threads would wait for each other), and a statement that is prepared stays prepared.
LIBSQLITE3_FLAGS=$(cat scripts/sqlite-flags)
export LIBSQLITE3_FLAGS
if [ -n "$build_only" ]; then
  exec cargo test --locked --profile simulation "${what[@]}" --no-run
fi
exec cargo test --locked --profile simulation "${what[@]}" -- "${only[@]}" --nocapture
