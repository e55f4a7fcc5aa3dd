//! `saiban check`: repeats are found with any memory limit, and no temporary file remains.

use assert_cmd::Command;
use serde_json::Value;
use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use tempfile::TempDir;

/// Returns the command, with its temporary files in this folder.
fn check(folder: &TempDir, arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("saiban").expect("the command is built");
    command.arg("check").arg("--temp-dir").arg(folder.path()).args(arguments);
    command
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn is_empty(folder: &TempDir) -> bool {
    fs::read_dir(folder).expect("the folder is there").next().is_none()
}

/// Returns the output for this input, and the exit code.
fn run(arguments: &[&str], input: impl Into<Vec<u8>>) -> (i32, String) {
    let folder = folder();
    let output = check(&folder, arguments).write_stdin(input).output().expect("the command runs");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(is_empty(&folder), "something is left in the temporary folder");
    (output.status.code().expect("an exit code"), String::from_utf8(output.stdout).expect("output is UTF-8"))
}

/// Checks that the command exits with code 2 and one line on stderr with these words, prints
/// nothing on stdout, and leaves no file.
fn refused(arguments: &[&str], input: impl Into<Vec<u8>>, words: &[&str]) -> String {
    let folder = folder();
    let output = check(&folder, arguments).write_stdin(input).output().expect("the command runs");
    let message = String::from_utf8(output.stderr).expect("messages are UTF-8");
    assert_eq!((output.status.code(), message.lines().count()), (Some(2), 1), "{message}");
    assert!(words.iter().all(|word| message.contains(word)), "{message:?} lacks one of {words:?}");
    assert!(output.stdout.is_empty() && is_empty(&folder));
    message
}

fn raw(ids: &[i64]) -> Vec<u8> {
    ids.iter().flat_map(|id| id.to_le_bytes()).collect()
}

/// Returns distinct numbers in scattered order.
fn scattered(count: u64) -> Vec<i64> {
    (0..count).map(|index| (index + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) as i64).collect()
}

#[test]
fn distinct_ids_are_exit_code_0_and_a_repeat_is_3() {
    assert_eq!(run(&[], "1\n2\n3\n"), (0, "3 IDs, 3 distinct, 0 repeated\n".into()));
    assert_eq!(run(&[], "1\n2\n1\n"), (3, "3 IDs, 2 distinct, 1 repeated\n  1 2 times\n".into()));
}

#[test]
fn an_empty_stream_repeats_nothing() {
    assert_eq!(run(&[], ""), (0, "0 IDs, 0 distinct, 0 repeated\n".into()));
    assert_eq!(run(&["--raw"], ""), (0, "0 IDs, 0 distinct, 0 repeated\n".into()));
}

#[test]
fn zero_is_counted_like_any_other_id() {
    assert_eq!(run(&[], "0\n"), (0, "1 IDs, 1 distinct, 0 repeated\n".into()));
    assert_eq!(run(&[], "0\n5\n0\n0\n"), (3, "4 IDs, 2 distinct, 1 repeated\n  0 3 times\n".into()));
}

#[test]
fn the_last_line_needs_no_line_break_and_windows_line_breaks_are_read() {
    assert_eq!(run(&[], "7\n8\n7").0, 3);
    assert_eq!(run(&[], "7\r\n8\r\n7\r\n"), (3, "3 IDs, 2 distinct, 1 repeated\n  7 2 times\n".into()));
}

#[test]
fn negative_ids_and_the_limits_of_64_bits_are_distinguished() {
    let (code, text) = run(&[], "-9223372036854775808\n9223372036854775807\n-1\n1\n-1\n-9223372036854775808\n");
    assert_eq!(code, 3);
    assert_eq!(text, "6 IDs, 4 distinct, 2 repeated\n  -9223372036854775808 2 times\n  -1 2 times\n");
}

#[test]
fn every_encoding_is_read_and_shown() {
    for encoding in saiban::Encoding::ALL {
        let (same, other) = (encoding.encode(-232_447_010_193_727_000), encoding.encode(7));
        let (code, text) = run(&["--format", encoding.name()], format!("{same}\n{other}\n{same}\n"));
        assert_eq!((code, text), (3, format!("3 IDs, 2 distinct, 1 repeated\n  {same} 2 times\n")));
    }
}

#[test]
fn texts_of_one_id_count_as_one_id_for_a_lenient_reader() {
    assert_eq!(run(&["--format", "hex", "--lenient"], "ff\n00FF\n").0, 3);
    refused(&["--format", "hex"], "ff\n00FF\n", &["line 2", "not canonical"]);
}

#[test]
fn repeats_are_found_across_runs_that_do_not_fit_the_memory() {
    // 1 MiB holds 131,072 IDs, so there are five runs. The first ID repeats in the last run, and
    // another one next to itself.
    let mut ids = scattered(600_000);
    ids.push(ids[0]);
    ids.insert(300_001, ids[300_000]);
    let (code, text) = run(&["--raw", "--memory", "1MiB"], raw(&ids));
    let mut repeated = [ids[0], ids[300_000]];
    repeated.sort_unstable();
    let [less, more] = repeated;
    assert_eq!(code, 3);
    assert_eq!(text, format!("600002 IDs, 600000 distinct, 2 repeated\n  {less} 2 times\n  {more} 2 times\n"));
}

#[test]
fn more_runs_than_fit_the_memory_are_merged_in_steps() {
    // 1 MiB has room for 32 blocks of 4096 IDs, so 40 runs need two steps.
    let mut ids = scattered(40 * 131_072);
    let count = ids.len();
    assert_eq!(
        run(&["--raw", "--memory", "1MiB"], raw(&ids)),
        (0, format!("{count} IDs, {count} distinct, 0 repeated\n"))
    );
    ids[5_000_000] = ids[17];
    let (code, text) = run(&["--raw", "--memory", "1MiB"], raw(&ids));
    assert_eq!(code, 3);
    assert_eq!(text, format!("{count} IDs, {} distinct, 1 repeated\n  {} 2 times\n", count - 1, ids[17]));
}

#[test]
fn all_repeats_are_counted_where_nearly_all_ids_repeat() {
    let ids: Vec<i64> = (0..400_000).map(|index| (index % 7) * (index % 3)).collect();
    let mut times: HashMap<i64, u64> = HashMap::new();
    ids.iter().for_each(|&id| *times.entry(id).or_default() += 1);
    let (code, text) = run(&["--raw", "--memory", "1MiB", "--json"], raw(&ids));
    let found: Value = serde_json::from_str(&text).expect("a JSON object");
    assert_eq!(code, 3);
    assert_eq!((&found["ids"], &found["distinct"]), (&400_000.into(), &times.len().into()));
    let most = found["most_repeated"].as_array().expect("a list");
    assert_eq!(most.len(), times.len());
    for repeat in most {
        let id = repeat["id"].as_str().expect("text").parse().expect("a number");
        assert_eq!(repeat["times"], times[&id], "{id}");
    }
    let order: Vec<u64> = most.iter().map(|repeat| repeat["times"].as_u64().expect("a number")).collect();
    assert!(order.is_sorted_by(|more, fewer| more >= fewer), "{order:?}");
}

#[test]
fn the_most_repeated_are_shown_and_the_others_counted() {
    let (_, text) = run(&["--show", "2"], "1\n1\n2\n2\n2\n3\n3\n4\n4\n5\n");
    assert_eq!(
        text,
        "10 IDs, 5 distinct, 4 repeated\n  2 3 times\n  1 2 times\n  and 2 more, none of them more often\n"
    );
    assert_eq!(run(&["--show", "0", "--raw"], raw(&[1, 1])).1.lines().count(), 2);
}

#[test]
fn files_are_one_stream_and_a_hyphen_is_stdin() {
    let files = folder();
    let (one, two) = (files.path().join("one"), files.path().join("two"));
    fs::write(&one, "1\n2\n").expect("written");
    fs::write(&two, "3\n4\n").expect("written");
    let (one, two) = (one.to_str().expect("UTF-8"), two.to_str().expect("UTF-8"));
    assert_eq!(run(&[one, two], "").0, 0);
    assert_eq!(run(&[one, one], "").0, 3);
    assert_eq!(run(&[one, "-", two], "5\n2\n"), (3, "6 IDs, 5 distinct, 1 repeated\n  2 2 times\n".into()));
    let name = format!("{one}, line 2");
    refused(&[one, "--format", "binary"], "", &[&name, "'2'"]);
}

#[test]
fn a_bad_line_is_reported_by_its_number_and_never_shown() {
    refused(&[], "1\n2\nx3\n", &["line 3", "position 0", "'x'"]);
    refused(&[], "1\n\n2\n", &["line 2", "characters"]);
    refused(&[], "9223372036854775808\n", &["line 1", "64 bits"]);
    refused(&[], b"1\n\xff\xfe\n".as_slice(), &["line 2", "UTF-8", "--raw"]);
    let secret = "dffd6021bb2bd5b0af676290809ec3a5";
    let message = refused(&[], secret, &["line 1"]);
    assert!(!message.contains(&secret[..4]), "{message}");
}

#[test]
fn an_endless_line_is_refused_before_it_fills_the_memory() {
    let message = refused(&[], "1".repeat(3 << 20), &["line 1", "longer than any ID"]);
    assert!(message.len() < 200, "{message}");
}

#[test]
fn binary_input_that_ends_within_an_id_is_refused() {
    refused(&["--raw"], [0; 12], &["stdin", "8 bytes"]);
    refused(&["--raw"], [0; 7], &["stdin", "8 bytes"]);
}

#[test]
fn a_pipe_may_break_an_id_anywhere() {
    let narrow = [1, 2, 3, 1];
    let wide = narrow.map(|id| [id, 0]).concat();
    for (bits, ids) in [("64", &narrow[..]), ("128", &wide)] {
        let folder = folder();
        let mut child = spawn(&folder, &["--raw", "--bits", bits]);
        let mut stdin = child.stdin.take().expect("a pipe");
        for byte in raw(ids) {
            stdin.write_all(&[byte]).and_then(|()| stdin.flush()).expect("it reads");
        }
        drop(stdin);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(3));
        assert_eq!(String::from_utf8_lossy(&output.stdout), "4 IDs, 3 distinct, 1 repeated\n  1 2 times\n");
    }
}

