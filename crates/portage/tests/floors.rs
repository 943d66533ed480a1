//! The floors inside `service`, `api` and `portage`: `docs/architecture.md` draws them, and every
//! `use` and every path in their sources is compared with the drawing.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use crate::support::root;

/// A file of a crate by its module path: `billing/settle`; the crate's root is empty.
type File = Vec<String>;
/// Which file uses which.
type Arrows = BTreeMap<File, BTreeSet<File>>;

/// In the drawing: every file that no floor names.
const EVERY_OTHER: &str = "…";
const CRATES: [&str; 3] = ["service", "api", "portage"];

/// The floors of a crate, top to bottom: | `crate` | `module` `module/file` | what it is |
fn drawn(krate: &str) -> Vec<Vec<File>> {
    let page = std::fs::read_to_string(root().join("docs/architecture.md")).expect("docs/architecture.md");
    let table =
        page.split("<!-- floors -->").nth(1).expect("docs/architecture.md has a table between <!-- floors --> markers");
    let names = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    let rows = table.lines().filter(|l| l.starts_with("| `")).map(|line| line.split('|').collect::<Vec<_>>());
    let own = rows.filter(|cells| names(cells[1]) == [krate]);
    own.map(|cells| names(cells[2]).iter().map(|name| file_of(name)).collect()).collect()
}

fn file_of(name: &str) -> File {
    name.split('/').map(str::to_owned).collect()
}

fn name_of(file: &File) -> String {
    if file.is_empty() { "the crate's root".to_owned() } else { file.join("/") }
}

/// Every source of a crate by its module path, without its tests and comments.
fn sources(krate: &str) -> BTreeMap<File, String> {
    let folder = root().join("crates").join(krate).join("src");
    let mut found = BTreeMap::new();
    gather(&folder, &folder, &mut found);
    found
}

fn gather(folder: &Path, below: &Path, found: &mut BTreeMap<File, String>) {
    for entry in std::fs::read_dir(below).expect("a folder of sources").flatten() {
        let path = entry.path();
        if path.is_dir() {
            gather(folder, &path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            let relative = path.strip_prefix(folder).unwrap().with_extension("");
            let mut file: File = relative.iter().map(|p| p.to_string_lossy().into_owned()).collect();
            if matches!(file.last().map(String::as_str), Some("mod" | "lib" | "main")) {
                file.pop();
            }
            if file.last().is_some_and(|name| name == "tests" || name.ends_with("_tests")) {
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("a source");
            let own = text.split("\nmod tests {").next().unwrap_or_default();
            found.insert(file, own.lines().map(|l| l.split("//").next().unwrap_or(l)).collect::<Vec<_>>().join("\n"));
        }
    }
}

/// A `use` statement.
struct Use {
    /// `pub use`: others have the names from here.
    passes_on: bool,
    /// What it names, from the crate's root, and the name that it has from here on.
    paths: Vec<(Vec<String>, String)>,
}

/// The `use` statements of a file, and its text without them and without its `mod name;`.
fn read(here: &File, text: &str) -> (Vec<Use>, String) {
    let (mut uses, mut body, mut lines) = (Vec::new(), String::new(), text.lines());
    while let Some(line) = lines.next() {
        if line.ends_with(';') && (line.starts_with("mod ") || line.starts_with("pub") && line.contains(" mod ")) {
            continue;
        }
        let begins = |(before, _): &(&str, &str)| {
            matches!(before.trim(), "" | "pub") || before.trim().starts_with("pub(") && before.ends_with(") ")
        };
        let Some((before, first)) = line.split_once("use ").filter(begins) else {
            body.extend([line, "\n"]);
            continue;
        };
        let mut statement = first.to_owned();
        while !statement.contains(';') {
            let Some(more) = lines.next() else { break };
            statement.push_str(more);
        }
        let (tree, rest) = statement.split_once(';').unwrap_or((&statement, ""));
        body.extend([rest, "\n"]);
        let paths = paths(tree).into_iter().map(|(path, name)| (absolute(here, &path), name)).collect();
        uses.push(Use { passes_on: !before.trim().is_empty(), paths });
    }
    (uses, body)
}

/// `a::{b, c::{d as e}}` as `a::b` and `a::c::d`, each with the name it has from here on.
fn paths(tree: &str) -> Vec<(Vec<String>, String)> {
    let (mut parts, mut depth, mut part) = (Vec::new(), 0, String::new());
    for c in tree.chars() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        if c == ',' && depth == 0 {
            parts.push(std::mem::take(&mut part));
        } else {
            part.push(c);
        }
    }
    parts.push(part);
    let mut all = Vec::new();
    for part in parts.iter().map(|p| p.trim()).filter(|p| !p.is_empty()) {
        if let Some((before, inner)) = part.split_once('{') {
            let before: Vec<String> = steps(before);
            let inner = inner.rsplit_once('}').map_or(inner, |(inner, _)| inner);
            all.extend(paths(inner).into_iter().map(|(rest, name)| ([before.clone(), rest].concat(), name)));
        } else {
            let (path, alias) = part.split_once(" as ").unwrap_or((part, ""));
            all.push((steps(path), alias.trim().to_owned()));
        }
    }
    // Without an alias it is the last step, of `moves::{self}` the one before.
    let last = |path: &[String]| path.iter().rev().find(|step| *step != "self").cloned().unwrap_or_default();
    all.into_iter()
        .map(|(path, name)| if name.is_empty() { (path.clone(), last(&path)) } else { (path, name) })
        .collect()
}

fn steps(path: &str) -> Vec<String> {
    path.split("::").map(str::trim).filter(|p| !p.is_empty()).map(str::to_owned).collect()
}

/// The path from the crate's root that `path`, written in `here`, means. One that begins with a name is taken to begin in
/// `here`: with a child or an imported name. If it is another crate's, it ends there, and no file uses itself.
fn absolute(here: &File, path: &[String]) -> Vec<String> {
    let mut base = if path.first().is_some_and(|step| step == "crate") { File::new() } else { here.clone() };
    for step in path {
        match step.as_str() {
            "crate" | "self" => {}
            "super" => drop(base.pop()),
            _ => base.push(step.clone()),
        }
    }
    base
}

/// The sources of a crate, as they name each other.
struct Names<'a> {
    all: &'a BTreeMap<File, String>,
    /// What a name in a file stands for, if it came there by `use`.
    imported: BTreeMap<&'a File, BTreeMap<String, Vec<String>>>,
}

