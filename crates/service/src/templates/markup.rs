//! What the HTML of a message may have: markup that shows text, and nothing that runs, loads or sends something.
//!
//! Only what is known is let through. Tags of the template stand between elements, or, as a plain key, inside a quoted
//! value: so each branch of a condition is read with the same meaning, and no value can become markup.

use super::tags::{Tag, TagKind};

/// Elements that show text.
const ELEMENTS: &str = "html head body title meta style div span p a b strong i em u s br hr h1 h2 h3 h4 h5 h6 ul ol li \
    table thead tbody tfoot tr td th caption blockquote pre code small sup sub center font img";
/// Their attributes; beside them `aria-…`.
const ATTRIBUTES: &str = "style class id lang dir align valign width height cellpadding cellspacing border bgcolor color \
    role title href target rel alt src colspan rowspan name content charset scope face size type start";
/// How an address may begin.
const ADDRESSES: [&str; 5] = ["https://", "http://", "mailto:", "tel:", "#"];
/// How a picture may begin: it is in the message itself.
const PICTURES: [&str; 5] =
    ["cid:", "data:image/png;base64,", "data:image/jpeg;base64,", "data:image/gif;base64,", "data:image/webp;base64,"];
/// What makes a style load or run something, or hides that it does.
const STYLES: [&str; 5] = ["expression", "behavior", "-moz-binding", "javascript", "\\"];
/// The functions of a style: none of them takes an address, so none of them loads something. Those that do are many, and
/// there will be more; so only what is known stands here.
const FUNCTIONS: &str = "rgb rgba hsl hsla hwb lab lch oklab oklch color-mix light-dark calc min max clamp var env \
    linear-gradient radial-gradient conic-gradient repeating-linear-gradient repeating-radial-gradient rect inset \
    translate translatex translatey scale scalex scaley rotate cubic-bezier steps \
    not is where has lang nth-child nth-last-child nth-of-type nth-last-of-type";
/// The rules of a style that begin with `@`: they say when it counts, and load nothing.
const RULES: &str = "media supports keyframes -webkit-keyframes -ms-viewport";

// Stand-ins of tags, from the private area of Unicode: nobody types them.
/// A key with an address.
const LINK: char = '\u{E000}';
/// Any other key.
const KEY: char = '\u{E001}';
/// What may stand between elements only.
const BETWEEN: char = '\u{E002}';

/// Something that may not be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsafe {
    /// Where, from 1.
    pub line: usize,
    /// What, as it is written.
    pub what: String,
}

