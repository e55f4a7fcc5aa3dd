//! `saiban check` of IDs that do not have 64 bits: it is equally exact and frugal, and no temporary
//! file remains.

mod common;

use common::{refused, saiban, stdout};
use std::collections::BTreeSet;
use std::fs;

/// The arguments that make IDs of each wide scheme, and those that read them.
const SCHEMES: [(&[&str], &[&str]); 12] = [
    (&["uuid-v1"], &["--format", "hyphenated"]),
    (&["uuid-v4"], &["--format", "hyphenated"]),
    (&["uuid-v7"], &["--format", "hyphenated"]),
    (&["uuid-v7", "--format", "simple"], &["--format", "simple"]),
    (&["uuid-v7", "--format", "urn"], &["--format", "urn"]),
    (&["uuid-v7", "--format", "decimal"], &["--bits", "128"]),
    (&["ulid"], &["--format", "crockford", "--bits", "128"]),
    (&["objectid"], &["--format", "hex", "--bits", "96", "--width", "24"]),
    (&["tick-id", "--format", "decimal"], &["--bits", "77"]),
    (&["tick-id", "--order", "descending", "--format", "base62"], &["--format", "base62", "--bits", "77"]),
    (&["flake", "--layout", "timestamp:48 node:16 sequence:16 random:48", "--node", "7"], &["--bits", "128"]),
    (
        &["flake", "--layout", "timestamp:41,epoch=2020-02-02 sequence:12", "--format", "crockford"],
        &["--format", "crockford", "--bits", "53"],
    ),
];

/// Returns the output for this input, and the exit code.
fn run(arguments: &[&str], input: impl Into<Vec<u8>>) -> (i32, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let place = folder.path().to_str().expect("UTF-8");
    let mut command = saiban(&[&["check", "--temp-dir", place], arguments].concat());
    let output = command.write_stdin(input).output().expect("the command runs");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(fs::read_dir(&folder).expect("the folder is there").next().is_none(), "something is left");
    (output.status.code().expect("an exit code"), String::from_utf8(output.stdout).expect("output is UTF-8"))
}

/// Checks that the command exits with code 2 and one line on stderr with these words.
fn refused_input(arguments: &[&str], input: &str, words: &[&str]) {
    let mut command = saiban(&[&["check"], arguments].concat());
    let output = command.write_stdin(input).assert().code(2).get_output().clone();
    let message = String::from_utf8(output.stderr).expect("messages are UTF-8");
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(words.iter().all(|word| message.contains(word)), "{message:?} lacks one of {words:?}");
    assert!(output.stdout.is_empty());
}

fn raw(ids: &[u128]) -> Vec<u8> {
    ids.iter().flat_map(|id| id.to_le_bytes()).collect()
}

/// Returns distinct numbers in scattered order: half of them agree in their lower 64 bits, and half
/// in their upper ones.
fn scattered(count: u128) -> Vec<u128> {
    let mix = |number: u128| number.wrapping_mul(0x9e37_79b9_7f4a_7c15) & u128::from(u64::MAX);
    (1..=count).map(|index| if index % 2 == 0 { mix(index) << 64 } else { mix(index) }).collect()
}

#[test]
fn ids_of_every_wide_scheme_are_read_and_a_planted_repeat_is_found() {
    for (made, read) in SCHEMES {
        let ids = stdout(&[&["new", "-n", "10000"], made].concat());
        assert_eq!(run(read, ids.as_bytes()), (0, "10000 IDs, 10000 distinct, 0 repeated\n".into()), "{made:?}");
        let mut lines: Vec<&str> = ids.lines().collect();
        lines[9_000] = lines[77];
        let (code, text) = run(read, lines.join("\n"));
        let expected = format!("10000 IDs, 9999 distinct, 1 repeated\n  {} 2 times\n", lines[77]);
        assert_eq!((code, text), (3, expected), "{made:?}");
    }
}

#[test]
fn json_has_the_number_and_the_text() {
    let id = "00000000000000000000002a";
    let (code, text) = run(&["--format", "hex", "--bits", "96", "--width", "24", "--json"], format!("{id}\n{id}\n"));
    let found: serde_json::Value = serde_json::from_str(&text).expect("a JSON object");
    assert_eq!(code, 3);
    assert_eq!(found["most_repeated"], serde_json::json!([{ "id": "42", "text": id, "times": 2 }]));
}

#[test]
fn the_limits_of_128_bits_and_ids_that_differ_in_one_bit_are_distinguished() {
    let ids: BTreeSet<u128> = (0..128).map(|bit| 1 << bit).chain([0, u128::MAX]).collect();
    let text: String = ids.iter().map(|id| format!("{id}\n")).collect();
    assert_eq!(run(&["--bits", "128"], text.as_str()), (0, "130 IDs, 130 distinct, 0 repeated\n".into()));
    let max = u128::MAX;
    assert_eq!(
        run(&["--bits", "128"], format!("{text}{max}\n0\n")),
        (3, format!("132 IDs, 130 distinct, 2 repeated\n  0 2 times\n  {max} 2 times\n"))
    );
}