impl Names<'_> {
    /// The file in which something lies, and whether it is this file itself that is named. Names that a file has from
    /// another one, as the crate's root has `Tx`, are followed to where they come from.
    fn home(&self, path: &[String]) -> (File, bool) {
        let mut path = path.to_vec();
        // More often than anything is passed on.
        for _ in 0..8 {
            let (file, rest) = self.split(&path);
            let (name, place) = match (rest.first(), file.split_last()) {
                (Some(name), _) => (name, file.as_slice()),
                // A function may have the name of its file: `pub use hubs::hubs`.
                (None, Some((name, folder))) => (name, folder),
                (None, None) => break,
            };
            let source = self.imported.get(&place.to_vec()).and_then(|names| names.get(name));
            let Some(source) = source.filter(|source| **source != path) else { break };
            path = [source, rest.get(1..).unwrap_or_default()].concat();
        }
        let (file, rest) = self.split(&path);
        (file, rest.is_empty())
    }

    fn split(&self, path: &[String]) -> (File, Vec<String>) {
        let longest = (0..=path.len()).rev().find(|n| self.all.contains_key(&path[..*n])).unwrap_or(0);
        (path[..longest].to_vec(), path[longest..].to_vec())
    }
}

fn arrows(all: &BTreeMap<File, String>) -> Arrows {
    let read: BTreeMap<&File, (Vec<Use>, String)> = all.iter().map(|(file, text)| (file, read(file, text))).collect();
    let own =
        |uses: &[Use]| uses.iter().flat_map(|u| &u.paths).map(|(path, name)| (name.clone(), path.clone())).collect();
    let names = Names { all, imported: read.iter().map(|(file, (uses, _))| (*file, own(uses))).collect() };
    read.iter().map(|(file, (uses, body))| ((*file).clone(), arrows_of(&names, file, uses, body))).collect()
}

