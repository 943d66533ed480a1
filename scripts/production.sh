#!/usr/bin/env bash
# From an empty folder and the release tarball to a company in production: the steps of docs/install.md, as they
# stand in the tarball, then a sign-up, a booking, a backup, another version and back, and a restore.
#   scripts/production.sh [--program PATH | --tarball PATH] [sqlite] [postgres]
# A folder stands for the machine: /opt, /etc and /var of the document are below it. Root's commands are run by
# whoever runs this; as root the account "portage" is the user 65534, otherwise owners are left out. In place of
# systemd the unit's own command is started in the unit's own folder, with an empty environment.
# Outside are processes of their own: a card gateway, maps, a relay with a password, all by TLS with an authority of
# their own, and the proxy (nginx or Caddy with the example of the release, else a plain one). PostgreSQL is the
# server of PORTAGE_TEST_POSTGRES_URL, or one that is made for this run.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib.sh

program='' tarball='' engines=()
while [ $# -gt 0 ]; do
  case "$1" in
    --program) program=$2; shift ;;
    --tarball) tarball=$(realpath "$2"); shift ;;
    sqlite | postgres) engines+=("$1") ;;
    *) fail "production.sh: there is no option $1" ;;
  esac
  shift
done
[ ${#engines[@]} -gt 0 ] || engines=(sqlite)
need_tools
need openssl "openssl" "Install the package openssl."
need curl "curl" "Install the package curl."
case " ${engines[*]} " in
  *" postgres "*)
    need_postgres
    for tool in psql pg_dump pg_restore; do need $tool "PostgreSQL's client" "Install the package postgresql-client."; done
    ;;
esac

here=$PWD
work=$(mktemp -d "${TMPDIR:-/tmp}/portage-production.XXXXXX")
chmod 711 "$work"
outside=() tidy=()
finish() {
  local code=$? pid command
  set +e
  stop_server
  for pid in "${outside[@]}"; do kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null; done
  for command in "${tidy[@]}"; do eval "$command" >/dev/null 2>&1; done
  if [ "$code" != 0 ]; then
    printf '\nproduction.sh: a step failed. What the server said last:\n' >&2
    tail -30 "$work"/*/server.log >&2
  fi
  rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM

# Below what systems lend to clients, and beside those of the test programs: a server that is started again finds its port free.
free_port() {
  node -e 'const { createServer } = require("node:net");
    const attempt = () => {
      const port = 32000 + Math.floor(Math.random() * 768);
      const server = createServer().on("error", attempt).listen(port, "127.0.0.1", () => { console.log(port); server.close(); });
    };
    attempt();'
}

# --- The account "portage", and what stands in for the commands of root -------------------------------------------

root=
[ "$(id -u)" = 0 ] && command -v setpriv >/dev/null && root=yes
tools=$PATH
# Sets `become`: what a command of the account begins with.
account() {
  become=(env -i PATH="$machine/usr/local/bin:$tools" HOME="$machine/var/lib/portage" SSL_CERT_FILE="$outdoors/ca.pem")
  [ -z "$root" ] || become+=(setpriv --reuid=65534 --regid=65534 --clear-groups)
}
as_portage() {
  account
  "${become[@]}" "$@"
}
sudo() {
  if [ "$1" != -u ]; then
    "$@"
  elif [ "$2" = portage ]; then
    shift 2
    as_portage "$@"
  else
    shift 2
    "$@"
  fi
}
useradd() { [ "${*: -1}" = portage ]; }
install() {
  local word given=()
  while [ $# -gt 0 ]; do
    word=$1
    shift
    case "$word" in
      -o | -g)
        if [ -n "$root" ]; then
          given+=("$word" "$([ "$1" = portage ] && echo 65534 || echo 0)")
        fi
        shift
        ;;
      *) given+=("$word") ;;
    esac
  done
  command install "${given[@]}"
}
# A line of a unit, with its continuations, as systemd would read it.
unit_line() { sed -e ':more' -e '/\\$/{N;s/\\\n *//;b more' -e '}' "$machine/etc/systemd/system/$1" | sed -n "s|^$2=||p" | there; }
systemctl() {
  case "$*" in
    daemon-reload) ;;
    "enable --now portage" | "start portage") start_server ;;
    "stop portage") stop_server ;;
    "restart portage") stop_server && start_server ;;
    "enable --now portage-backup.timer")
      # What the timer starts, at once.
      local line
      line=$(unit_line portage-backup.service ExecStart | sed -e "s|^/bin/sh -ec '||" -e "s|'\$||" -e 's|\$\$|$|g' -e 's|%%|%|g')
      (cd "$machine/etc/portage" && umask 077 && as_portage /bin/sh -ec "$line")
      ;;
    *) fail "production.sh does not know systemctl $*" ;;
  esac
}
start_server() {
  local line
  line=$(unit_line portage.service ExecStart)
  (
    cd "$(unit_line portage.service WorkingDirectory)"
    umask 077
    account
    # shellcheck disable=SC2086 # a command and its arguments
    "${become[@]}" $line &
    echo $! > "$outdoors/server.pid"
    code=0
    wait $! || code=$?
    echo "$code" > "$outdoors/server.ended"
  ) >> "$outdoors/server.log" 2>&1 &
}
# Which version runs, where the system tells.
running() {
  local program
  program=$(readlink "/proc/$(cat "$outdoors/server.pid")/exe" 2> /dev/null) || return 0
  [ "$program" = "$machine/opt/portage/$1/portage" ] || fail "$1 should run, and $program does"
}
stop_server() {
  local pid
  [ -n "${outdoors:-}" ] && [ -f "$outdoors/server.pid" ] || return 0
  pid=$(cat "$outdoors/server.pid")
  rm -f "$outdoors/server.pid"
  kill -TERM "$pid" 2>/dev/null || true
  for _ in $(seq 300); do
    if [ -f "$outdoors/server.ended" ]; then
      [ "$(cat "$outdoors/server.ended")" = 0 ] || fail "the server ended with $(cat "$outdoors/server.ended")"
      rm -f "$outdoors/server.ended"
      return 0
    fi
    sleep 0.1
  done
  kill -KILL "$pid"
  fail "the server did not stop within 30 s"
}

