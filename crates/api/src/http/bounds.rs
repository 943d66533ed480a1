//! The bounds a body's schema names, enforced: what the document says is what the door does.
//!
//! A schema is written once, beside the struct (`#[schema(max_length = 40)]`). It is made into a
//! tree when its first body comes, and every body is walked along that tree while it is still
//! text: lengths of strings and lists, and the smallest and largest number.

use std::{
    any::TypeId,
    borrow::Cow,
    cell::RefCell,
    collections::{BTreeMap, HashMap},
    fmt,
    rc::Rc,
};

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use service::{FieldProblem, Limit};
use utoipa::ToSchema;

use super::problem::Field;

/// What one value may be.
#[derive(Debug, Default, Clone)]
struct Bounds {
    /// Characters.
    length: Option<usize>,
    items: Option<usize>,
    least: Option<f64>,
    most: Option<f64>,
    /// A day or an instant: its year has four digits.
    dated: bool,
    fields: HashMap<String, Node>,
    each: Option<Box<Node>>,
}

#[derive(Debug, Clone)]
enum Node {
    Here(Bounds),
    /// A schema by name: schemas may hold themselves.
    Named(String),
}

/// The bounds of a body.
#[derive(Debug)]
pub struct Tree {
    root: Node,
    named: HashMap<String, Bounds>,
}

/// Characters of a value that is one of a closed list.
const LONGEST_WORD: usize = 60;

thread_local! {
    static KNOWN: RefCell<HashMap<TypeId, Rc<Tree>>> = RefCell::default();
}

/// A text that may be this long has several lines, and keeps them.
const SEVERAL_LINES: usize = 500;

/// Every value of `body` that is beyond the bounds of `T`'s schema. A body that is not JSON has none.
pub fn beyond<T: ToSchema + 'static>(body: &[u8]) -> Vec<Field> {
    tree_of::<T>().beyond(body)
}

/// The body without control characters in its texts; a text that its schema bounds to one line gets
/// one line. Passwords stay as they are.
pub fn cleaned<T: ToSchema + 'static>(body: &[u8]) -> Cow<'_, [u8]> {
    if !super::plain_text::may_be_unclean(body) {
        return Cow::Borrowed(body);
    }
    let Ok(before) = serde_json::from_slice::<Value>(body) else { return Cow::Borrowed(body) };
    let (mut after, tree) = (before.clone(), tree_of::<T>());
    tree.clean(Some(&tree.root), &mut after);
    match serde_json::to_vec(&after) {
        Ok(bytes) if after != before => Cow::Owned(bytes),
        _ => Cow::Borrowed(body),
    }
}

fn tree_of<T: ToSchema + 'static>() -> Rc<Tree> {
    let known = KNOWN.with_borrow(|k| k.get(&TypeId::of::<T>()).cloned());
    known.unwrap_or_else(|| {
        let made = Rc::new(Tree::of::<T>());
        KNOWN.with_borrow_mut(|k| k.insert(TypeId::of::<T>(), made.clone()));
        made
    })
}

impl Tree {
    fn of<T: ToSchema>() -> Tree {
        let mut all = Vec::new();
        T::schemas(&mut all);
        // A schema that holds itself is not among its parts.
        all.push((T::name().into_owned(), T::schema()));
        let named: BTreeMap<String, Value> =
            all.into_iter().map(|(name, schema)| (name, serde_json::to_value(schema).unwrap_or_default())).collect();
        let named = named.into_iter().map(|(name, schema)| (name, bounds(&schema))).collect();
        let root = Node::Here(bounds(&serde_json::to_value(T::schema()).unwrap_or_default()));
        Tree { root, named }
    }

    fn beyond(&self, body: &[u8]) -> Vec<Field> {
        let mut found = Vec::new();
        let mut reader = serde_json::Deserializer::from_slice(body);
        let walk = Walk { tree: self, node: Some(&self.root), path: &Path::Root, found: &mut found };
        // A body that cannot be walked is refused by the parser.
        let _ = walk.deserialize(&mut reader);
        found
    }