fn arrows_of(names: &Names, file: &File, uses: &[Use], body: &str) -> BTreeSet<File> {
    // A word with its path, if it has one: `hubs` is not said by `geography::hubs` and not by a parameter `hubs: …`.
    let words: BTreeSet<&str> = body.split(|c: char| !c.is_alphanumeric() && !"_:.".contains(c)).collect();
    // What a folder only passes on from its own files, it does not use.
    let counts = |passed: bool, path: &[String], name: &str| {
        !passed || !path.starts_with(file) || name == "*" || words.contains(name)
    };
    let imports = uses.iter().flat_map(|u| u.paths.iter().map(|(path, name)| (u.passes_on, path, name)));
    let imports = imports.filter(|(passed, path, name)| counts(*passed, path, name)).map(|(_, path, _)| path.clone());
    let inline = inline_paths(body).into_iter().map(|path| absolute(file, &path));
    let homes = imports.chain(inline).map(|path| names.home(&path));
    // A module only gives a name: what is used of it is what counts.
    homes.filter(|(home, is_module)| !is_module && home != file).map(|(home, _)| home).collect()
}

/// Every `a::b::c` of a text.
fn inline_paths(text: &str) -> Vec<Vec<String>> {
    let word = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let found = text.split(|c: char| !word(c)).filter(|w| w.contains("::") && !w.starts_with("::"));
    found.map(steps).filter(|path| path.len() > 1).collect()
}

/// Which floor a file is on, counted from the top: by its own name, by that of what it lies in, or the one of every other.
/// The crate's root, which has every module, is on the top floor.
fn floor(floors: &[Vec<File>], file: &File) -> Option<usize> {
    if file.is_empty() {
        return Some(0);
    }
    let named = |name: &[String]| floors.iter().position(|f| f.iter().any(|known| known == name));
    (1..=file.len()).rev().find_map(|n| named(&file[..n])).or_else(|| named(&[EVERY_OTHER.to_owned()]))
}

/// The arrows of a crate that go up, and the files that have no floor, in words.
fn wrong(krate: &str, floors: &[Vec<File>], arrows: &Arrows) -> Vec<String> {
    let mut wrong = Vec::new();
    for (file, used) in arrows.iter().filter(|(file, _)| !file.is_empty()) {
        let Some(own) = floor(floors, file) else {
            wrong.push(format!("{krate}: {} has no floor in docs/architecture.md: give it one", name_of(file)));
            continue;
        };
        for target in used.iter().filter(|t| floor(floors, t).is_some_and(|theirs| theirs < own)) {
            wrong.push(format!(
                "{krate}: {} uses {}, which is on a floor above it. What must happen up there is an answer that is \
                 returned, or a job that is queued (`work`); what both need belongs on a floor below both. If the \
                 house really changes, change the floors in docs/architecture.md",
                name_of(file),
                name_of(target)
            ));
        }
    }
    wrong
}

/// Files that can all reach each other, more than two of them.
fn circles(arrows: &Arrows) -> Vec<BTreeSet<File>> {
    let reach = |from: &File| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from.clone()]);
        while let Some(file) = open.pop() {
            for next in arrows.get(&file).into_iter().flatten() {
                if seen.insert(next.clone()) {
                    open.push(next.clone());
                }
            }
        }
        seen
    };
    let reached: BTreeMap<&File, BTreeSet<File>> = arrows.keys().map(|f| (f, reach(f))).collect();
    let together = |a: &File| -> BTreeSet<File> {
        reached[a].iter().filter(|b| reached.get(b).is_some_and(|r| r.contains(a))).cloned().collect()
    };
    let all: BTreeSet<BTreeSet<File>> = arrows.keys().map(together).filter(|circle| circle.len() > 2).collect();
    all.into_iter().collect()
}

#[test]
fn arrows_between_modules_point_down() {
    let mut told = Vec::new();
    for krate in CRATES {
        told.extend(wrong(krate, &drawn(krate), &arrows(&sources(krate))));
    }
    assert!(told.is_empty(), "\n{}\n", told.join("\n"));
}

#[test]
fn no_circle_has_more_than_two_files() {
    let mut told = Vec::new();
    for krate in CRATES {
        for circle in circles(&arrows(&sources(krate))) {
            let names: Vec<String> = circle.iter().map(name_of).collect();
            told.push(format!(
                "{krate}: {} use each other in a circle: move what they share to a file below them, or return an \
                 answer instead of calling up",
                names.join(", ")
            ));
        }
    }
    assert!(told.is_empty(), "\n{}\n", told.join("\n"));
}

