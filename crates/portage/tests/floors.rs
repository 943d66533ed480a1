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
            if file.last().is_some_and(|name| name == "tests") {
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("a source");
            let own = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
            found.insert(file, own.lines().map(|l| l.split("//").next().unwrap_or(l)).collect::<Vec<_>>().join("\n"));
        }
    }
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
            let path = steps(path);
            let name =
                if alias.is_empty() { path.last().cloned().unwrap_or_default() } else { alias.trim().to_owned() };
            all.push((path, name));
        }
    }
    all
}

fn steps(path: &str) -> Vec<String> {
    path.split("::").map(str::trim).filter(|p| !p.is_empty()).map(str::to_owned).collect()
}

/// The path from the crate's root that `path`, written in `here`, means.
fn absolute(here: &File, path: &[String]) -> Option<Vec<String>> {
    let mut base = match path.first()?.as_str() {
        "crate" => Vec::new(),
        "super" | "self" => here.clone(),
        _ => return None,
    };
    let mut rest = path;
    while let Some((first, more)) = rest.split_first() {
        match first.as_str() {
            "crate" | "self" => {}
            "super" => drop(base.pop()),
            _ => break,
        }
        rest = more;
    }
    base.extend(rest.iter().filter(|step| *step != "self").cloned());
    Some(base)
}

/// The file in which something lies.
fn home(all: &BTreeMap<File, String>, path: &[String]) -> File {
    let longest = (0..=path.len()).rev().find(|n| all.contains_key(&path[..*n]));
    path[..longest.unwrap_or(0)].to_vec()
}

fn arrows(all: &BTreeMap<File, String>) -> Arrows {
    all.iter().map(|(file, text)| (file.clone(), arrows_of(all, file, text))).collect()
}

fn arrows_of(all: &BTreeMap<File, String>, file: &File, text: &str) -> BTreeSet<File> {
    let (mut used, mut modules) = (BTreeSet::new(), BTreeMap::new());
    // Its own children are in scope by their names.
    for child in all.keys().filter(|c| c.len() == file.len() + 1 && c.starts_with(file)) {
        modules.insert(child.last().unwrap().clone(), child.clone());
    }
    for statement in text.split("use ").skip(1).filter_map(|rest| rest.split_once(';')).map(|(tree, _)| tree) {
        for (path, name) in paths(statement) {
            match absolute(file, &path) {
                // A module only gives a name: what is used of it is what counts.
                Some(module) if all.contains_key(&module) => drop(modules.insert(name, module)),
                Some(item) => drop(used.insert(home(all, &item))),
                None => {}
            }
        }
    }
    for path in inline_paths(text) {
        let full = match absolute(file, &path) {
            Some(full) => full,
            None => match modules.get(&path[0]) {
                Some(module) => [module.clone(), path[1..].to_vec()].concat(),
                None => continue,
            },
        };
        // As above, and as the beginning of a `use` with braces.
        if !all.contains_key(&full) {
            used.insert(home(all, &full));
        }
    }
    used.remove(file);
    used.remove(&File::new());
    used
}

/// Every `a::b::c` of a text.
fn inline_paths(text: &str) -> Vec<Vec<String>> {
    let word = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let found = text.split(|c: char| !word(c)).filter(|w| w.contains("::") && !w.starts_with("::"));
    found.map(steps).filter(|path| path.len() > 1).collect()
}

/// Which floor a file is on, counted from the top: by its own name, by that of what it lies in, or the one of every other.
fn floor(floors: &[Vec<File>], file: &File) -> Option<usize> {
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

/// A deliberately wrong import is found and told.
#[test]
fn a_wrong_import_is_told_with_what_to_do() {
    let mut all = sources("service");
    let below = file_of("billing/settle");
    let text = all.get_mut(&below).expect("billing/settle");
    text.push_str("\nuse crate::{bookings::create, jobs::{run_due as later}};\nfn up() { create::create(); }\n");
    let arrows = arrows(&all);
    let told = wrong("service", &drawn("service"), &arrows);
    for target in ["bookings/create", "jobs"] {
        let wanted = format!("service: billing/settle uses {target}, which is on a floor above it. What must happen");
        assert!(told.iter().any(|t| t.starts_with(&wanted)), "{told:?}");
    }
    assert!(circles(&arrows).iter().any(|c| c.contains(&below)), "and it closes a circle");
}