    /// Cleans every text of `value` ([`cleaned`]).
    fn clean(&self, node: Option<&Node>, value: &mut Value) {
        let bounds = node.and_then(|n| self.bounds(n));
        match value {
            Value::String(text) => {
                let lines = bounds.and_then(|b| b.length).is_some_and(|most| most >= SEVERAL_LINES);
                if let Some(clean) = super::plain_text::clean(text, lines) {
                    *text = clean;
                }
            }
            Value::Array(list) => {
                let each = bounds.and_then(|b| b.each.as_deref());
                list.iter_mut().for_each(|v| self.clean(each, v));
            }
            Value::Object(map) => {
                let wrapped = node.filter(|_| bounds.is_some_and(|b| b.each.is_some() && b.fields.is_empty()));
                for (name, v) in map.iter_mut().filter(|(name, _)| !name.to_lowercase().contains("password")) {
                    self.clean(bounds.and_then(|b| b.fields.get(name)).or(wrapped), v);
                }
            }
            _ => {}
        }
    }

    fn bounds<'t>(&'t self, node: &'t Node) -> Option<&'t Bounds> {
        match node {
            Node::Here(bounds) => Some(bounds),
            Node::Named(name) => self.named.get(name),
        }
    }
}

/// The bounds of one schema; of several that may hold, or that all hold, together.
fn bounds(schema: &Value) -> Bounds {
    let mut out = Bounds::default();
    gather(schema, &mut out);
    out
}

fn gather(schema: &Value, out: &mut Bounds) {
    #[allow(clippy::cast_possible_truncation, reason = "a bound that long is none")]
    let size = |name: &str| schema[name].as_u64().map(|n| n as usize);
    // A word of a closed list: whoever reads it knows the list; no word is longer than this.
    let word = schema["enum"].is_array().then_some(LONGEST_WORD);
    out.length = out.length.or_else(|| size("maxLength")).or(word);
    out.items = out.items.or_else(|| size("maxItems"));
    out.least = out.least.or_else(|| schema["minimum"].as_f64());
    out.most = out.most.or_else(|| schema["maximum"].as_f64());
    out.dated |= matches!(schema["format"].as_str(), Some("date" | "date-time"));
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        out.fields.insert(name.clone(), node(property));
    }
    if schema["items"].is_object() {
        out.each = Some(Box::new(node(&schema["items"])));
    }
    for part in ["allOf", "oneOf", "anyOf"].iter().filter_map(|name| schema[*name].as_array()).flatten() {
        gather(part, out);
    }
}

/// A property: a reference, perhaps beside null, or a schema of its own.
fn node(schema: &Value) -> Node {
    let named = |s: &Value| Some(s["$ref"].as_str()?.rsplit('/').next()?.to_owned());
    let either = || ["oneOf", "anyOf", "allOf"].iter().filter_map(|n| schema[*n].as_array()).flatten().find_map(named);
    match named(schema).or_else(either) {
        Some(name) => Node::Named(name),
        None => Node::Here(bounds(schema)),
    }
}

/// A figure that is not between these, in the unit that its field has.
pub(super) fn out_of(path: &str, least: Option<f64>, most: Option<f64>) -> FieldProblem {
    let last = path.rsplit('.').next().unwrap_or(path);
    let name = last.split('[').next().unwrap_or(last);
    match (least.and_then(|n| limit(name, n)), most.and_then(|n| limit(name, n))) {
        (Some(least), Some(most)) => FieldProblem::Between(least, most),
        (Some(least), None) => FieldProblem::AtLeast(least),
        (None, Some(most)) => FieldProblem::AtMost(most),
        (None, None) => FieldProblem::OutOfRange,
    }
}

/// A bound of a schema. One that is no whole number is not named.
fn limit(name: &str, n: f64) -> Option<Limit> {
    #[allow(clippy::cast_possible_truncation, reason = "bounds are small whole numbers")]
    let whole = (n.fract() == 0.0 && n.abs() < 1e12).then_some(n as i64)?;
    let small = u32::try_from(whole).ok();
    let in_unit = match name {
        "duration" | "durationMinutes" | "minutes" | "travelDuration" | "positioningMinutes" => {
            small.map(Limit::Minutes)
        }
        "days" | "netDays" => small.map(Limit::Days),
        "lat" | "lon" => Some(Limit::Degrees(whole)),
        _ => None,
    };
    Some(in_unit.unwrap_or(Limit::Count(whole)))
}

/// Where the walk is; made into a text only when something is wrong there.
enum Path<'p> {
    Root,
    Name(&'p Path<'p>, &'p str),
    Index(&'p Path<'p>, usize),
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Path::Root => Ok(()),
            Path::Name(Path::Root, name) => f.write_str(name),
            Path::Name(parent, name) => write!(f, "{parent}.{name}"),
            Path::Index(parent, i) => write!(f, "{parent}[{i}]"),
        }
    }
}