#[test]
fn every_floor_exists() {
    for krate in CRATES {
        let all = sources(krate);
        for name in drawn(krate).iter().flatten().filter(|name| **name != [EVERY_OTHER]) {
            assert!(all.keys().any(|f| f.starts_with(name)), "{krate}: docs/architecture.md draws {}", name_of(name));
        }
    }
}

/// A deliberately wrong import is found and told, whichever way it is written.
#[test]
fn a_wrong_import_is_told_with_what_to_do() {
    let imports: [(&str, &str, &[&str]); 7] = [
        (
            "billing/settle",
            "use crate::{bookings::create, jobs::{run_due as later}};\nfn up() { create::create(); }",
            &["bookings/create", "jobs"],
        ),
        // By the name of a child.
        ("rates", "use preview::{Preview};", &["rates/preview"]),
        // By a name that the crate's root passes on, imported or not.
        ("caller", "use crate::{Limit, Tx};", &["tx"]),
        ("caller", "fn up(_: &crate::Services) {}", &["context"]),
        // By a name that a folder passes on.
        ("ports/clock", "pub(crate) use crate::work::Bell;", &["work/bell"]),
        // By the name of a module that came as `self`.
        ("tx", "use crate::{jobs::{self}, work};\nfn up() { jobs::run_due(); }", &["jobs"]),
        // A function that has the name of its file.
        ("tx", "fn up() { crate::calendar::hubs(); }", &["calendar/hubs"]),
    ];
    let mut all = sources("service");
    for (below, import, _) in imports {
        all.get_mut(&file_of(below)).expect(below).push_str(&format!("\n{import}\n"));
    }
    let told = wrong("service", &drawn("service"), &arrows(&all));
    for (below, import, targets) in imports {
        for target in targets {
            let wanted = format!("service: {below} uses {target}, which is on a floor above it. What must happen");
            assert!(told.iter().any(|t| t.starts_with(&wanted)), "{import}: {told:#?}");
        }
    }
    let wanted: usize = imports.iter().map(|(_, _, targets)| targets.len()).sum();
    assert_eq!(told.len(), wanted, "and nothing else: {told:#?}");
}

/// A circle is found, also one that is closed by a name of a child and by what a folder passes on.
#[test]
fn a_circle_is_told() {
    let file = |name: &str, text: &str| (if name.is_empty() { File::new() } else { file_of(name) }, text.to_owned());
    let all = BTreeMap::from([
        file("", "mod a;\nmod b;\npub use a::{Job, Made as Done};\n"),
        file("a", "mod parts;\npub use parts::Made;\nuse first::{Hint};\npub struct Job(Hint);\n"),
        file("a/first", "use crate::Job;\npub struct Hint(Job);\n"),
        file("a/parts", "use super::Job;\npub struct Made(crate::b::Order);\n"),
        file("b", "use crate::{Done};\npub struct Order(Done);\n"),
    ]);
    // `a` passes `Made` on and does not use it.
    let told: Vec<_> = arrows(&all).iter().map(|(f, used)| (name_of(f), used.iter().map(name_of).collect())).collect();
    let wanted: [(&str, &[&str]); 5] = [
        ("the crate's root", &[]),
        ("a", &["a/first"]),
        ("a/first", &["a"]),
        ("a/parts", &["a", "b"]),
        ("b", &["a/parts"]),
    ];
    let wanted = wanted.map(|(f, used)| (f.to_owned(), used.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>()));
    assert_eq!(told, wanted);
    assert_eq!(circles(&arrows(&all)), []);
    let mut closed = all.clone();
    closed.get_mut(&file_of("b")).expect("b").push_str("use crate::a::{self};\nfn hint() -> a::first::Hint {}\n");
    assert_eq!(circles(&arrows(&closed)), []);
    closed.get_mut(&file_of("a")).expect("a").push_str("fn made() -> Made {}\n");
    let circle: BTreeSet<File> = ["a", "a/first", "a/parts", "b"].map(file_of).into();
    assert_eq!(circles(&arrows(&closed)), [circle]);
}
