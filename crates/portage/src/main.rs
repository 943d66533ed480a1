//! `portage`: configuration, wiring and the command line. Nothing imports it.
#![warn(missing_docs)]

mod account;
mod args;
mod calendar_file;
mod clock;
mod commands;
mod config;
mod demo;
mod demo_accounts;
mod door;
mod entropy;
mod failure;
mod files;
mod installation;
mod instance;
mod logging;
mod machine;
mod observed;
mod privacy;
mod remembered;
mod terminal;
mod text_table;
mod wiring;

use std::process::ExitCode;

/// Returns what password hashing took for a moment; the system's own allocator keeps it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    match args::parse(std::env::args_os()) {
        Ok(asked) => commands::run(asked),
        Err(no_command) => commands::tell(&no_command),
    }
}
