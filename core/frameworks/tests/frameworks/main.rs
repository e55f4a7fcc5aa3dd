//! An ID above 2^53 goes from a database through the JSON of a framework to JavaScript and back.

mod axum;
mod diesel;
mod sea_orm;

use std::process::Command;

/// JavaScript changes the digits of this number.
const ID: i64 = 2_125_041_057_055_170_560;

/// Reads JSON in JavaScript, and writes it again.
fn through_javascript(json: &str) -> String {
    let program = "process.stdout.write(JSON.stringify(JSON.parse(process.argv[1])))";
    let done = Command::new("node").args(["-e", program, json]).output().expect("Node.js");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).expect("JSON is UTF-8")
}

#[test]
fn javascript_changes_numbers_and_keeps_text() {
    assert_eq!(through_javascript(&format!(r#"{{"id":{ID}}}"#)), r#"{"id":2125041057055170600}"#);
    let text = format!(r#"{{"id":"{ID}"}}"#);
    assert_eq!(through_javascript(&text), text);
}