#[test]
fn invalid_arguments_are_exit_code_2() {
    refused(&["--memory", "1023KiB"], "", &["--memory", "1.0 MiB"]);
    refused(&["--memory", "much"], "", &["much"]);
    refused(&["--format", "base99"], "", &["--format", "base62"]);
    refused(&["--format", "hex", "--raw"], "", &["--raw"]);
    refused(&["--lenient", "--raw"], "", &["--raw"]);
    refused(&["--show", "-1"], "", &["-1"]);
    refused(&["/nonexistent/ids"], "", &["/nonexistent/ids"]);
    refused(&["/"], "", &["/: "]);
}

#[test]
fn memory_that_the_machine_does_not_have_is_exit_code_1() {
    let folder = folder();
    let output = check(&folder, &["--memory", "8EiB"]).write_stdin("1\n").assert().code(1).get_output().clone();
    assert!(String::from_utf8_lossy(&output.stderr).contains("8.0 EiB"), "{output:?}");
}

#[test]
fn a_missing_temporary_folder_is_named_when_it_is_needed() {
    let files = folder();
    let ids = files.path().join("ids");
    fs::write(&ids, raw(&scattered(131_073))).expect("written");
    let mut command = Command::cargo_bin("saiban").expect("the command is built");
    let command = command.args(["check", "--raw", "--memory", "1MiB", "--temp-dir", "/nonexistent/folder"]).arg(&ids);
    let output = command.assert().code(2).get_output().clone();
    assert!(String::from_utf8_lossy(&output.stderr).contains("/nonexistent/folder"), "{output:?}");
    // IDs that fit the memory need no temporary folder.
    fs::write(&ids, raw(&scattered(131_072))).expect("written");
    command.assert().code(0);
}

