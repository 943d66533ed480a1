//! `portage openapi`: the document that is also served at `/api/openapi.json`.

use crate::failure::CommandResult;
use crate::terminal::print;

pub fn run() -> CommandResult {
    let document = api::openapi();
    let pretty = serde_json::from_str::<serde_json::Value>(document).and_then(|v| serde_json::to_string_pretty(&v))?;
    Ok(print(&format!("{pretty}\n")))
}
