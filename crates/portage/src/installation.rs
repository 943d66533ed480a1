//! Whether this process may work on the database it was given: a copy that is started elsewhere must neither
//! mail nor charge, and a demo must not work on a company's database.

use std::{fs, io, path::PathBuf};

use kernel::chrono::{DateTime, Utc};
use service::{
    Mode, Services,
    ports::{
        Store, StoreError, Unit,
        installation::{COPY, Installation},
    },
};

use crate::{config::Settings, failure::Failure, privacy, wiring};

/// Who works on the database, by its own record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ownership {
    /// Nobody has worked on it yet.
    New,
    /// This installation does.
    Ours,
    /// Another installation does, or it is a copy of ours.
    Other(Installation),
}

/// This installation, as it would be written down now.
///
/// # Errors
/// When the database cannot be asked for its place, or the file with a SQLite database's place not be read.
pub fn here(settings: &Settings, now: DateTime<Utc>, fresh: impl FnOnce() -> String) -> Result<Installation, Failure> {
    let facts = store::facts(settings.database_url.as_str()).map_err(|e| wiring::cannot_open(settings, &e))?;
    let place = match facts.and_then(|f| f.place) {
        Some(place) => place,
        None => file_place(settings, fresh)?,
    };
    let public_url = settings.public_url.origin().to_owned();
    Ok(Installation { mode: settings.mode, place, public_url, adopted_at: now })
}

/// Why no server may work on this database, if so; the database is only read.
///
/// # Errors
/// When the database cannot be asked.
pub async fn in_the_way(settings: &Settings, store: &dyn Store, now: DateTime<Utc>) -> Result<Option<String>, Failure> {
    let found = store.read(|u| u.installation().get()).await?;
    let facts = store::facts(settings.database_url.as_str()).map_err(|e| wiring::cannot_open(settings, &e))?;
    // Without a file of its own a SQLite database is where no other is.
    let place = facts.and_then(|f| f.place).or_else(|| noted_place(settings)).unwrap_or_default();
    let public_url = settings.public_url.origin().to_owned();
    let here = Installation { mode: settings.mode, place, public_url, adopted_at: now };
    Ok(match ownership_of(found, &here) {
        Ownership::New | Ownership::Ours => None,
        Ownership::Other(found) => Some(refusal(&settings.database_url.to_string(), &found, &here)),
    })
}

/// The file that says where a SQLite file is.
fn place_file(settings: &Settings) -> PathBuf {
    let mut path = settings.database_url.sqlite_path().unwrap_or_default().into_os_string();
    path.push(".installation");
    PathBuf::from(path)
}

fn noted_place(settings: &Settings) -> Option<String> {
    fs::read_to_string(place_file(settings)).ok().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// A SQLite file is where the file with its name is: beside it, so that a copy of the one has not the other.
fn file_place(settings: &Settings, fresh: impl FnOnce() -> String) -> Result<String, Failure> {
    let path = place_file(settings);
    let failed = |e: io::Error| Failure::new(format!("{} cannot be used: {e}", path.display()));
    match fs::read_to_string(&path) {
        Ok(text) if !text.trim().is_empty() => Ok(text.trim().to_owned()),
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(failed(e)),
        _ => {
            let place = fresh();
            let mut file = privacy::open(&path).map_err(failed)?;
            io::Write::write_all(&mut file, format!("{place}\n").as_bytes())
                .and_then(|()| file.sync_all())
                .map_err(failed)?;
            Ok(place)
        }
    }
}

/// Compares two installations. In demo mode the address may change from start to start, and a copy of a demo is a demo.
pub fn ownership_of(found: Option<Installation>, here: &Installation) -> Ownership {
    match found {
        None => Ownership::New,
        Some(found) if found.mode == Mode::Demo && here.mode == Mode::Demo => Ownership::Ours,
        Some(found) if found.mode == here.mode && found.place == here.place && found.public_url == here.public_url => {
            Ownership::Ours
        }
        Some(found) => Ownership::Other(found),
    }
}

/// Writes down that this is the installation, when nobody was before.
///
/// # Errors
/// When the database belongs to somebody else, with what to do.
pub async fn settle(settings: &Settings, s: &Services) -> Result<(), Failure> {
    let here = here(settings, s.wall.now(), || s.entropy.uuid(s.wall.now()).to_string())?;
    let (new, database) = (here.clone(), settings.database_url.to_string());
    let standing = move |u: &mut dyn Unit| {
        let standing = ownership_of(u.installation().get()?, &new);
        if standing == Ownership::New {
            u.installation().put(&new)?;
        }
        Ok::<_, StoreError>(standing)
    };
    match s.store.write(standing).await? {
        Ownership::New | Ownership::Ours => Ok(()),
        Ownership::Other(found) => Err(Failure::new(refusal(&database, &found, &here))),
    }
}

/// Why this process may not work on that database, and what to do.
pub fn refusal(database: &str, found: &Installation, here: &Installation) -> String {
    match (found.mode, here.mode) {
        (Mode::Production, Mode::Demo) => format!(
            "PORTAGE_MODE is demo, and the database {database} is a company's ({}): a demo would charge a simulator for its \
             bookings and let everybody in; say PORTAGE_MODE=production, or name another PORTAGE_DATABASE_URL",
            found.public_url
        ),
        (Mode::Demo, Mode::Production) => format!(
            "PORTAGE_MODE is production, and the database {database} is a demo's: name an empty one in PORTAGE_DATABASE_URL"
        ),
        _ => format!(
            "the database {database} is {}: it belongs to {} since {}. Nothing is mailed or charged from it before you say \
             that it is the one to work on: stop whatever works on the original, then run portage adopt",
            if found.place == COPY {
                "a backup that was put in place"
            } else if found.place == here.place {
                "that of another address than PORTAGE_PUBLIC_URL names"
            } else {
                "a copy that was made elsewhere"
            },
            found.public_url,
            found.adopted_at.format("%Y-%m-%d %H:%M UTC")
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(mode: Mode, place: &str, url: &str) -> Installation {
        let (place, public_url) = (place.to_owned(), url.to_owned());
        Installation { mode, place, public_url, adopted_at: DateTime::UNIX_EPOCH }
    }

    #[test]
    fn a_copy_is_told_from_the_original() {
        let here = of(Mode::Production, "a", "https://move.example");
        assert_eq!(ownership_of(None, &here), Ownership::New);
        assert_eq!(ownership_of(Some(here.clone()), &here), Ownership::Ours);
        for (other, words) in [
            (of(Mode::Production, "b", "https://move.example"), "a copy that was made elsewhere"),
            (of(Mode::Production, COPY, "https://move.example"), "a backup that was put in place"),
            (of(Mode::Production, "a", "https://old.example"), "another address than PORTAGE_PUBLIC_URL"),
            (of(Mode::Demo, "a", "https://move.example"), "is a demo's"),
        ] {
            assert_eq!(ownership_of(Some(other.clone()), &here), Ownership::Other(other.clone()));
            let told = refusal("sqlite://x", &other, &here);
            assert!(told.contains(words), "{told}");
        }
        let demo = of(Mode::Demo, "x", "http://localhost:8080");
        assert_eq!(ownership_of(Some(of(Mode::Demo, COPY, "http://localhost:1")), &demo), Ownership::Ours);
        assert!(matches!(ownership_of(Some(here.clone()), &demo), Ownership::Other(_)));
        assert!(refusal("sqlite://x", &here, &demo).contains("PORTAGE_MODE is demo"));
    }
}
