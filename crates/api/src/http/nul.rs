//! U+0000, which PostgreSQL cannot store and SQLite can: refused at the door, whatever is behind it.

use serde_json::Value;

/// Where a JSON body holds the character; the path is empty when it is not in a value of an object.
pub fn in_json(bytes: &[u8]) -> Option<String> {
    // The bare character is no JSON, so it can only be written as an escape.
    if !escaped(bytes) {
        return None;
    }
    let body: Value = serde_json::from_slice(bytes).unwrap_or_default();
    Some(path_in(&body, "").unwrap_or_default())
}

/// True for `\u0000`, unless the backslash is itself escaped.
fn escaped(bytes: &[u8]) -> bool {
    let mut rest = bytes;
    while let Some(at) = rest.iter().position(|b| *b == b'\\') {
        rest = rest.get(at + 1..).unwrap_or_default();
        if rest.starts_with(b"u0000") {
            return true;
        }
        rest = rest.get(1..).unwrap_or_default();
    }
    false
}

fn path_in(v: &Value, path: &str) -> Option<String> {
    match v {
        Value::String(text) => text.contains('\0').then(|| path.to_owned()),
        Value::Array(list) => list.iter().enumerate().find_map(|(i, v)| path_in(v, &format!("{path}[{i}]"))),
        Value::Object(map) => map.iter().find_map(|(name, v)| {
            let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            if name.contains('\0') { Some(path) } else { path_in(v, &path) }
        }),
        _ => None,
    }
}

/// Whether a form or query string holds the character.
pub fn in_form(raw: &str) -> bool {
    raw.contains("%00") || raw.contains('\0')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_found_where_it_is() {
        let found = |text: &str| in_json(text.as_bytes());
        assert_eq!(found(r#"{"a":{"b":["x","y\u0000"]}}"#).as_deref(), Some("a.b[1]"));
        assert_eq!(found(r#"{"a\\\u0000b":1}"#).as_deref(), Some("a\\\0b"));
        assert_eq!(found(r#""\u0000""#).as_deref(), Some(""));
        for harmless in
            [r#"{"a":"\\u0000"}"#, r#"{"a":"\\\\u0000"}"#, r#"{"a":"\u0001"}"#, r#"{"a":"u0000"}"#, r#"{"a":"\"#]
        {
            assert_eq!(found(harmless), None, "{harmless}");
        }
        assert!(in_form("a=b%00c") && !in_form("a=%2500"));
    }
}