#[test]
fn texts_of_one_uuid_count_as_one_id_for_a_lenient_reader() {
    let (id, upper) = ("017f22e2-79b0-7cc3-98c4-dc0c0c07398f", "{017F22E2-79B0-7CC3-98C4-DC0C0C07398F}");
    let (code, text) = run(&["--format", "hyphenated", "--lenient"], format!("{id}\n{upper}\n"));
    assert_eq!((code, text), (3, format!("2 IDs, 1 distinct, 1 repeated\n  {id} 2 times\n")));
    refused_input(&["--format", "hyphenated"], &format!("{id}\n{upper}\n"), &["line 2", "38 characters"]);
}

#[test]
fn repeats_are_found_across_runs_that_do_not_fit_the_memory() {
    // 1 MiB holds 65,536 IDs, so there are seven runs. The first ID repeats in the last run, and
    // another one next to itself.
    let mut ids = scattered(400_000);
    ids.push(ids[0]);
    ids.insert(200_001, ids[200_000]);
    let (code, text) = run(&["--raw", "--bits", "128", "--memory", "1MiB"], raw(&ids));
    let mut repeated = [ids[0], ids[200_000]];
    repeated.sort_unstable();
    let [less, more] = repeated;
    assert_eq!(code, 3);
    assert_eq!(text, format!("400002 IDs, 400000 distinct, 2 repeated\n  {less} 2 times\n  {more} 2 times\n"));
}

#[test]
fn more_runs_than_fit_the_memory_are_merged_in_steps() {
    // 1 MiB has room for 32 blocks of 2048 IDs, so 40 runs need two steps.
    let mut ids = scattered(40 * 65_536);
    let count = ids.len();
    ids[2_500_000] = ids[17];
    let (code, text) = run(&["--raw", "--bits", "128", "--memory", "1MiB"], raw(&ids));
    assert_eq!(code, 3);
    assert_eq!(text, format!("{count} IDs, {} distinct, 1 repeated\n  {} 2 times\n", count - 1, ids[17]));
}

#[test]
fn binary_input_that_ends_within_an_id_of_128_bits_is_refused() {
    assert_eq!(run(&["--raw", "--bits", "64"], [0; 16]).0, 3);
    assert_eq!(run(&["--raw", "--bits", "128"], [0; 16]).0, 0);
    refused_input(&["--raw", "--bits", "128"], &"0".repeat(24), &["stdin", "16 bytes"]);
}

#[test]
fn a_bad_line_far_into_the_input_leaves_no_files_behind() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut text: String = scattered(100_000).iter().map(|id| format!("{id}\n")).collect();
    text += "one too many\n";
    let place = folder.path().to_str().expect("UTF-8");
    refused_input(&["--bits", "128", "--memory", "1MiB", "--temp-dir", place], &text, &["line 100001"]);
    assert!(fs::read_dir(&folder).expect("the folder is there").next().is_none(), "something is left");
}

#[test]
fn a_missing_temporary_folder_is_named_when_it_is_needed() {
    let check = |ids: u128| {
        let arguments = ["check", "--raw", "--bits", "128", "--memory", "1MiB", "--temp-dir", "/nonexistent/folder"];
        saiban(&arguments).write_stdin(raw(&scattered(ids))).output().expect("the command runs")
    };
    let output = check(65_537);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("/nonexistent/folder"), "{output:?}");
    // IDs that fit the memory need no temporary folder.
    assert_eq!(check(65_536).status.code(), Some(0));
}

#[test]
fn ids_that_are_too_wide_are_refused_with_a_remedy() {
    refused_input(&["--format", "crockford"], "01ARZ3NDEKTSV4RRFFQ69G5FAV\n", &["line 1", "--bits", "128 for a ULID"]);
    refused_input(&[], "18446744073709551616\n", &["line 1", "64 bits", "--bits"]);
    refused_input(&["--bits", "16"], "65536\n", &["line 1", "16 bits"]);
    refused_input(&["--bits", "128"], "-1\n", &["line 1"]);
    refused_input(
        &["--format", "hyphenated", "--bits", "64"],
        "017f22e2-79b0-7cc3-98c4-dc0c0c07398f\n",
        &["line 1", "64 bits"],
    );
    // A tick ID is refused with any `--bits`.
    for arguments in [&[][..], &["--bits", "77"], &["--bits", "128"]] {
        refused_input(arguments, "0638996712000000000_0042\n", &["line 1", "tick-id --format decimal"]);
    }
}

#[test]
fn invalid_arguments_are_exit_code_2() {
    refused(&["check", "--bits", "129"], &["--bits", "129", "16 to 128"]);
    refused(&["check", "--bits", "15"], &["--bits", "15", "16 to 128"]);
    refused(&["check", "--bits", "many"], &["--bits", "many"]);
    refused(&["check", "--width", "25", "--format", "hex", "--bits", "96"], &["--width", "25", "24"]);
    refused(&["check", "--width", "0"], &["--width", "0"]);
    refused(&["check", "--raw", "--bits", "96"], &["--raw", "96"]);
    refused(&["check", "--raw", "--width", "16"], &["--raw", "--width"]);
}
