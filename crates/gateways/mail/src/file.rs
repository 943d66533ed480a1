//! Messages as files: demo mode.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::{fs, io, io::Write as _};

use async_trait::async_trait;
use service::ports::mail::{Accepted, MailError, Mailer, OutgoingMail};

use crate::message::build;
use crate::sender::{Now, Sender};

/// Writes each message to `<message id>.eml` in a folder.
///
/// A file appears whole or not at all, and the same id overwrites: sending again after a crash
/// never shows two mails.
pub struct FileMailer {
    dir: PathBuf,
    sender: Sender,
    now: Now,
}

/// Makes the names of unfinished files differ within this process.
static UNFINISHED: AtomicU64 = AtomicU64::new(0);

impl FileMailer {
    /// A mailer that writes to `dir`, which is created when the first message is sent.
    pub fn new(dir: impl Into<PathBuf>, sender: Sender, now: Now) -> FileMailer {
        FileMailer { dir: dir.into(), sender, now }
    }

    /// The folder, as [`crate::mailbox`] wants it.
    pub fn dir(&self) -> &Path {
        &self.dir
    }
}

#[async_trait]
impl Mailer for FileMailer {
    async fn send(&self, mail: &OutgoingMail) -> Result<Accepted, MailError> {
        let built = build(mail, &self.sender, (self.now)())?;
        let (dir, name) = (self.dir.clone(), built.id.clone());
        let written = tokio::task::spawn_blocking(move || write(&dir, &built.id, &built.bytes)).await;
        match written {
            Ok(Ok(())) => Ok(Accepted { queue_id: name }),
            Ok(Err(e)) => Err(MailError::Transient(format!("the mail folder: {e}"))),
            Err(e) => Err(MailError::Transient(format!("the writing task ended early: {e}"))),
        }
    }

    fn replaces(&self) -> bool {
        true
    }
}

fn write(dir: &Path, id: &str, bytes: &[u8]) -> io::Result<()> {
    // Letters are between two people: nobody else on the machine reads them.
    let (mut folders, mut file) = (fs::DirBuilder::new(), fs::OpenOptions::new());
    folders.recursive(true);
    file.write(true).create(true).truncate(true);
    #[cfg(unix)]
    {
        std::os::unix::fs::DirBuilderExt::mode(&mut folders, 0o700);
        std::os::unix::fs::OpenOptionsExt::mode(&mut file, 0o600);
    }
    folders.create(dir)?;
    let unfinished = dir.join(format!(".{id}.{}.{}", std::process::id(), UNFINISHED.fetch_add(1, Ordering::Relaxed)));
    file.open(&unfinished)?.write_all(bytes)?;
    fs::rename(&unfinished, dir.join(format!("{id}.eml"))).inspect_err(|_| {
        // Best effort: the mailbox never shows names that begin with a dot.
        let _ = fs::remove_file(&unfinished);
    })
}
