//! A sheet of paper as a PDF: values in, bytes out.
//!
//! Whoever makes a sheet has its texts ready, in one language and formatted. Here they are broken into lines, set on pages
//! and written with the fonts they need. The same sheet is the same bytes, on every machine and on every day.

mod body;
mod draw;
mod font;
mod lines;
mod page;
mod script;
mod shape;
mod sheet;

pub use draw::{Failed, pdf, pdf_of};
pub use sheet::{Block, Day, Row, Sheet, Total};
