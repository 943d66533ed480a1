//! Where the settings come from.

use std::{
    fmt, io,
    path::{Path, PathBuf},
};

use super::problems::Problems;

/// In the working directory.
const HERE: &str = "portage.toml";
/// Where an installation has it, whatever the working directory is.
const INSTALLED: &str = "/etc/portage/portage.toml";

/// The settings file, and where it was looked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SettingsFile {
    /// The one that was read.
    pub read: Option<PathBuf>,
    /// Where it was looked for.
    pub looked: Vec<PathBuf>,
}

impl fmt::Display for SettingsFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.read {
            Some(path) => write!(f, "settings were read from {}", path.display()),
            None => {
                let looked: Vec<String> = self.looked.iter().map(|p| p.display().to_string()).collect();
                write!(f, "no settings file was found (looked for {})", looked.join(" and "))
            }
        }
    }
}

/// Finds the file and reads it. One that is named must be there; else the first that is there counts.
///
/// # Errors
/// When the file that is named is not there, or one that is there may not be read.
pub fn find(named: Option<&Path>) -> Result<(SettingsFile, String), Problems> {
    match named {
        Some(path) => first(&[path], true),
        None => first(&[Path::new(HERE), Path::new(INSTALLED)], false),
    }
}

fn first(places: &[&Path], needed: bool) -> Result<(SettingsFile, String), Problems> {
    let mut file = SettingsFile::default();
    let mut p = Problems::default();
    for place in places {
        let place = std::path::absolute(place).unwrap_or_else(|_| place.to_path_buf());
        match std::fs::read_to_string(&place) {
            Ok(text) => {
                file.read = Some(place);
                return Ok((file, text));
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound && !needed => file.looked.push(place),
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                p.wrong("config", &place.display().to_string(), "there is no such file");
                return p.into_result((file, String::new()));
            }
            // A file that is there and may not be read is not the same as none.
            Err(e) => {
                let account = match e.kind() {
                    io::ErrorKind::PermissionDenied => {
                        "; run this as the account of Portage (sudo -u portage portage …), or name another file with \
                         --config FILE"
                    }
                    _ => "",
                };
                p.general(&place.display().to_string(), &format!("cannot be read: {e}{account}"));
                return p.into_result((file, String::new()));
            }
        }
    }
    Ok((file, String::new()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_first_that_is_there_is_read_and_the_others_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let (here, installed) = (folder.path().join("a.toml"), folder.path().join("b.toml"));
        let (file, text) = first(&[&here, &installed], false).unwrap();
        assert_eq!((file.read.as_ref(), text.as_str()), (None, ""));
        let told = file.to_string();
        assert!(told.contains("a.toml and ") && told.contains("b.toml"), "{told}");
        std::fs::write(&installed, "mode = \"demo\"").unwrap();
        let (file, text) = first(&[&here, &installed], false).unwrap();
        assert_eq!((file.read.as_ref(), text.as_str()), (Some(&installed), "mode = \"demo\""));
        std::fs::write(&here, "").unwrap();
        assert_eq!(first(&[&here, &installed], false).unwrap().0.read.as_ref(), Some(&here));
        let told = first(&[&folder.path().join("c.toml")], true).unwrap_err().to_string();
        assert!(told.contains("PORTAGE_CONFIG") && told.contains("c.toml"), "{told}");
        // A folder is no file.
        assert!(first(&[folder.path()], true).unwrap_err().to_string().contains("cannot be read"));
    }
}
