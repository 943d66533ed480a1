//! What commands share: files and text of the person at the terminal, and the runtime.

use std::{
    io::{self, Read as _, Write as _},
    path::Path,
    process::ExitCode,
};

use crate::failure::Failure;

/// Every client in this process speaks TLS through one library.
pub fn tls() {
    // Only a second call fails, and then the first one's choice stands.
    drop(rustls::crypto::aws_lc_rs::default_provider().install_default());
}

pub fn runtime() -> io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()
}

/// A larger file was named by mistake.
const LARGEST: u64 = 1024 * 1024;

/// A file somebody wrote; `-` is standard input.
pub fn read_file(file: &Path) -> Result<Vec<u8>, Failure> {
    let cannot = |e: io::Error| Failure::new(format!("{} cannot be read: {e}", file.display()));
    let mut bytes = Vec::new();
    if file == Path::new("-") {
        io::stdin().take(LARGEST + 1).read_to_end(&mut bytes).map_err(cannot)?;
    } else {
        std::fs::File::open(file).map_err(cannot)?.take(LARGEST + 1).read_to_end(&mut bytes).map_err(cannot)?;
    }
    if bytes.len() as u64 > LARGEST {
        return Err(Failure::new(format!("{} is larger than a megabyte", file.display())));
    }
    Ok(bytes)
}

/// Writes to standard output; a reader that went away is no failure of ours.
pub fn print(text: &str) -> ExitCode {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

pub fn complain(text: &str) {
    // Standard error may be closed; there is nowhere else to say it.
    drop(writeln!(io::stderr(), "portage: {text}"));
}