fn spawn(folder: &TempDir, arguments: &[&str]) -> std::process::Child {
    std::process::Command::new(env!("CARGO_BIN_EXE_saiban"))
        .arg("check")
        .arg("--temp-dir")
        .arg(folder.path())
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts")
}

#[test]
fn the_exit_code_reports_repeats_even_if_the_output_is_not_read() {
    let folder = folder();
    let mut child = spawn(&folder, &["--raw"]);
    drop(child.stdout.take());
    child.stdin.take().expect("a pipe").write_all(&raw(&[1, 1])).expect("it reads");
    assert_eq!(child.wait().expect("it ends").code(), Some(3));
}

#[test]
fn a_bad_line_far_into_the_input_leaves_no_files_behind() {
    let mut text: String = scattered(200_000).iter().map(|id| format!("{id}\n")).collect();
    text += "one too many\n";
    refused(&["--memory", "1MiB"], text, &["line 200001"]);
}

/// Returns how many files a process has open in a folder, including unnamed ones.
#[cfg(target_os = "linux")]
fn open_files(process: u32, folder: &Path) -> usize {
    let open = fs::read_dir(format!("/proc/{process}/fd")).expect("the process runs");
    open.flatten().filter(|file| fs::read_link(file.path()).is_ok_and(|target| target.starts_with(folder))).count()
}

#[cfg(target_os = "linux")]
#[test]
fn a_killed_process_leaves_no_files_behind() {
    for bits in ["64", "128"] {
        let folder = folder();
        let mut child = spawn(&folder, &["--raw", "--bits", bits, "--memory", "1MiB"]);
        let mut stdin = child.stdin.take().expect("a pipe");
        stdin.write_all(&raw(&scattered(700_000))).expect("it reads");
        // The process may not have read its input yet, so the test waits for its file.
        while open_files(child.id(), folder.path()) == 0 {
            std::thread::yield_now();
        }
        child.kill().expect("it runs");
        child.wait().expect("it ends");
        assert!(is_empty(&folder), "something is left in the temporary folder");
    }
}
