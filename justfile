# Portage's recipes. `npx -y rust-just <recipe>` works where `just` is not installed.
set shell := ["bash", "-euo", "pipefail", "-c"]

# What there is
default:
    @{{just_executable()}} --list

# Build what is missing and serve Portage (demo mode unless configured)
run *args:
    scripts/run.sh {{args}}

# Everything: both databases, the web app, a real browser
test:
    scripts/test.sh

# Server and web app that follow your edits (http://localhost:5173)
dev:
    scripts/dev.sh

# Figures, as ratios measured in one run
bench:
    scripts/bench.sh

# kill -9 in a loop: a hundred rounds
crash rounds="100":
    PORTAGE_CRASH_ROUNDS={{rounds}} cargo test -p portage --test crash -- --nocapture

# Everything at once that money must survive, on both databases
chaos minutes="30":
    PORTAGE_CHAOS_MINUTES={{minutes}} cargo test -p portage --test chaos -- --nocapture

# The seeded simulation: so many schedules (PORTAGE_SIM_SEED=… shows one of them; `sessions` first: of accounts)
simulate *schedules:
    scripts/simulate.sh {{schedules}}

# What the simulation notices: each mend of the money taken back alone
simulation-power:
    scripts/sim-power.sh

# Operated with real parts: nginx, Caddy, PostgreSQL, a hostile relay (all, or mail|stops|rolling|restore)
operate *parts:
    scripts/operate.sh {{parts}}

# Random requests from the OpenAPI document
fuzz:
    scripts/fuzz.sh

# Every page in three languages, two sizes, light and dark
screens:
    scripts/e2e.sh screens

# A folder and a tarball in target/release-bundle/ with all a company installs
release *args:
    scripts/release.sh {{args}}

# Known advisories and licences of all libraries (needs the network, and cargo-deny: cargo install cargo-deny)
advisories:
    cargo deny check
    npm --prefix frontend audit

# From the tarball alone to a company in production, as docs/install.md says: sqlite, postgres
production *engines="sqlite postgres":
    scripts/production.sh {{engines}}

# What the program defines and never uses
uncalled:
    node scripts/uncalled.mjs

# Format
fmt:
    cargo fmt --all
    cd frontend && npx oxfmt .

# Lints of both halves
lint:
    cargo clippy --workspace --all-targets -- -D warnings
    cd frontend && npm run typecheck && npm run lint
