//! Every case of `vectors/*.json` returns the result that the file states.

#[path = "vectors/run.rs"]
mod run;

use saiban::OsEntropy;
use serde_json::Value;
use std::path::Path;

/// How often a case with random parts may run to the end of its random field before it counts as a
/// failure; see vectors/README.md.
const TRIES: usize = 3;

fn document(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the case's `out`, or its `error` with the position.
fn wanted(case: &Value) -> Value {
    let kept =
        ["out", "error", "position"].into_iter().filter_map(|name| Some((name.to_owned(), case.get(name)?.clone())));
    Value::Object(kept.collect())
}

fn found(document: &Value, case: &Value) -> Value {
    run::answer(document["subject"].as_str().expect("a subject"), &document["configs"], case, &OsEntropy)
}

/// Returns whether a random part that began earlier in its field could have changed the answer. The
/// clock of a case may be behind.
fn met_the_end(document: &Value, found: &Value) -> bool {
    let is_refused = ["WOULD_WAIT", "CLOCK_BACKWARD"].iter().any(|kind| found.to_string().contains(kind));
    document["subject"] != "snowflake" && document["subject"] != "tsid" && is_refused
}

/// Runs every case of this operation, and reports those that fail.
fn check(file: &str, op: &str) {
    let document = document(file);
    let all = document["cases"].as_array().expect("cases");
    let cases: Vec<&Value> = all.iter().filter(|case| case["op"] == op).collect();
    assert!(!cases.is_empty(), "{file} has cases of {op}");
    let mut wrong = Vec::new();
    for &case in &cases {
        let wanted = wanted(case);
        let mut answer = found(&document, case);
        for _ in 1..TRIES {
            if answer == wanted || !met_the_end(&document, &answer) {
                break;
            }
            answer = found(&document, case);
        }
        if answer != wanted {
            wrong.push(format!("{}: {} wants {wanted}, found {answer}", case["id"], case["in"]));
        }
    }
    println!("{file} {op}: {} cases", cases.len());
    assert!(wrong.is_empty(), "{} of {} cases:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

/// Fails if a case has an operation that no test runs.
fn check_operations(file: &str, ops: &[&str]) {
    let document = document(file);
    for case in document["cases"].as_array().expect("cases") {
        assert!(ops.iter().any(|op| case["op"] == *op), "{} has the operation {}", case["id"], case["op"]);
    }
}

macro_rules! vectors {
    ($($module:ident $file:literal { $($test:ident $op:literal)+ })+) => {
        $(
            mod $module {
                $(
                    #[test]
                    fn $test() {
                        super::check($file, $op);
                    }
                )+

                #[test]
                fn every_operation_is_tested() {
                    super::check_operations($file, &[$($op),+]);
                }
            }
        )+
    };
}

vectors! {
    snowflake "snowflake.json" {
        compose "compose"
        inspect "inspect"
        to_text "to_text"
        from_text "from_text"
        generate "generate"
        refusals_to_build "new"
    }
    randflake "randflake.json" {
        compose "compose"
        inspect "inspect"
        inspect_under_several_secrets "inspect_secrets"
        to_text "to_text"
        from_text "from_text"
        generate "generate"
        refusals_to_build "new"
    }
    ulid_flake "ulid-flake.json" {
        compose "compose"
        inspect "inspect"
        to_text "to_text"
        from_text "from_text"
        generate "generate"
        refusals_to_build "new"
    }
    tsid "tsid.json" {
        compose "compose"
        inspect "inspect"
        to_text "to_text"
        from_text "from_text"
        generate "generate"
        refusals_to_build "new"
    }
    flake "flake.json" {
        compose "compose"
        inspect "inspect"
        to_text "to_text"
        from_text "from_text"
        generate "generate"
        refusals_to_build "new"
    }
    flake_1 "flake-1.json" {
        limits "limits"
        round_trips "round_trips"
        compose "compose"
        inspect "inspect"
    }
    flake_2 "flake-2.json" {
        limits "limits"
        round_trips "round_trips"
        compose "compose"
        inspect "inspect"
    }
    ulid "ulid.json" {
        compose "compose"
        inspect "inspect"
        to_text "to_text"
        from_text "from_text"
        to_bytes "to_bytes"
        from_bytes "from_bytes"
        generate "generate"
        refusals_to_build "new"
    }
    uuid "uuid.json" {
        compose "compose"
        inspect "inspect"
        to_text "to_text"
        from_text "from_text"
        to_bytes "to_bytes"
        from_bytes "from_bytes"
        to_guid_bytes "to_guid_bytes"
        from_guid_bytes "from_guid_bytes"
        generate "generate"
        refusals_to_build "new"
    }
    objectid "objectid.json" {
        compose "compose"
        inspect "inspect"
        to_text "to_text"
        from_text "from_text"
        to_bytes "to_bytes"
        from_bytes "from_bytes"
        generate "generate"
        refusals_to_build "new"
    }
    tick_id "tick-id.json" {
        compose "compose"
        inspect "inspect"
        to_text "to_text"
        from_text "from_text"
        generate "generate"
        refusals_to_build "new"
    }
    xid "xid.json" {
        compose "compose"
        inspect "inspect"
        to_text "to_text"
        from_text "from_text"
        to_bytes "to_bytes"
        from_bytes "from_bytes"
        generate "generate"
        refusals_to_build "new"
    }
    range "range.json" {
        range "range"
    }
    encoding_wide "encoding-wide.json" {
        encode "encode_wide"
        decode "decode_wide"
    }
    encoding "encoding.json" {
        encode "encode"
        decode "decode"
    }
    sparx "sparx.json" {
        encrypt "encrypt"
    }
}

// JSON for layouts is an optional feature.
#[cfg(feature = "json")]
vectors! {
    layout "layout.json" {
        layout "layout"
        from_json "from_json"
        with_rollback_bits "with_rollback_bits"
        collision_odds "collision_odds"
    }
}
