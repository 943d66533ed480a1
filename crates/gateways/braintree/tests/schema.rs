//! Every document this crate sends is valid against its schema, and its schema is a true part of
//! the published one.
//!
//! The published schema carries no licence and is not shipped. Name its file in
//! `PORTAGE_BRAINTREE_SDL` to check against it as well.

use std::collections::BTreeSet;

use apollo_compiler::{ExecutableDocument, Schema, schema::ExtendedType, validation::Valid};
use braintree::operations;

const SUBSET: &str = include_str!("../schema/subset.graphql");
const EXTENSIONS: &str = include_str!("../schema/extensions.graphql");

fn schema(sdl: &str) -> Valid<Schema> {
    let built = Schema::builder().parse(sdl, "schema.graphql").parse(EXTENSIONS, "extensions.graphql").build();
    built.unwrap_or_else(|e| panic!("{e}")).validate().unwrap_or_else(|e| panic!("{e}"))
}

fn published() -> Option<Valid<Schema>> {
    let path = std::env::var_os("PORTAGE_BRAINTREE_SDL")?;
    Some(schema(&std::fs::read_to_string(path).unwrap()))
}

fn check_documents(schema: &Valid<Schema>) {
    let mut names = BTreeSet::new();
    for operation in operations::ALL {
        let document = ExecutableDocument::parse_and_validate(schema, operation.document, operation.name)
            .unwrap_or_else(|e| panic!("{}: {e}", operation.name));
        let found = document.operations.get(Some(operation.name)).unwrap();
        let root = found.selection_set.selections[0].as_field().unwrap();
        assert_eq!(root.response_key().as_str(), operation.root, "{}", operation.name);
        assert!(names.insert(operation.name), "{} twice", operation.name);
    }
}

#[test]
fn every_document_is_valid() {
    check_documents(&schema(SUBSET));
}

#[test]
fn the_check_notices_a_wrong_field() {
    let schema = schema(SUBSET);
    let wrong = operations::CHARGE.document.replace("orderId", "orderIdentifier");
    assert!(ExecutableDocument::parse_and_validate(&schema, wrong, "wrong").is_err());
}

#[test]
fn every_file_is_an_operation_of_the_crate() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/operations");
    let files = std::fs::read_dir(folder).unwrap().count();
    assert_eq!(files, operations::ALL.len());
}

/// Names and types of fields, arguments, values and members, as text.
fn members(ty: &ExtendedType) -> BTreeSet<String> {
    match ty {
        ExtendedType::Scalar(_) => BTreeSet::new(),
        ExtendedType::Enum(e) => e.values.keys().map(ToString::to_string).collect(),
        ExtendedType::Union(u) => u.members.iter().map(ToString::to_string).collect(),
        ExtendedType::InputObject(i) => i.fields.iter().map(|(n, f)| format!("{n}: {}", f.ty)).collect(),
        ExtendedType::Object(o) => {
            let implements = o.implements_interfaces.iter().map(|i| format!("implements {i}"));
            let fields = o.fields.iter().flat_map(|(n, f)| field(n, f));
            implements.chain(fields).collect()
        }
        ExtendedType::Interface(i) => i.fields.iter().flat_map(|(n, f)| field(n, f)).collect(),
    }
}

fn field(name: &str, field: &apollo_compiler::schema::FieldDefinition) -> Vec<String> {
    let arguments = field.arguments.iter().map(|a| format!("{name}({}: {})", a.name, a.ty));
    std::iter::once(format!("{name}: {}", field.ty)).chain(arguments).collect()
}

#[test]
fn documents_and_subset_agree_with_the_published_schema() {
    let Some(published) = published() else {
        eprintln!("PORTAGE_BRAINTREE_SDL is not set: the published schema was not compared");
        return;
    };
    check_documents(&published);
    for (name, ours) in &schema(SUBSET).types {
        if ours.is_built_in() {
            continue;
        }
        let theirs = published.types.get(name).unwrap_or_else(|| panic!("{name} is not published"));
        assert_eq!(std::mem::discriminant(ours), std::mem::discriminant(theirs), "{name}");
        let theirs = members(theirs);
        let invented: Vec<_> = members(ours).into_iter().filter(|m| !theirs.contains(m)).collect();
        assert!(invented.is_empty(), "{name} does not have {invented:?}");
    }
}
