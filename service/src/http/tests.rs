//! Compares the OpenAPI document with the routes, the errors and the limits.

use super::{OPEN_PATHS, OPENAPI, openapi, routes};
use crate::config::Limits;
use crate::problem::Code;
use saiban::{Encoding, ErrorKind, Scheme};
use serde_json::Value;
use std::collections::BTreeSet;

fn document() -> Value {
    serde_json::from_str(OPENAPI).expect("JSON")
}

/// Returns path, method and description of each operation of the document.
fn operations(document: &Value) -> Vec<(&str, &str, &Value)> {
    let paths = document["paths"].as_object().expect("paths");
    let mut found = Vec::new();
    for (path, item) in paths {
        for (method, operation) in
            item.as_object().expect("operations").iter().filter(|(name, _)| *name != "parameters")
        {
            found.push((path.as_str(), method.as_str(), operation));
        }
    }
    found
}

fn texts(value: &Value) -> BTreeSet<&str> {
    value.as_array().expect("an array").iter().map(|text| text.as_str().expect("text")).collect()
}

#[test]
fn the_document_has_every_path_and_method_and_no_other() {
    let document = document();
    let described: BTreeSet<_> =
        operations(&document).into_iter().map(|(path, method, _)| (path.to_owned(), method.to_uppercase())).collect();
    let there: BTreeSet<_> =
        routes().into_iter().map(|(method, path, _)| (path.to_owned(), method.to_string())).collect();
    assert_eq!(described, there);
    assert_eq!(document["info"]["version"], env!("CARGO_PKG_VERSION"));
}

#[test]
fn the_document_names_every_kind_of_error_every_scheme_and_every_encoding() {
    let document = document();
    let schemas = &document["components"]["schemas"];
    let own = [
        Code::Unauthenticated,
        Code::PermissionDenied,
        Code::NotFound,
        Code::MethodNotAllowed,
        Code::TooLarge,
        Code::UnsupportedMediaType,
        Code::Overloaded,
        Code::Timeout,
    ];
    let codes = own.into_iter().chain(ErrorKind::ALL.iter().copied().map(Code::Kind)).map(Code::name).collect();
    assert_eq!(texts(&schemas["Problem"]["properties"]["code"]["enum"]), codes);
    assert_eq!(texts(&schemas["Family"]["enum"]), Scheme::ALL.into_iter().map(Scheme::name).collect());
    assert_eq!(texts(&schemas["Encoding"]["enum"]), Encoding::every().map(|encoding| encoding.name()).collect());
}

#[test]
fn errors_of_the_instance_are_no_errors_of_the_request() {
    let status = |kind| Code::Kind(kind).status().as_u16();
    for kind in [ErrorKind::NodeInUse, ErrorKind::StateInUse, ErrorKind::ClockBackward, ErrorKind::StoreUnavailable] {
        assert_eq!(status(kind), 503, "{kind:?}");
    }
    for kind in [ErrorKind::InvalidArgument, ErrorKind::IdOutOfRange, ErrorKind::TextLength] {
        assert_eq!(status(kind), 400, "{kind:?}");
    }
}

#[test]
fn the_document_has_the_limits_of_its_instance() {
    assert_eq!(openapi(&Limits::default()), OPENAPI);
    let document = openapi(&Limits { max_batch: 77, ..Limits::default() });
    for left in ["\"maxItems\": 10000", "\"maximum\": 10000,", "\"maxItems\": 256"] {
        assert!(OPENAPI.contains(left) && !document.contains(left), "{left}");
    }
}

#[test]
fn every_operation_has_a_description_and_its_errors() {
    let document = document();
    let mut names = BTreeSet::new();
    for (path, method, operation) in operations(&document) {
        let what = format!("{method} {path}");
        assert!(names.insert(operation["operationId"].as_str().expect("a name")), "{what}");
        for text in ["summary", "description"] {
            assert!(operation[text].as_str().is_some_and(|text| !text.is_empty()), "{what}: {text}");
        }
        let answers = operation["responses"].as_object().expect("answers");
        let is_open = OPEN_PATHS.contains(&path);
        for status in ["401", "403", "503"] {
            assert_eq!(
                answers.contains_key(status),
                !is_open || path == "/readyz" && status == "503",
                "{what}: {status}"
            );
        }
        for status in ["200", "405"] {
            assert!(answers.contains_key(status), "{what}: {status}");
        }
        for status in ["400", "408", "413", "415"] {
            assert!(!operation["requestBody"].is_object() || answers.contains_key(status), "{what}: {status}");
        }
    }
}

#[test]
fn every_reference_of_the_document_exists() {
    fn check(value: &Value, document: &Value) {
        match value {
            Value::Object(members) => {
                if let Some(Value::String(to)) = members.get("$ref") {
                    assert!(document.pointer(to.trim_start_matches('#')).is_some(), "{to}");
                }
                members.values().for_each(|member| check(member, document));
            }
            Value::Array(items) => items.iter().for_each(|item| check(item, document)),
            _ => {}
        }
    }

    let document = document();
    check(&document, &document);
}
