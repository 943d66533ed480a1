#!/usr/bin/env bash
# What the seeded simulation would notice: each mend of the money is taken back alone, and the first
# schedule that fails is printed (docs/decisions/0007). A patch puts the ways back into a temporary tree;
# the product has none of them. Needs a clean tree: what is tried is what is committed.
# With the word `sessions` first: the mends of accounts, in the simulation of sessions.
#   scripts/sim-power.sh [sessions] [schedules] [mend …]
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
patch=$root/crates/service/tests/simulation/power.patch
what=(-p service --test simulation)
test=every_schedule_holds
if [ "${1:-}" = sessions ]; then
  patch=$root/crates/identity/src/simulation/power.patch
  what=(-p identity --lib)
  test=no_right_outlives_its_session
  shift
fi
tree=$root/target/power-tree
schedules=${1:-20000}
shift || true
mends=("$@")
if [ ${#mends[@]} = 0 ]; then
  mapfile -t mends < <(grep -oP '^\+.*?\bback\("\K[^"]+' "$patch" | sort -u)
fi
git worktree remove --force "$tree" 2> /dev/null || true
git worktree add --quiet --detach "$tree" HEAD
trap 'git -C "$root" worktree remove --force "$tree"' EXIT
git -C "$tree" apply --3way "$patch" || {
  echo "the code has moved on: take the mends back by hand in power.patch, and say so in docs/decisions/0007" >&2
  exit 1
}
export LIBSQLITE3_FLAGS CARGO_TARGET_DIR=$root/target
LIBSQLITE3_FLAGS=$(cat scripts/sqlite-flags)
built=$(cd "$tree" && cargo test --locked --profile simulation "${what[@]}" --no-run 2>&1 | tee /dev/stderr)
program=$(grep -oP 'Executable .*\(\K[^)]+' <<< "$built")
[ "${program#/}" != "$program" ] || program=$tree/$program
echo "| mend taken back | seed | step | what the judge says |"
echo "| --- | --- | --- | --- |"
for mend in "${mends[@]}"; do
  said=$(PORTAGE_TAKE_BACK=$mend PORTAGE_SIM_SCHEDULES=$schedules "$program" "$test" --nocapture 2>&1 || true)
  found=$(grep -oPm1 'seed \d+ fails: seed \K.*' <<< "$said" || true)
  if [ -z "$found" ]; then
    echo "| $mend | | | none of $schedules schedules fails |"
  else
    sed -E "s/^([0-9]+), step ([0-9]+): (.*)/| $mend | \1 | \2 | \`\3\` |/" <<< "$found"
  fi
done