struct Walk<'w> {
    tree: &'w Tree,
    node: Option<&'w Node>,
    path: &'w Path<'w>,
    found: &'w mut Vec<Field>,
}

impl Walk<'_> {
    fn bounds(&self) -> Option<&Bounds> {
        self.node.and_then(|n| self.tree.bounds(n))
    }

    fn tell(&mut self, problem: FieldProblem) {
        self.found.push(Field::new(self.path.to_string(), problem));
    }

    fn number(mut self, n: f64) {
        let within =
            self.bounds().is_none_or(|b| b.least.is_none_or(|least| n >= least) && b.most.is_none_or(|most| n <= most));
        if !within {
            let (least, most) = self.bounds().map_or((None, None), |b| (b.least, b.most));
            self.tell(out_of(&self.path.to_string(), least, most));
        }
    }
}

impl<'de> DeserializeSeed<'de> for Walk<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, d: D) -> Result<(), D::Error> {
        d.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Walk<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_str<E>(mut self, text: &str) -> Result<(), E> {
        // Bytes are never fewer than characters.
        let most = self.bounds().and_then(|b| b.length);
        if most.is_some_and(|most| text.len() > most && text.chars().count() > most) {
            self.tell(FieldProblem::TooLong);
        }
        // Parsers of dates read other years with a sign; no database keeps them all.
        if self.bounds().is_some_and(|b| b.dated) && text.starts_with(['+', '-']) {
            self.tell(FieldProblem::Invalid);
        }
        Ok(())
    }

    #[allow(clippy::cast_precision_loss, reason = "bounds are small")]
    fn visit_i64<E>(self, n: i64) -> Result<(), E> {
        self.number(n as f64);
        Ok(())
    }

    #[allow(clippy::cast_precision_loss, reason = "bounds are small")]
    fn visit_u64<E>(self, n: u64) -> Result<(), E> {
        self.number(n as f64);
        Ok(())
    }

