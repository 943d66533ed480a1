//! The append-only file: one line a commit, on disk before anybody is answered.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    path::Path,
};

use super::records::Event;

/// An open file, locked against a second process.
pub(super) struct Journal {
    file: File,
    /// Bytes that are complete lines.
    length: u64,
    /// Set when a failed write could not be undone: nothing more is accepted.
    broken: bool,
}

impl Journal {
    /// Opens or makes the file and reads everything acknowledged so far.
    pub(super) fn open(path: &Path) -> io::Result<(Journal, Vec<Event>)> {
        let parent = path.parent().filter(|p| !p.as_os_str().is_empty());
        if let Some(parent) = parent {
            let mut folders = std::fs::DirBuilder::new();
            folders.recursive(true);
            #[cfg(unix)]
            std::os::unix::fs::DirBuilderExt::mode(&mut folders, 0o700);
            folders.create(parent)?;
        }
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(path)?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => {
                io::Error::new(io::ErrorKind::WouldBlock, "another process has the payment simulator's file open")
            }
            TryLockError::Error(error) => error,
        })?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        // What follows the last newline was being written when the process died.
        let complete = bytes.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
        let mut events = Vec::new();
        for (number, line) in bytes[..complete].split(|b| *b == b'\n').enumerate().filter(|(_, l)| !l.is_empty()) {
            let commit: Vec<Event> = serde_json::from_slice(line).map_err(|error| {
                io::Error::new(
                    io::ErrorKind::InvalidData,
                    format!("payment simulator's file, line {}: {error}", number + 1),
                )
            })?;
            events.extend(commit);
        }
        let length = u64::try_from(complete).map_err(io::Error::other)?;
        if complete != bytes.len() {
            file.set_len(length)?;
        }
        file.seek(SeekFrom::Start(length))?;
        file.sync_all()?;
        if let Some(parent) = parent {
            // So that the file's name survives a power cut, too.
            File::open(parent)?.sync_all()?;
        }
        Ok((Journal { file, length, broken: false }, events))
    }

    /// Appends one commit and waits for the disk.
    pub(super) fn append(&mut self, events: &[Event]) -> io::Result<()> {
        if self.broken {
            return Err(io::Error::other("an earlier write failed half-way"));
        }
        let mut line = serde_json::to_vec(events)?;
        line.push(b'\n');
        let written = self.file.write_all(&line).and_then(|()| self.file.sync_data());
        if let Err(error) = written {
            let undone = self.file.set_len(self.length).and_then(|()| self.file.seek(SeekFrom::Start(self.length)));
            self.broken = undone.is_err();
            return Err(error);
        }
        self.length += u64::try_from(line.len()).map_err(io::Error::other)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    fn opened(salt: &str) -> Event {
        Event::Opened { salt: salt.to_owned() }
    }

    #[test]
    fn a_torn_last_line_is_cut_off_and_the_rest_kept() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("deep/er/gateway.jsonl");
        let (mut journal, past) = Journal::open(&path).unwrap();
        assert!(past.is_empty());
        journal.append(&[opened("a"), opened("b")]).unwrap();
        journal.append(&[opened("c")]).unwrap();
        drop(journal);
        let whole = std::fs::read(&path).unwrap();
        let first = whole.iter().position(|b| *b == b'\n').unwrap() + 1;
        for cut in first..whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let (mut journal, past) = Journal::open(&path).unwrap();
            assert_eq!(past.len(), 2, "cut at {cut}");
            journal.append(&[opened("d")]).unwrap();
            drop(journal);
            assert_eq!(Journal::open(&path).unwrap().1.len(), 3);
        }
    }

    #[test]
    fn a_bad_complete_line_is_an_error_not_a_loss() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("gateway.jsonl");
        std::fs::write(&path, "{\"not\":\"ours\"}\n").unwrap();
        let error = Journal::open(&path).err().unwrap();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
        assert!(error.to_string().contains("line 1"), "{error}");
    }

    #[test]
    fn only_one_may_have_it_open() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("gateway.jsonl");
        let first = Journal::open(&path).unwrap();
        assert_eq!(Journal::open(&path).err().unwrap().kind(), io::ErrorKind::WouldBlock);
        drop(first);
        assert!(Journal::open(&path).is_ok());
    }
}
