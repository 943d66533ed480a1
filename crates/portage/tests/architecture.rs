//! The house stays as `docs/architecture.md` draws it: which crate may use which, what the pure
//! crates must never bring in, how long a file may grow, and what no file may name.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    process::Command,
};

use crate::support::{files, root};

/// One row of the table: what a crate may use, and what its tests may use besides.
#[derive(Debug, Default, PartialEq)]
struct Arrows {
    uses: BTreeSet<String>,
    tests: BTreeSet<String>,
}

/// The table between the markers in `docs/architecture.md`: | `crate` | `a` `b` | `c` | what it is |
fn drawn() -> BTreeMap<String, Arrows> {
    let page = std::fs::read_to_string(root().join("docs/architecture.md")).expect("docs/architecture.md");
    let table =
        page.split("<!-- arrows -->").nth(1).expect("docs/architecture.md has a table between <!-- arrows --> markers");
    let names = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<BTreeSet<_>>();
    let rows = table.lines().filter(|l| l.starts_with("| `")).map(|line| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let name = names(cells[1]).into_iter().next().expect("a crate's name");
        (name, Arrows { uses: names(cells[2]), tests: names(cells[3]) })
    });
    rows.collect()
}

/// What the manifests say, among our own crates.
fn built() -> BTreeMap<String, Arrows> {
    let out = cargo(&["metadata", "--format-version", "1", "--no-deps", "--offline"]);
    let metadata: serde_json::Value = serde_json::from_str(&out).expect("cargo metadata");
    let packages = metadata["packages"].as_array().expect("packages");
    let ours: BTreeSet<&str> = packages.iter().filter_map(|p| p["name"].as_str()).collect();
    let mut found = BTreeMap::new();
    for package in packages {
        let name = package["name"].as_str().unwrap();
        let mut arrows = Arrows::default();
        for dependency in package["dependencies"].as_array().unwrap() {
            let target = dependency["name"].as_str().unwrap();
            // A crate that names itself in its dev-dependencies only turns a feature on.
            if !ours.contains(target) || target == name {
                continue;
            }
            let list = if dependency["kind"] == "dev" { &mut arrows.tests } else { &mut arrows.uses };
            list.insert(target.to_owned());
        }
        let uses = arrows.uses.clone();
        arrows.tests.retain(|t| !uses.contains(t));
        found.insert(name.to_owned(), arrows);
    }
    found
}