/// Reads HTML with the tags of a template in it.
///
/// # Errors
/// The first thing that may not be.
pub fn check(source: &str, tags: &[Tag<'_>]) -> Result<(), Unsafe> {
    let text = masked(source, tags)?;
    Reader { text: &text, at: 0 }.document()
}

/// Whether an address may stand in a link.
pub fn is_address(value: &str) -> bool {
    value.starts_with(LINK) || ADDRESSES.iter().any(|known| value.starts_with(known))
}

fn masked(source: &str, tags: &[Tag<'_>]) -> Result<String, Unsafe> {
    let mut out = String::with_capacity(source.len());
    let mut from = 0;
    for tag in tags {
        out.push_str(source.get(from..tag.start).unwrap_or_default());
        out.push(match tag.what {
            TagKind::Key(key) if crate::mailing::catalogue::is_link(key) => LINK,
            TagKind::Key(_) => KEY,
            _ => BETWEEN,
        });
        // Lines are counted on.
        out.extend(source.get(tag.start..tag.end).unwrap_or_default().chars().filter(|c| *c == '\n'));
        from = tag.end;
    }
    let stand_in = |c: char| [LINK, KEY, BETWEEN].contains(&c) || c == '\0';
    if let Some(at) = source.find(stand_in) {
        return Err(Unsafe { line: line(source, at), what: "U+E000".to_owned() });
    }
    out.push_str(source.get(from..).unwrap_or_default());
    Ok(out)
}

fn line(text: &str, at: usize) -> usize {
    1 + text.as_bytes().iter().take(at).filter(|b| **b == b'\n').count()
}

fn listed(list: &str, name: &str) -> bool {
    list.split_whitespace().any(|known| known == name)
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn fails<T>(&self, what: &str) -> Result<T, Unsafe> {
        let what: String = what.chars().filter(|c| !c.is_control() && *c < '\u{E000}').take(40).collect();
        Err(Unsafe { line: line(self.text, self.at), what })
    }

    fn document(mut self) -> Result<(), Unsafe> {
        while let Some(found) = self.rest().find('<') {
            self.at += found;
            let rest = self.rest();
            if rest.get(..15).is_some_and(|start| start.eq_ignore_ascii_case("<!doctype html>")) {
                self.at += 15;
            } else if let Some(comment) = rest.strip_prefix("<!--") {
                self.comment(comment)?;
            } else if let Some(end) = rest.strip_prefix("</") {
                self.closing(end)?;
            } else {
                self.opening()?;
            }
        }
        Ok(())
    }

    fn comment(&mut self, comment: &str) -> Result<(), Unsafe> {
        let Some(end) = comment.find("-->") else { return self.fails("<!--") };
        let said = comment.get(..end).unwrap_or_default();
        if said.contains(['<', '>', LINK, KEY, BETWEEN]) || said.contains("--") {
            return self.fails("<!--");
        }
        self.at += "<!--".len() + end + "-->".len();
        Ok(())
    }

    fn closing(&mut self, end: &str) -> Result<(), Unsafe> {
        let name: String = end.chars().take_while(char::is_ascii_alphanumeric).collect();
        let after = end.get(name.len()..).unwrap_or_default();
        if !listed(ELEMENTS, &name.to_ascii_lowercase()) || !after.trim_start().starts_with('>') {
            return self.fails(&format!("</{name}"));
        }
        self.at += "</".len() + name.len() + after.find('>').unwrap_or_default() + 1;
        Ok(())
    }

    fn opening(&mut self) -> Result<(), Unsafe> {
        let name: String = self.rest().chars().skip(1).take_while(char::is_ascii_alphanumeric).collect();
        let element = name.to_ascii_lowercase();
        if !listed(ELEMENTS, &element) {
            return self.fails(&format!("<{name}"));
        }
        self.at += 1 + name.len();
        while self.attribute(&element)? {}
        if element == "style" { self.style() } else { Ok(()) }
    }

    /// Reads one attribute; false at the end of the tag.
    fn attribute(&mut self, element: &str) -> Result<bool, Unsafe> {
        let rest = self.rest();
        let trimmed = rest.trim_start();
        let apart = trimmed.len() < rest.len();
        self.at += rest.len() - trimmed.len();
        for end in [">", "/>"] {
            if trimmed.starts_with(end) {
                self.at += end.len();
                return Ok(false);
            }
        }
        let name: String = trimmed.chars().take_while(|c| c.is_ascii_alphabetic() || *c == '-').collect();
        let known = name.to_ascii_lowercase();
        if !apart || !(listed(ATTRIBUTES, &known) || known.starts_with("aria-")) {
            return self.fails(if name.is_empty() { trimmed } else { &name });
        }
        let after = trimmed.get(name.len()..).unwrap_or_default();
        let Some(value) = after.strip_prefix('=') else {
            self.at += name.len();
            return if allowed(element, &known, "") { Ok(true) } else { self.fails(&name) };
        };
        let (value, length) = match value.chars().next() {
            Some(quote @ ('"' | '\'')) => {
                let inside = value.get(1..).unwrap_or_default();
                let Some(end) = inside.find(quote) else { return self.fails(&name) };
                (inside.get(..end).unwrap_or_default(), end + 2)
            }
            _ => {
                let plain = |c: char| c.is_ascii_alphanumeric() || "%#.-".contains(c);
                let end = value.find(|c| !plain(c)).unwrap_or(value.len());
                (value.get(..end).unwrap_or_default(), end)
            }
        };
        if length == 0 || value.contains(['<', BETWEEN]) || !allowed(element, &known, value) {
            return self.fails(&format!("{name}={value}"));
        }
        self.at += name.len() + 1 + length;
        Ok(true)
    }

    fn style(&mut self) -> Result<(), Unsafe> {
        let rest = self.rest();
        let Some(end) = rest.to_ascii_lowercase().find("</style") else { return self.fails("<style") };
        let said = rest.get(..end).unwrap_or_default();
        if said.contains('<') || !is_style(said) {
            return self.fails("<style");
        }
        self.at += end;
        Ok(())
    }
}

fn allowed(element: &str, name: &str, value: &str) -> bool {
    match name {
        "href" => element == "a" && is_address(value),
        "src" => element == "img" && PICTURES.iter().any(|known| value.starts_with(known)) && !value.contains(KEY),
        "style" => is_style(value),
        _ => true,
    }
}

fn is_style(said: &str) -> bool {
    let said = said.to_ascii_lowercase();
    // A comment inside of a word takes it apart for one reader, and not for another: both readings have to be harmless.
    let joined = said.replace("/*", "").replace("*/", "");
    is_harmless(&said) && is_harmless(&joined)
}

/// Whether a style, in small letters, has only what is known to load nothing.
fn is_harmless(said: &str) -> bool {
    let of_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let known_function = |(at, _): (usize, &str)| {
        let before = said.get(..at).unwrap_or_default();
        let name = before.rsplit(|c: char| !of_name(c)).next().unwrap_or_default();
        // A parenthesis without a name belongs to a condition or a sum; after a comment it may have a name all the same.
        if name.is_empty() { !before.ends_with('/') } else { listed(FUNCTIONS, name) }
    };
    let known_rule = |after: &str| listed(RULES, after.split(|c: char| !of_name(c)).next().unwrap_or_default());
    !said.contains([LINK, KEY, BETWEEN, '&'])
        && !STYLES.iter().any(|known| said.contains(known))
        && said.match_indices('(').all(known_function)
        && said.split('@').skip(1).all(known_rule)
}
