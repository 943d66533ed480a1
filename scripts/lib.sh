# Shared by the scripts: finds what is needed, brings it where it can, says what to do where it cannot.
# Sourced by bash with the repository's root as working directory.

say() { printf '\n== %s\n' "$*"; }
fail() { printf '\n%s\n' "$*" >&2; exit 1; }

# need COMMAND WHAT-IT-IS WHERE-TO-GET-IT
need() { command -v "$1" >/dev/null 2>&1 || fail "$2 is needed and was not found ($1). $3"; }

need_tools() {
  need cargo "Rust" "Install it from https://rustup.rs and try again."
  need node "Node.js 20.19 or newer" "Install it from https://nodejs.org and try again."
  need npm "npm" "It comes with Node.js."
  command -v cc >/dev/null 2>&1 || command -v gcc >/dev/null 2>&1 || fail "A C compiler is needed (SQLite is built from source). Install gcc or clang and try again."
  node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' \
    || fail "Node.js 20.19 or newer is needed, this is $(node --version)."
}

has_lints() { cargo fmt --version >/dev/null 2>&1 && cargo clippy --version >/dev/null 2>&1; }

need_lints() {
  has_lints && return
  command -v rustup >/dev/null 2>&1 && rustup component add rustfmt clippy || true
  has_lints || fail "The gates need rustfmt and clippy. With rustup: rustup component add rustfmt clippy."
}

# Installs what the lock file says, when it changed since the last time.
npm_packages() {
  local stamp=frontend/node_modules/.portage-lock want
  want=$(cksum < frontend/package-lock.json)
  if [ "$(cat "$stamp" 2>/dev/null)" != "$want" ]; then
    say "Installing the web app's packages"
    (cd frontend && npm ci --no-audit --no-fund --loglevel=error)
    printf '%s' "$want" > "$stamp"
  fi
}

# Where cargo leaves the program of a debug build.
built_program() {
  local folder=${CARGO_TARGET_DIR:-target}
  case "$folder" in /*) ;; *) folder=$PWD/$folder ;; esac
  printf '%s/debug/portage' "$folder"
}

# Builds the web apps when one of their sources changed since the last build.
build_web() {
  local app out stale=
  for app in frontend/apps/*/; do
    out=${app}dist/index.html
    if [ ! -e "$out" ] || [ -n "$(find frontend/apps frontend/packages frontend/scripts frontend/*.json frontend/*.ts -newer "$out" -type f -not -path '*/dist/*' -not -path '*/node_modules/*' -print -quit)" ]; then
      stale=yes
    fi
  done
  [ -n "$stale" ] || return 0
  say "Building the web apps"
  (cd frontend && npm run --silent build)
  for app in frontend/apps/*/; do touch "${app}dist/index.html"; done
}

# apt PACKAGE...: true when they could be installed.
apt_install() {
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1 || return 1
  say "Installing $*"
  DEBIAN_FRONTEND=noninteractive apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

find_postgres() { command -v initdb >/dev/null 2>&1 || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; }

need_postgres() {
  [ -n "${PORTAGE_TEST_POSTGRES_URL:-}" ] && return
  find_postgres && return
  apt_install postgresql || true
  find_postgres || fail "The tests need PostgreSQL's programs (initdb, pg_ctl). Install the package postgresql, or name a server whose user may create databases in PORTAGE_TEST_POSTGRES_URL."
}

find_chromium() {
  local name
  # The shell without windows is the same engine and takes a quarter less time.
  for name in "${CHROMIUM_PATH:-}" chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable; do
    [ -n "$name" ] && command -v "$name" 2>/dev/null && return
  done
  return 1
}

need_chromium() {
  find_chromium >/dev/null || apt_install chromium-headless-shell || apt_install chromium || true
  CHROMIUM_PATH=$(find_chromium) || fail "The browser tests need Chromium. Install the package chromium, or name a browser in CHROMIUM_PATH."
  export CHROMIUM_PATH
  # Without a Chinese font pages in Chinese are boxes, and boxes have other widths.
  if command -v fc-list >/dev/null 2>&1 && [ -z "$(fc-list :lang=zh)" ]; then
    apt_install fonts-noto-cjk || printf 'No Chinese font was found: pages in Chinese will show boxes (package fonts-noto-cjk).\n' >&2
  fi
  # What stands in for our font until it has arrived (stand-in-font.css): without one of them the first page moves.
  if command -v fc-list >/dev/null 2>&1 && [ -z "$(fc-list 'Arial' family; fc-list 'Roboto' family; fc-list 'Liberation Sans' family)" ]; then
    apt_install fonts-liberation || fail "The browser tests need a font as wide as Arial. Install the package fonts-liberation."
  fi
}

find_firefox() {
  local name
  for name in "${FIREFOX_PATH:-}" firefox-esr firefox; do
    [ -n "$name" ] && command -v "$name" 2>/dev/null && return
  done
  return 1
}

find_webkit() { command -v "${WEBKIT_DRIVER_PATH:-WebKitWebDriver}" 2>/dev/null; }

find_xvfb() { command -v "${XVFB_PATH:-Xvfb}" 2>/dev/null; }

# The other engines: what works in one browser has failed in another before.
need_engines() {
  local missing=()
  find_firefox >/dev/null || missing+=(firefox-esr)
  find_webkit >/dev/null || missing+=(webkit2gtk-driver)
  find_xvfb >/dev/null || missing+=(xvfb)
  [ ${#missing[@]} = 0 ] || apt_install "${missing[@]}" || true
  FIREFOX_PATH=$(find_firefox) || fail "The browser tests need Firefox. Install the package firefox-esr, or name a browser in FIREFOX_PATH."
  WEBKIT_DRIVER_PATH=$(find_webkit) || fail "The browser tests need WebKit's driver. Install the package webkit2gtk-driver, or name WebKitWebDriver in WEBKIT_DRIVER_PATH."
  XVFB_PATH=$(find_xvfb) || fail "WebKit needs a screen to draw on. Install the package xvfb, or name Xvfb in XVFB_PATH."
  export FIREFOX_PATH WEBKIT_DRIVER_PATH XVFB_PATH
}