    fn visit_f64<E>(self, n: f64) -> Result<(), E> {
        self.number(n);
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut seq: A) -> Result<(), A::Error> {
        let (tree, bounds) = (self.tree, self.node.and_then(|n| self.tree.bounds(n)));
        let each = bounds.and_then(|b| b.each.as_deref());
        let mut n = 0;
        while seq
            .next_element_seed(Walk { tree, node: each, path: &Path::Index(self.path, n), found: &mut *self.found })?
            .is_some()
        {
            n += 1;
        }
        if bounds.and_then(|b| b.items).is_some_and(|most| n > most) {
            self.tell(FieldProblem::TooLong);
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let (tree, bounds) = (self.tree, self.node.and_then(|n| self.tree.bounds(n)));
        // A list may be wrapped in an object, as the draft takes its furniture.
        let wrapped = self.node.filter(|_| bounds.is_some_and(|b| b.each.is_some() && b.fields.is_empty()));
        while let Some(name) = map.next_key::<Cow<'de, str>>()? {
            match bounds.and_then(|b| b.fields.get(name.as_ref())).or(wrapped) {
                Some(node) => map.next_value_seed(Walk {
                    tree,
                    node: Some(node),
                    path: &Path::Name(self.path, &name),
                    found: &mut *self.found,
                })?,
                None => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, dead_code)]
    use super::*;

    #[derive(ToSchema)]
    struct Outer {
        #[schema(max_length = 3)]
        name: Option<String>,
        #[schema(minimum = 1, maximum = 5)]
        n: u32,
        #[schema(max_length = 2000)]
        long: Option<String>,
        password: Option<String>,
        #[schema(value_type = Option<String>, format = Date)]
        day: Option<String>,
        inner: Option<Inner>,
        #[schema(max_items = 2)]
        list: Vec<Inner>,
        #[schema(no_recursion)]
        own: Option<Box<Outer>>,
    }

    #[derive(ToSchema)]
    struct Inner {
        #[schema(max_length = 2)]
        text: String,
    }

    fn problems_of(body: &str) -> Vec<(String, &'static str)> {
        beyond::<Outer>(body.as_bytes()).into_iter().map(|f| (f.path, f.code)).collect()
    }

    #[test]
    fn texts_read_as_they_are_written() {
        let clean = |body: &str| String::from_utf8(cleaned::<Outer>(body.as_bytes()).into_owned()).unwrap();
        assert_eq!(clean(r#"{"name":"a\nb"}"#), r#"{"name":"a b"}"#);
        assert_eq!(clean("{\"name\":\"a\u{202e}b\u{2028}c\"}"), r#"{"name":"ab c"}"#);
        assert_eq!(clean(r#"{"inner":{"text":"\u0007\u202e"}}"#), r#"{"inner":{"text":""}}"#);
        assert_eq!(clean(r#"{"list":[{"text":"a\tb"}]}"#), r#"{"list":[{"text":"a b"}]}"#);
        assert_eq!(clean(r#"{"long":"a\r\nb\u0007"}"#), r#"{"long":"a\nb"}"#);
        for same in [r#"{"password":"a\n\u0007"}"#, r#"{"name":"l’été \u00e9"}"#, r#"{"long":"a\nb"}"#, "no JSON \\n"]
        {
            assert_eq!(clean(same), same);
        }
    }

    #[test]
    fn a_number_beyond_its_bounds_is_told_them() {
        let words_of = |body: &str| beyond::<Outer>(body.as_bytes()).pop().map(|f| f.words(kernel::Language::En));
        assert!(words_of(r#"{"n":6}"#).unwrap().ends_with(" can be 1 to 5."));
        let minutes = out_of("extra.minutes", Some(1.0), Some(1440.0));
        assert_eq!(minutes, FieldProblem::Between(Limit::Minutes(1), Limit::Minutes(1_440)));
        let lat = out_of("coordinates[0].lat", Some(-90.0), Some(90.0));
        assert_eq!(lat, FieldProblem::Between(Limit::Degrees(-90), Limit::Degrees(90)));
        assert_eq!(out_of("n", Some(0.5), None), FieldProblem::OutOfRange);
    }

    #[test]
    fn bounds_are_named_in_the_language_and_the_unit() {
        let words_of = |problem| kernel::Language::ALL.map(|language| Field::new("minutes", problem).words(language));
        let [en, fr, zh] = words_of(FieldProblem::Between(Limit::Minutes(1), Limit::Minutes(1_440)));
        assert_eq!(en, "Minutes can be 1\u{a0}min to 24\u{a0}h.");
        assert_eq!(fr, "Minutes\u{a0}: de 1\u{a0}min à 24\u{a0}h.");
        assert!(zh.contains("1 分钟") && zh.contains("24 小时"), "{zh}");
        let day = Limit::Date("2027-07-01".parse().unwrap());
        assert_eq!(words_of(FieldProblem::AtLeast(day))[0], "Minutes can be July 1, 2027 at the earliest.");
        assert_eq!(words_of(FieldProblem::AtLeast(Limit::CENT))[0], "Minutes must be $0.01 or more.");
    }

    #[test]
    fn every_bound_is_found_where_it_is() {
        let one = |path: &str, code| vec![(path.to_owned(), code)];
        assert_eq!(problems_of(r#"{"name":"äöü","n":5,"inner":{"text":"ab"},"list":[{"text":"a"},{"text":"b"}]}"#), []);
        assert_eq!(problems_of(r#"{"name":"abcd"}"#), one("name", "too_long"));
        assert_eq!(problems_of(r#"{"name":"\u0061\u0061\u0061\u0061"}"#), one("name", "too_long"));
        assert_eq!(problems_of(r#"{"n":0}"#), one("n", "out_of_range"));
        assert_eq!(problems_of(r#"{"n":6.5}"#), one("n", "out_of_range"));
        assert_eq!(problems_of(r#"{"inner":{"text":"abc"}}"#), one("inner.text", "too_long"));
        assert_eq!(problems_of(r#"{"list":[{"text":"a"},{"text":"abc"}]}"#), one("list[1].text", "too_long"));
        assert_eq!(problems_of(r#"{"list":[{},{},{}]}"#), one("list", "too_long"));
        assert_eq!(problems_of(r#"{"list":{"wrapped":[{"text":"abc"}]}}"#), one("list.wrapped[0].text", "too_long"));
        assert_eq!(problems_of(r#"{"own":{"own":{"name":"abcd"}}}"#), one("own.own.name", "too_long"));
        assert_eq!(problems_of(r#"{"day":"2027-02-17"}"#), []);
        assert_eq!(problems_of(r#"{"day":"-262143-01-01"}"#), one("day", "invalid"));
        assert_eq!(problems_of(r#"{"day":"+12027-01-01"}"#), one("day", "invalid"));
        assert_eq!(problems_of(r#"{"unknown":"aaaaaaaaaaaaaaaa","name":null}"#), []);
        assert_eq!(problems_of("no JSON"), []);
    }
}