# --- The document ---------------------------------------------------------------------------------------------------

# Places and addresses of the document as they are here.
there() {
  sed -e "s#/opt/portage#$machine/opt/portage#g" -e "s#/etc/portage#$machine/etc/portage#g" \
    -e "s#/etc/systemd#$machine/etc/systemd#g" -e "s#/var/lib/portage#$machine/var/lib/portage#g" \
    -e "s#/var/backups/portage#$machine/var/backups/portage#g" -e "s#/usr/local/bin#$machine/usr/local/bin#g" \
    -e "s#http://127.0.0.1:8080#http://127.0.0.1:$site#g" -e "s#^release=.*#release=$release#" \
    -e "s#portage-0.1.0-x86_64-unknown-linux-gnu#$first#g" -e "s#^url=.*#url=$url#"
}
# The commands of a step.
commands() {
  awk -v mark="<!-- step: $1 -->" '
    index($0, mark) { found = 1; next }
    found == 1 && /^ *```sh/ { match($0, /^ */); indent = RLENGTH; found = 2; next }
    found == 2 && /^ *```/ { exit }
    found == 2 { print substr($0, indent + 1) }' "$manual" | there
}
step() {
  local text
  text=$(commands "$1")
  [ -n "$text" ] || fail "docs/install.md has no step \"$1\""
  printf -- '-- %s\n' "$1"
  (
    set -euo pipefail
    cd "$machine/root"
    PATH=$machine/usr/local/bin:$PATH
    eval "$text"
  )
}
# A setting, as somebody writes it into the file.
setting() {
  grep -qE "^(# )?$1 = " "$machine/etc/portage/portage.toml" || fail "portage.toml has no line for $1"
  sed -i -E "s|^(# )?$1 = .*|$1 = $2|" "$machine/etc/portage/portage.toml"
}

# --- Outside --------------------------------------------------------------------------------------------------------

