#!/usr/bin/env bash
# Portage operated with real parts nobody here wrote: nginx, Caddy, PostgreSQL, an independent SMTP server,
# openssl. Prints figures; ends with 0 only when everything that is claimed holds.
#
#   scripts/operate.sh                    all parts, about a quarter of an hour
#   scripts/operate.sh mail|stops|rolling|restore
#   PORTAGE_BIN=… scripts/operate.sh      a program that is built already
#   OPERATE_KEEP=1 scripts/operate.sh …   leaves the folders of the run, with every log, where they are
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib.sh

AIOSMTPD=1.4.6
parts=("$@")
[ $# -gt 0 ] || parts=(mail stops rolling restore)
for part in "${parts[@]}"; do
  case "$part" in mail | stops | rolling | restore) ;; *) fail "There is no part $part: mail, stops, rolling, restore." ;; esac
done

# has PROGRAM: servers are often installed where a user's path does not lead.
has() { PATH="$PATH:/usr/sbin:/usr/local/sbin:/sbin" command -v "$1" >/dev/null 2>&1; }

# bring PROGRAM PACKAGE
bring() {
  has "$1" || apt_install "$2" || true
  has "$1" || fail "$1 is needed (package $2): install it and try again."
}

need python3 "Python 3.10 or newer" "Install it and try again."
python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' || fail "Python 3.10 or newer is needed, this is $(python3 --version)."
bring openssl openssl
bring nginx nginx-light
bring caddy caddy
find_postgres || apt_install postgresql || true
find_postgres || fail "PostgreSQL's programs are needed (initdb, pg_dump): install the package postgresql and try again."

out=target/operate
mkdir -p "$out"
if ! "$out/venv/bin/python" -c 'import aiosmtpd' 2>/dev/null; then
  say "Bringing the SMTP server (aiosmtpd $AIOSMTPD)"
  python3 -m venv "$out/venv" 2>/dev/null || { apt_install python3-venv && python3 -m venv "$out/venv"; } \
    || fail "Python's venv is needed: install the package python3-venv and try again."
  "$out/venv/bin/pip" install --quiet --disable-pip-version-check "aiosmtpd==$AIOSMTPD"
fi

if [ -z "${PORTAGE_BIN:-}" ]; then
  need cargo "Rust" "Install it from https://rustup.rs and try again."
  say "Building the server"
  cargo build --locked -p portage
  PORTAGE_BIN=${CARGO_TARGET_DIR:-target}/debug/portage
fi
PORTAGE_BIN=$(realpath "$PORTAGE_BIN")
export PORTAGE_BIN PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=scripts

python=$out/venv/bin/python

waiting=
trap '[ -z "$waiting" ] || kill "$waiting" 2>/dev/null || true' EXIT
trap 'exit 130' INT TERM

# The part about mail waits most of its time, as relays make one wait: the others run meanwhile.
if [ "${#parts[@]}" -gt 1 ] && [ "${parts[0]}" = mail ]; then
  "$python" -m operate mail >"$out/mail.log" 2>&1 &
  waiting=$!
  parts=("${parts[@]:1}")
fi
wrong=
for name in "${parts[@]}"; do
  say "$name"
  "$python" -m operate "$name" || wrong="$wrong $name"
done
if [ -n "$waiting" ]; then
  say "mail"
  wait "$waiting" || wrong="$wrong mail"
  waiting=
  cat "$out/mail.log"
fi
[ -z "$wrong" ] || fail "Something that is claimed does not hold:$wrong"
say "Everything that is claimed holds"
