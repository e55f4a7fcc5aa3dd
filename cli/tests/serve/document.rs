//! The examples of the OpenAPI document, as a user would copy them.

use crate::http::Http;
use crate::instance::Instance;
use serde_json::Value;

/// Requests to send first, because others need their results: a lease without a holder cannot be
/// renewed.
const ORDER: [&str; 3] = ["createNamespace", "acquireLease", "quarantineNamespace"];

struct Example {
    operation: String,
    method: String,
    path: String,
    body: Option<Value>,
    answer: Value,
}

fn parameters(document: &Value, item: &Value) -> Vec<Value> {
    let given = item["parameters"].as_array().cloned().unwrap_or_default();
    let resolve = |parameter: Value| match parameter["$ref"].as_str() {
        Some(to) => document.pointer(to.trim_start_matches('#')).expect("it is there").clone(),
        None => parameter,
    };
    given.into_iter().map(resolve).collect()
}

/// Returns every operation with each of its examples.
fn examples(document: &Value) -> Vec<Example> {
    let mut found = Vec::new();
    for (template, item) in document["paths"].as_object().expect("paths") {
        for (method, operation) in
            item.as_object().expect("operations").iter().filter(|(name, _)| *name != "parameters")
        {
            let (mut path, mut query) = (template.clone(), Vec::new());
            for parameter in [parameters(document, item), parameters(document, operation)].concat() {
                let (name, example) = (parameter["name"].as_str().expect("a name"), &parameter["example"]);
                let example = example.as_str().map_or_else(|| example.to_string(), str::to_owned);
                match parameter["in"].as_str() {
                    Some("path") => path = path.replace(&format!("{{{name}}}"), &example),
                    Some("query") => query.push(format!("{name}={example}")),
                    // The parameter is an optional header.
                    _ => {}
                }
            }
            if !query.is_empty() {
                path = format!("{path}?{}", query.join("&"));
            }
            let media = &operation["requestBody"]["content"]["application/json"];
            let several =
                media["examples"].as_object().map(|several| several.values().map(|one| one["value"].clone()).collect());
            let bodies: Vec<_> = several.unwrap_or_else(|| vec![media["example"].clone()]);
            for body in bodies {
                found.push(Example {
                    operation: operation["operationId"].as_str().expect("a name").to_owned(),
                    method: method.to_uppercase(),
                    path: path.clone(),
                    body: Some(body).filter(|body| !body.is_null()),
                    answer: operation["responses"]["200"]["content"]["application/json"]["example"].clone(),
                });
            }
        }
    }
    found.sort_by_key(|example| match ORDER.iter().position(|first| *first == example.operation) {
        Some(2) => 9,
        Some(place) => place,
        None => 5,
    });
    found
}

/// Collects the names of all members at any depth, using the first item of each array.
fn form(value: &Value, at: &str, names: &mut Vec<String>) {
    match value {
        Value::Object(members) => members.iter().for_each(|(name, value)| {
            let at = format!("{at}.{name}");
            form(value, &at, names);
            names.push(at);
        }),
        Value::Array(items) => items.first().into_iter().for_each(|item| form(item, at, names)),
        _ => {}
    }
}

fn names(value: &Value) -> Vec<String> {
    let mut names = Vec::new();
    form(value, "", &mut names);
    names.sort();
    names
}

#[test]
fn every_example_of_the_document_gets_the_documented_answer() {
    let instance = Instance::ready("[schemes.orders]\nscheme = \"snowflake\"\n");
    let mut http = Http::to(instance.address());
    let document = http.get("/openapi.json").json();
    let examples = examples(&document);
    assert!(examples.len() > 20);
    for Example { operation, method, path, body, answer: example } in examples {
        let text = body.as_ref().map(Value::to_string);
        let headers = [("Content-Type", "application/json")];
        // The second example uses the scheme's own namespace.
        let path = match body.as_ref().map(|body| &body["scheme"]) {
            Some(Value::String(scheme)) => path.replace("/shop/", &format!("/{scheme}/")),
            _ => path,
        };
        let answer = http.ask(&method, &path, &headers, text.as_ref().map(|text| text.as_bytes()));
        if operation == "renewLease" {
            assert_eq!(answer.status, 409, "nobody has it: {}", answer.text());
            continue;
        }
        assert_eq!(answer.status, 200, "{method} {path}: {}", answer.text());
        match &*operation {
            // These responses never vary.
            "inspectIds" | "composeId" | "convertIds" => assert_eq!(answer.json(), example, "{operation}"),
            _ if !example.is_null() => assert_eq!(names(&answer.json()), names(&example), "{operation}"),
            _ => {}
        }
    }
}
