//! The tags of a template, where they stand. What handlebars could do beyond keys, conditions and shared parts is refused
//! before it reads the text: helpers, parts of one's own, deep nesting.

/// How deep conditions may stand in each other.
const DEEPEST: usize = 8;
/// More tags than any message has.
const MOST: usize = 2_000;

/// The kind of a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TagKind<'s> {
    /// `{{key}}`
    Key(&'s str),
    /// `{{{key}}}`: as it is, not escaped.
    Raw(&'s str),
    /// A condition, a shared part, a comment.
    Other,
}

/// A tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag<'s> {
    /// Its first byte.
    pub start: usize,
    /// The byte after it.
    pub end: usize,
    /// What it is.
    pub what: TagKind<'s>,
}

/// The key that a word in a tag names: `this.total` fills in what `total` does.
pub fn key_of(word: &str) -> &str {
    ["this.", "this/", "./"].iter().find_map(|here| word.strip_prefix(here)).unwrap_or(word)
}

/// The line of the first tag that cannot be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Broken(pub usize);

/// The tags of a text, first to last.
///
/// # Errors
/// A tag that is not closed, nested too deep, or of a kind that messages do not have.
pub fn parse(source: &str) -> Result<Vec<Tag<'_>>, Broken> {
    let mut tags = Vec::new();
    let (mut from, mut depth) = (0, 0_usize);
    while let Some(found) = source.get(from..).and_then(|rest| rest.find("{{")) {
        let start = from + found;
        let broken = Broken(1 + source.as_bytes().iter().take(start).filter(|b| **b == b'\n').count());
        let one = read(source, start).ok_or(broken)?;
        let inner = source.get(start..one.end).unwrap_or_default().trim_start_matches(['{', '~']);
        match inner.chars().next() {
            Some('#') => depth += 1,
            Some('/') => depth = depth.checked_sub(1).ok_or(broken)?,
            _ => {}
        }
        if depth > DEEPEST || tags.len() >= MOST {
            return Err(broken);
        }
        from = one.end;
        tags.push(one);
    }
    Ok(tags)
}

fn read(source: &str, start: usize) -> Option<Tag<'_>> {
    let rest = source.get(start..)?;
    if rest.starts_with("{{{{") || source.get(..start)?.ends_with(['\\', '{']) {
        return None;
    }
    if let Some(comment) = rest.strip_prefix("{{!") {
        let (skip, close) = if comment.starts_with("--") { (2, "--}}") } else { (0, "}}") };
        let end = comment.get(skip..)?.find(close)?;
        return Some(Tag { start, end: start + 3 + skip + end + close.len(), what: TagKind::Other });
    }
    let (open, close) = if rest.starts_with("{{{") { (3, "}}}") } else { (2, "}}") };
    let mut quote = None;
    let mut length = None;
    for (at, c) in rest.char_indices().skip(open) {
        match (quote, c) {
            (Some(open), c) if open == c => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            // Helpers in parentheses, literal paths, parameters of blocks, decorators, tags in tags.
            (None, '(' | ')' | '[' | ']' | '|' | '{' | '*' | '\\' | '&' | '`') => return None,
            (None, '}') => {
                length = rest.get(at..)?.starts_with(close).then_some(at);
                break;
            }
            (None, _) => {}
        }
    }
    let length = length?;
    let inner = rest.get(open..length)?;
    let word = inner.trim_matches('~').trim();
    let is_key = !word.is_empty() && word != "else" && !word.starts_with(['#', '/', '>', '^', '!']);
    let is_key = is_key && !word.contains(char::is_whitespace);
    let what = match (is_key, open) {
        (true, 3) => TagKind::Raw(key_of(word)),
        (true, _) => TagKind::Key(key_of(word)),
        (false, 3) => return None,
        (false, _) => TagKind::Other,
    };
    Some(Tag { start, end: start + length + close.len(), what })
}
