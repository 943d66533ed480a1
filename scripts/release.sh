#!/usr/bin/env bash
# A release: a folder and a tarball in target/release-bundle/ with all a company installs, and their checksums.
#   scripts/release.sh                                     builds the program (release profile) and the web apps
#   scripts/release.sh --program PATH --web APP=FOLDER …   puts together what is built already
#   --out FOLDER                                           elsewhere than target/release-bundle
#   --level 1                                              packs fast rather than small
# The same commit, program and web apps give the same tarball: order, owner and times in it are fixed.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib.sh

program='' out=target/release-bundle level=9 webs=()
while [ $# -gt 0 ]; do
  [ $# -ge 2 ] || fail "release.sh: $1 needs a value"
  case "$1" in
    --program) program=$2 ;;
    --web) webs+=("$2") ;;
    --out) out=$2 ;;
    --level) level=$2 ;;
    *) fail "release.sh: there is no option $1" ;;
  esac
  shift 2
done

need_tools
need strip "strip" "Install binutils."
need gzip "gzip" "Install gzip."
npm_packages

if [ -z "$program" ]; then
  say "Building the program"
  cargo build --locked --release -p portage
  program=${CARGO_TARGET_DIR:-target}/release/portage
fi
if [ ${#webs[@]} = 0 ]; then
  build_web
  for app in frontend/apps/*/; do
    app=${app%/}
    webs+=("${app##*/}=$app/dist")
  done
fi

version=$(cargo metadata --locked --no-deps --format-version 1 \
  | node -e 'console.log(JSON.parse(require("fs").readFileSync(0)).packages.find((p) => p.name === "portage").version)')
said=$("$program" --version)
[ "$said" = "portage $version" ] || fail "$program says \"$said\", and this tree is portage $version. Build it again."
triple=$(rustc -vV | sed -n 's/^host: //p')
name=portage-$version-$triple
folder=$out/$name
if [ -z "${SOURCE_DATE_EPOCH:-}" ]; then
  SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || date +%s)
fi
commit=$(git rev-parse HEAD 2>/dev/null || echo unknown)
[ -z "$(git status --porcelain 2>/dev/null)" ] || commit="$commit, with changes that are not committed"

say "Putting $name together"
rm -rf "$folder" "$folder.tar.gz" "$folder.tar.gz.sha256"
mkdir -p "$folder"
cp "$program" "$folder/portage"
strip "$folder/portage"

# Where the program looks for a web app when nothing is said (crates/portage/src/wiring.rs): the one for
# customers in frontend/ beside it, the desk in a folder of that with the name of its path.
for web in "${webs[@]}"; do
  app=${web%%=*} built=${web#*=}
  [ -f "$built/index.html" ] || fail "The web app $app is not built: there is no $built/index.html."
  case "$app" in
    book) place=$folder/frontend ;;
    ops) place=$folder/frontend/dashboard ;;
    *) place=$folder/frontend-$app ;;
  esac
  cp -R "$built" "$place"
  # What the size check reads; nobody is sent it.
  rm -rf "$place/.vite"
done

cp LICENSE README.md "$folder/"
mkdir -p "$folder/docs/images" "$folder/deploy" "$folder/fixtures"
cp docs/*.md docs/openapi.json "$folder/docs/"
cp -R docs/images docs/decisions "$folder/docs/"
cp deploy/* "$folder/deploy/"
mv "$folder/deploy/portage.toml" "$folder/portage.toml"
cp fixtures/rate-card.json fixtures/calendar.toml "$folder/fixtures/"
node scripts/release/notices.mjs "$triple" > "$folder/THIRD-PARTY-NOTICES.txt"
{
  printf 'portage %s\n' "$version"
  printf 'for %s\n' "$triple"
  printf 'of commit %s\n' "$commit"
  libc=$(LC_ALL=C strings -a "$folder/portage" | grep -oE '^GLIBC_2\.[0-9]+' | sort -Vu | tail -1 || true)
  if [ -n "$libc" ]; then printf 'needs glibc %s or newer\n' "${libc#GLIBC_}"; fi
} > "$folder/RELEASE"

# Readable by all, writable by the owner; run what is a program.
find "$folder" -type d -exec chmod 755 {} +
find "$folder" -type f -exec chmod 644 {} +
chmod 755 "$folder/portage"
(cd "$folder" && find . -type f ! -name SHA256SUMS | sed 's|^\./||' | LC_ALL=C sort | xargs -d '\n' sha256sum > SHA256SUMS)
chmod 644 "$folder/SHA256SUMS"

tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --format=gnu \
  -C "$out" -cf - "$name" | gzip "-${level}n" > "$folder.tar.gz"
(cd "$out" && sha256sum "$name.tar.gz" > "$name.tar.gz.sha256")
printf '%s\n' "$folder" "$folder.tar.gz ($(du -h "$folder.tar.gz" | cut -f1))"