certificates() {
  local quiet=$outdoors/openssl.log
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj '/CN=An authority of its own' \
    -keyout "$outdoors/ca.key" -out "$outdoors/ca.pem" 2> "$quiet"
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj '/CN=localhost' \
    -keyout "$outdoors/localhost.key" -out "$outdoors/localhost.csr" 2>> "$quiet"
  printf 'subjectAltName=DNS:localhost,IP:127.0.0.1\nextendedKeyUsage=serverAuth\n' > "$outdoors/names"
  openssl x509 -req -days 2 -in "$outdoors/localhost.csr" -CA "$outdoors/ca.pem" -CAkey "$outdoors/ca.key" -CAcreateserial \
    -extfile "$outdoors/names" -out "$outdoors/localhost.pem" 2>> "$quiet"
  chmod 644 "$outdoors/ca.pem"
}
postgres_server() {
  [ -z "${PORTAGE_TEST_POSTGRES_URL:-}" ] || { admin=${PORTAGE_TEST_POSTGRES_URL%/*}; return; }
  local bin port drop=() data=$work/postgres
  bin=$(dirname "$(command -v initdb || ls -d /usr/lib/postgresql/*/bin/initdb | sort -V | tail -1)")
  port=$(free_port)
  mkdir -p "$data"
  if [ "$(id -u)" = 0 ]; then
    [ -n "$root" ] || fail "PostgreSQL does not run as root: install setpriv (util-linux)."
    chown 65534:65534 "$data"
    drop=(setpriv --reuid=65534 --regid=65534 --clear-groups)
  fi
  tools=$bin:$tools
  (cd "$data" && "${drop[@]}" "$bin/initdb" -D "$data/db" -U postgres --auth=trust --no-sync > "$data/log" 2>&1)
  (cd "$data" && exec "${drop[@]}" "$bin/postgres" -D "$data/db" -p "$port" -k "$data" -c listen_addresses=127.0.0.1 -c fsync=off >> "$data/log" 2>&1) &
  outside+=($!)
  admin=postgres://postgres@127.0.0.1:$port
  for _ in $(seq 100); do
    command psql "$admin/postgres" --quiet --command 'SELECT 1' > /dev/null 2>&1 && return
    sleep 0.1
  done
  fail "PostgreSQL did not start: $(cat "$data/log")"
}
# What `sudo -u postgres` may do, at the server of this run, with the database of this run.
createdb() { command psql "$admin/postgres" --quiet --command "CREATE DATABASE $database ENCODING 'UTF8' TEMPLATE template0"; }
psql() { command psql "$admin/postgres" --quiet "${@//portage/$database}"; }

proxy_of_release() {
  local examples=$machine/opt/portage/current/deploy plain
  plain=$(free_port)
  if command -v nginx > /dev/null; then
    proxy="nginx, $(nginx -v 2>&1 | sed 's|.*/||')"
    sed -e '/listen \[::\]/d' -e "s|listen 80;|listen 127.0.0.1:$plain;|" -e "s|listen 443|listen 127.0.0.1:$door|" \
      -e "s|move.example|localhost|" -e "s|127.0.0.1:8080|127.0.0.1:$site|" -e "s|/etc/ssl/portage/fullchain.pem|$outdoors/localhost.pem|" \
      -e "s|/etc/ssl/portage/privkey.pem|$outdoors/localhost.key|" "$examples/nginx.conf" > "$outdoors/portage.conf"
    mkdir -p "$outdoors/nginx"
    printf 'daemon off; master_process off; pid %s/pid;\nevents {}\nhttp { access_log off; client_body_temp_path %s; proxy_temp_path %s; fastcgi_temp_path %s; uwsgi_temp_path %s; scgi_temp_path %s; include %s; }\n' \
      "$outdoors/nginx" "$outdoors/nginx" "$outdoors/nginx" "$outdoors/nginx" "$outdoors/nginx" "$outdoors/nginx" "$outdoors/portage.conf" > "$outdoors/nginx.conf"
    nginx -e "$outdoors/nginx.log" -c "$outdoors/nginx.conf" > /dev/null 2>&1 &
    outside+=($!)
  elif command -v caddy > /dev/null; then
    proxy="Caddy, $(caddy version)"
    sed -e "s|^move.example {|https://localhost:$door {\n\ttls $outdoors/localhost.pem $outdoors/localhost.key|" -e "s|127.0.0.1:8080|127.0.0.1:$site|" "$examples/Caddyfile" > "$outdoors/Caddyfile"
    { printf '{\n\tadmin off\n\tauto_https disable_redirects\n}\n'; cat "$outdoors/Caddyfile"; } > "$outdoors/Caddyfile.all"
    env -i PATH="$PATH" HOME="$outdoors" caddy run --adapter caddyfile --config "$outdoors/Caddyfile.all" > "$outdoors/caddy.log" 2>&1 &
    outside+=($!)
  else
    proxy="a plain one (neither nginx nor Caddy is here)"
    return
  fi
}

# What is not used above is looked at by its own tool, where that is here.
examples() {
  local folder=$machine/opt/portage/current/deploy units=$outdoors/units unit
  if command -v systemd-analyze > /dev/null; then
    mkdir -p "$units"
    for unit in portage.service portage-backup.service portage-backup.timer; do there < "$folder/$unit" > "$units/$unit"; done
    systemd-analyze verify "$units"/*
    for unit in portage.service portage-backup.service; do
      systemd-analyze security --offline=true --threshold=30 "$units/$unit" | tail -1
    done
  else
    printf 'systemd-analyze is not here: the units are not looked at\n'
  fi
  if command -v caddy > /dev/null; then caddy validate --adapter caddyfile --config "$folder/Caddyfile" 2>&1 | tail -1; fi
  if command -v promtool > /dev/null; then promtool check rules "$folder/alerts.yml"; fi
}

# --- A company ------------------------------------------------------------------------------------------------------

people() {
  printf -- '-- %s: ' "$1"
  SITE=https://localhost:$door GATEWAY=https://localhost:$gateway MAILS=$outdoors/mails NODE_EXTRA_CA_CERTS=$outdoors/ca.pem \
    node "$here/scripts/production/people.mjs" "$1"
}
company() {
  local engine=$1 began=$SECONDS said
  say "A company in production: $engine"
  machine=$work/$engine-machine outdoors=$work/$engine
  mkdir -p "$outdoors" "$machine"/{root,opt,etc/systemd/system,var/lib,var/backups,usr/local/bin}
  chmod 711 "$outdoors"
  site=$(free_port) door=$(free_port) gateway=$(free_port) relay=$(free_port) simulator=$(free_port)
  release=$first url='' database=portage_production_$$
  cp "$bundle" "$bundle.sha256" "$machine/root"
  manual=$outdoors/install.md
  tar -xzOf "$bundle" "$first/docs/install.md" > "$manual"
  certificates

  step unpack
  step account
  [ "$engine" = sqlite ] || {
    [ -n "${admin:-}" ] || postgres_server
    createdb
    tidy+=("command psql '$admin/postgres' --command 'DROP DATABASE IF EXISTS ${database} WITH (FORCE)' --command 'DROP DATABASE IF EXISTS ${database}_before WITH (FORCE)'")
    url=$admin/$database
    setting database_url "\"$url\""
  }

  # As it comes, the example says what it needs, and nothing else is wrong with it.
  setting data_dir "\"$machine/var/lib/portage\""
  setting bind "\"127.0.0.1:$site\""
  said=$(step check 2>&1) && fail "check-config takes settings that are not filled in: $said"
  for name in PUBLIC_URL COMPANY_NAME COMPANY_ADDRESS COMPANY_EMAIL COMPANY_PHONE PAYMENTS_PUBLIC_KEY PAYMENTS_PRIVATE_KEY \
    PAYMENTS_MERCHANT_ACCOUNT MAPS_TOKEN SMTP_URL; do
    grep -q "^  PORTAGE_$name " <<< "$said" || fail "check-config does not ask for PORTAGE_$name: $said"
  done

  setting public_url "\"https://localhost:$door\""
  setting drain_seconds 1
  setting company_name '"Move"'
  setting company_address '"1 Main Street, Montréal QC H2X 1Y4"'
  setting company_email '"help@move.example"'
  setting company_phone '"514-555-0101"'
  setting payments_url "\"https://localhost:$gateway/graphql\""
  setting payments_public_key '"public"'
  setting payments_private_key '"private"'
  setting payments_merchant_account '"move_cad"'
  setting maps_url "\"https://localhost:$gateway\""
  setting maps_token '"pk.move"'
  setting smtp_url "\"smtps://move%40relay.example:p%40ss%20word@localhost:$relay\""
  setting mail_from '"moves@move.example"'
  # SQLite: the key that the first start makes. PostgreSQL: one in the settings, as for more than one server.
  [ "$engine" = sqlite ] || {
    setting signing_keys "'''\n$(step 'signing key' | grep -v '^-- ' | awk '{ printf "%s\\n", $0 }')'''\n_"
    # The rest of the commented example below its first line.
    sed -i '/^_$/,/^# '"'''"'$/d' "$machine/etc/portage/portage.toml"
  }
  step check | grep 'all settings are usable'

  # Outside, before the first price is asked for.
  env -i PATH="$PATH" PORTAGE_BIND="127.0.0.1:$simulator" PORTAGE_DATA_DIR="$outdoors/simulated" PORTAGE_LOG=warn \
    "$machine/opt/portage/current/portage" serve > "$outdoors/simulator.log" 2>&1 &
  outside+=($!)
  proxy=
  proxy_of_release
  local plain=()
  [ "${proxy#a plain}" = "$proxy" ] || plain=("$door" "$site")
  node scripts/production/world.mjs "$outdoors" "$simulator" "$gateway" "$relay" "${plain[@]}" > "$outdoors/world.log" 2>&1 &
  outside+=($!)

  curl --fail --silent --show-error --retry 20 --retry-delay 1 --retry-all-errors "http://127.0.0.1:$simulator/readyz" > /dev/null 2>&1
  said=$(step connect 2>&1) || fail "$said"
  [ "$(ls "$outdoors/mails" | wc -l)" = 1 ] || fail "the mail of check-config did not arrive: $said"

  # The calendar's dates lie ahead whenever this runs.
  sed -i 's/^2027-/2099-/' "$machine/opt/portage/current/fixtures/calendar.toml"
  step load
  step service
  step ready > /dev/null 2>&1
  curl --fail --silent --show-error --retry 20 --retry-delay 1 --retry-all-errors --cacert "$outdoors/ca.pem" "https://localhost:$door/healthz" > /dev/null 2>&1
  # The health check of the image.
  (cd "$work" && bash -c "$(node -e '
    const line = require("fs").readFileSync(process.argv[1], "utf8").match(/^HEALTHCHECK .* CMD (\[.*\])$/m)[1];
    console.log(JSON.parse(line)[2].replace("8080", process.argv[2]))' "$machine/opt/portage/current/deploy/Containerfile" "$site")") \
    || fail "the health check of the Containerfile fails"

  examples
  printf -- '-- the proxy is %s\n' "$proxy"
  people owner
  people customer
  people assign
  said=$(step compare 2>&1) || fail "$said"
  grep "no difference ($(cat "$outdoors/mails/charges") gateway transactions" <<< "$said" || fail "$said"
  grep 'nothing was given up' <<< "$said" || fail "$said"
  if [ "$engine" = sqlite ]; then
    step timer
    ls "$machine"/var/backups/portage/portage-*.db "$machine"/var/backups/portage/keys-*.pem > /dev/null
  fi
  step "backup $engine"

  # The same program as another version: what is tried is the way there and back.
  release=$second
  cp "$next" "$next.sha256" "$machine/root"
  if [ "$engine" = sqlite ]; then
    step upgrade
  else
    manual=$outdoors/upgrade.md
    sed '/portage backup/d' "$outdoors/install.md" > "$manual"
    step upgrade
    manual=$outdoors/install.md
  fi
  step ready > /dev/null 2>&1
  running "$second"
  people look
  step back
  step ready > /dev/null 2>&1
  running "$first"
  people look

  if [ "$engine" = postgres ]; then
    # A database that a newer version has changed is refused, in words, and left alone.
    systemctl stop portage
    command psql "$url" --quiet --command "INSERT INTO __diesel_schema_migrations (version) VALUES ('20991231000100')"
    said=$(cd "$machine/etc/portage" && as_portage portage serve 2>&1) && fail "an older program takes a newer database"
    grep -o 'belongs to a newer version of Portage' <<< "$said" || fail "$said"
  fi
  step "restore $engine"
  step ready > /dev/null 2>&1
  people look
  said=$(step compare 2>&1) || fail "$said"
  grep "no difference ($(cat "$outdoors/mails/charges") gateway transactions" <<< "$said" || fail "$said"
  systemctl stop portage
  printf '%s: done in %s s\n' "$engine" $((SECONDS - began))
}

# --- The tarball, and the same as another version --------------------------------------------------------------------

if [ -z "$tarball" ]; then
  program=${program:-${CARGO_TARGET_DIR:-target}/debug/portage}
  [ -x "$program" ] || fail "There is no $program: cargo build -p portage, or name a program with --program."
  build_web
  webs=()
  for app in frontend/apps/*/; do
    app=${app%/}
    webs+=(--web "${app##*/}=$app/dist")
  done
  scripts/release.sh --program "$program" "${webs[@]}" --out "$work/bundle" --level 1
  tarball=$(ls "$work"/bundle/*.tar.gz)
fi
bundle=$work/$(basename "$tarball")
first=$(basename "$tarball" .tar.gz) second=$(basename "$tarball" .tar.gz)-next
[ "$tarball" -ef "$bundle" ] || cp "$tarball" "$bundle"
next=$work/$second.tar.gz
(cd "$work" && sha256sum "$first.tar.gz" > "$first.tar.gz.sha256")
mkdir "$work/next" && tar -xzf "$bundle" -C "$work/next" && mv "$work/next/$first" "$work/next/$second"
tar -C "$work/next" -cf - "$second" | gzip -1 > "$next"
(cd "$work" && sha256sum "$second.tar.gz" > "$second.tar.gz.sha256")
rm -rf "$work/next"

for engine in "${engines[@]}"; do company "$engine"; done