fn cargo(arguments: &[&str]) -> String {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let out = Command::new(program).args(arguments).current_dir(root()).output().expect("cargo runs");
    assert!(out.status.success(), "cargo {arguments:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).expect("UTF-8")
}

#[test]
fn arrows_are_those_of_the_table() {
    let (drawn, built) = (drawn(), built());
    let mut wrong = Vec::new();
    for (name, arrows) in &built {
        let Some(allowed) = drawn.get(name) else {
            wrong.push(format!("{name} has no row in docs/architecture.md: add one, and say what it may use"));
            continue;
        };
        for (used, permitted, kind) in
            [(&arrows.uses, &allowed.uses, "dependencies"), (&arrows.tests, &allowed.tests, "dev-dependencies")]
        {
            for target in used.difference(permitted) {
                wrong.push(format!(
                    "{name} uses {target} ({kind}), which the table does not allow: remove it from its Cargo.toml, move the code \
                     to where the arrow points down, or, if the house really changes, change docs/architecture.md"
                ));
            }
            for target in permitted.difference(used) {
                wrong.push(format!(
                    "the table lets {name} use {target} ({kind}), but it does not: take it out of docs/architecture.md"
                ));
            }
        }
    }
    for name in drawn.keys().filter(|n| !built.contains_key(*n)) {
        wrong.push(format!("docs/architecture.md has a row for {name}, which is no crate of this workspace"));
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn arrows_point_down_only() {
    let drawn = drawn();
    let level = |name: &str| match name {
        "kernel" => 0,
        "documents" | "furniture-catalogue" | "geography" | "pricing" | "scheduling" | "policy" | "status-machine" => 1,
        "service" => 2,
        "api" => 4,
        "simulators" => 5,
        "portage" => 6,
        _ => 3,
    };
    for (name, arrows) in &drawn {
        for target in &arrows.uses {
            let fine = level(target) < level(name);
            assert!(fine, "{name} → {target} does not point down: siblings never use each other");
        }
        assert!(!arrows.uses.contains("portage") && !arrows.tests.contains("portage"), "nothing imports the program");
        assert!(!arrows.uses.contains("test-kit"), "{name} → test-kit: it is for tests alone");
    }
}

/// No I/O, no runtime, no web, no database: not even somewhere below.
const NEVER_PURE: [&str; 14] = [
    "tokio",
    "actix-web",
    "actix-rt",
    "actix-http",
    "diesel",
    "reqwest",
    "hyper",
    "libsqlite3-sys",
    "pq-sys",
    "rusqlite",
    "async-trait",
    "futures-util",
    "tracing",
    "getrandom",
];

#[test]
fn pure_crates_stay_pure() {
    let pure = std::fs::read_dir(root().join("crates/domain"))
        .unwrap()
        .flatten()
        .map(|e| e.file_name().into_string().unwrap());
    let mut count = 0;
    for name in pure {
        count += 1;
        let tree =
            cargo(&["tree", "--offline", "-p", &name, "-e", "normal,build", "--prefix", "none", "--format", "{p}"]);
        let below: BTreeSet<&str> = tree.lines().filter_map(|line| line.split_whitespace().next()).collect();
        assert!(below.contains(name.as_str()), "{tree}");
        // uuid brings getrandom with its v4 and v7 features, which the workspace turns on for the crates above;
        // kernel itself calls neither, and clippy.toml forbids both.
        let allowed = |found: &str| found == "getrandom";
        let bad: Vec<&str> = NEVER_PURE.into_iter().filter(|never| below.contains(never) && !allowed(never)).collect();
        assert!(
            bad.is_empty(),
            "{name} brings in {bad:?}: a pure crate has no I/O. cargo tree -p {name} -i {} says through whom",
            bad[0]
        );
    }
    assert_eq!(count, 8, "crates/domain");
}

/// The crate that a file of `crates/` belongs to.
fn crate_of(path: &Path) -> PathBuf {
    path.ancestors().find(|folder| folder.join("Cargo.toml").is_file()).expect("a crate").to_owned()
}

/// What tests of several crates need is in `test-kit`; a file that two crates compile belongs to neither.
#[test]
fn no_crate_compiles_a_file_of_another() {
    let mut all = Vec::new();
    files(&root().join("crates"), &mut all);
    let mut wrong = Vec::new();
    for path in all.iter().filter(|p| p.extension().is_some_and(|e| e == "rs")) {
        let text = std::fs::read_to_string(path).unwrap();
        let paths = text.lines().filter_map(|l| l.trim().strip_prefix("#[path = \"")?.strip_suffix("\"]"));
        for other in paths {
            let other = path.parent().unwrap().join(other).canonicalize().unwrap();
            if crate_of(&other) != crate_of(&path.canonicalize().unwrap()) {
                wrong.push(format!("{} compiles {}: move it to crates/test-kit", path.display(), other.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

const MOST_LINES: usize = 450;

/// Tables that are one noun however long: the database schema, and generated types.
fn is_table(name: &str) -> bool {
    matches!(name, "schema.rs" | "schema.d.ts")
}

fn is_test(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    path.contains("/tests/")
        || path.contains("/test/")
        || name.contains(".test.")
        || name == "tests.rs"
        || name.ends_with("_tests.rs")
}

#[test]
fn files_stay_small() {
    let root = root();
    let mut all = Vec::new();
    files(&root.join("crates"), &mut all);
    files(&root.join("frontend"), &mut all);
    let mut long = Vec::new();
    for path in all {
        let inside = path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
        let name = inside.rsplit('/').next().unwrap_or_default();
        let source = inside.contains("/src/") && [".rs", ".ts", ".tsx", ".css"].iter().any(|e| name.ends_with(e));
        if !source || is_test(&inside) || is_table(name) {
            continue;
        }
        let lines = std::fs::read_to_string(&path).unwrap().lines().count();
        if lines > MOST_LINES {
            long.push(format!("{inside} has {lines} lines: split it by noun or use case (at most {MOST_LINES})"));
        }
    }
    assert!(long.is_empty(), "\n{}\n", long.join("\n"));
}

/// What must stay on the machine it was made on.
fn private_words(root: &Path) -> Vec<String> {
    let mut words = Vec::new();
    // `/tmp` or `/srv` are everybody's; a folder in them is somebody's.
    let own = |path: &Path| path.components().count() > 2;
    for path in [Some(root), root.parent()].into_iter().flatten().filter(|p| own(p)) {
        words.push(format!("{}/", path.to_string_lossy()));
    }
    // Written in pieces, so that this very file does not name them.
    words.extend([["/root", "/"].concat(), ["/Users", "/"].concat()]);
    if let Some(home) = std::env::var_os("HOME").map(PathBuf::from).filter(|h| own(h)) {
        words.push(format!("{}/", home.to_string_lossy()));
    }
    words
}

/// The word as a path of its own: `/src/app/` is not named by `book/src/app/`.
fn names(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line.get(..at).and_then(|l| l.chars().next_back());
        !before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '*' | '}'))
    })
}

#[test]
fn a_path_is_named_by_itself_only() {
    assert!(
        names("open /src/app/x", "/src/app/")
            && names("/src/app/x", "/src/app/")
            && names("file:///src/app/", "/src/app/")
    );
    assert!(!names("book/src/app/x", "/src/app/") && !names("../src/app/", "/src/app/"));
}

/// Lock files name where packages come from; only the public places are anybody's business.
fn foreign_registry(line: &str) -> bool {
    const PUBLIC: [&str; 2] = ["https://registry.npmjs.org/", "registry+https://github.com/rust-lang/crates.io-index"];
    let npm = line.trim_start().starts_with("\"resolved\": \"http");
    let crates = line.starts_with("source = \"");
    (npm || crates) && !PUBLIC.iter().any(|p| line.contains(p))
}

/// Every file of the project, by its path below the root.
fn project_files(root: &Path) -> Vec<String> {
    let listed = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output();
    match listed {
        Ok(out) if out.status.success() => {
            let names = String::from_utf8(out.stdout).unwrap();
            names.split('\0').filter(|name| !name.is_empty()).map(str::to_owned).collect()
        }
        // A source archive has no history: then every file counts.
        _ => {
            let mut all = Vec::new();
            files(root, &mut all);
            all.iter().map(|p| p.strip_prefix(root).unwrap().to_string_lossy().into_owned()).collect()
        }
    }
}

/// Somebody else's packages and archives are fetched by the lock files, never kept.
#[test]
fn what_is_no_text_is_a_picture_or_a_font() {
    let root = root();
    let is_text = |name: &String| std::fs::read(root.join(name)).is_ok_and(|bytes| String::from_utf8(bytes).is_ok());
    let is_known = |name: &String| [".png", ".ttf", ".jpg", ".webp"].iter().any(|end| name.ends_with(end));
    let mut others = project_files(&root);
    // A file that was just deleted is not there.
    others.retain(|name| root.join(name).is_file() && !is_known(name) && !is_text(name));
    assert!(others.is_empty(), "\ntake these files out, or name their kind here:\n{}\n", others.join("\n"));
}

#[test]
fn no_file_names_a_machine() {
    let root = root();
    let words = private_words(&root);
    let mut wrong = Vec::new();
    for name in project_files(&root) {
        // Pictures and the like are not text; a file that was just deleted is not there.
        let Ok(text) = std::fs::read_to_string(root.join(&name)) else { continue };
        let lock = name.ends_with("Cargo.lock") || name.ends_with("package-lock.json");
        for (number, line) in text.lines().enumerate() {
            if let Some(word) = words.iter().find(|w| names(line, w)) {
                wrong.push(format!("{name}:{} names {word}", number + 1));
            }
            if lock && foreign_registry(line) {
                wrong.push(format!("{name}:{} names a registry that is not public", number + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "\nno file may name a person's machine or a private registry:\n{}\n", wrong.join("\n"));
}

/// `scripts/sim-power.sh` takes mends back by a patch: whoever changes the lines it names changes the patch too.
#[test]
fn the_patches_of_the_simulations_fit_the_code() {
    let patches = ["crates/service/tests/simulation/power.patch", "crates/identity/src/simulation/power.patch"];
    for patch in patches {
        let text = std::fs::read_to_string(root().join(patch)).unwrap();
        let (mut file, mut hunk, mut hunks) = (String::new(), String::new(), Vec::new());
        for line in text.lines().chain(["diff"]) {
            if line.starts_with("@@") || line.starts_with("diff") {
                if !hunk.is_empty() {
                    hunks.push((file.clone(), std::mem::take(&mut hunk)));
                }
            } else if let Some(name) = line.strip_prefix("--- a/") {
                file = std::fs::read_to_string(root().join(name)).unwrap_or_else(|e| panic!("{patch}: {name}: {e}"));
            } else if let Some(kept) = line.strip_prefix([' ', '-']).filter(|_| !line.starts_with("--- ")) {
                hunk.push_str(kept);
                hunk.push('\n');
            }
        }
        assert!(hunks.len() > 5, "{patch} has {} hunks", hunks.len());
        for (file, hunk) in hunks {
            assert!(file.contains(&hunk), "{patch} takes back lines that are others now:\n{hunk}");
        }
    }
}

/// A crate whose tests are one program names each file of them there: one that is forgotten would never run.
#[test]
fn every_file_of_tests_runs() {
    let mut found = Vec::new();
    files(&root().join("crates"), &mut found);
    let (mains, others): (Vec<_>, Vec<_>) = found
        .iter()
        .filter(|path| path.extension().is_some_and(|e| e == "rs"))
        .filter(|path| path.parent().is_some_and(|folder| folder.ends_with("tests")))
        .filter(|path| path.parent().and_then(Path::parent).is_some_and(|home| home.join("Cargo.toml").is_file()))
        .partition(|path| path.ends_with("main.rs"));
    assert!(mains.len() > 4 && others.len() > 60, "{} and {}", mains.len(), others.len());
    for path in others {
        let folder = path.parent().unwrap();
        let Ok(main) = std::fs::read_to_string(folder.join("main.rs")) else { continue };
        let name = path.file_stem().unwrap().to_string_lossy();
        let manifest = std::fs::read_to_string(folder.with_file_name("Cargo.toml")).unwrap();
        let runs = main.contains(&format!("mod {name};")) || manifest.contains(&format!("path = \"tests/{name}.rs\""));
        assert!(runs, "{} never runs: write `mod {name};` into the main.rs beside it", path.display());
    }
}
