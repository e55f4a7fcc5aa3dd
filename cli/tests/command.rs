//! The command, as people and scripts use it.

use assert_cmd::Command;
use saiban::Layout;
use serde_json::Value;
use std::collections::HashSet;

fn saiban(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("saiban").expect("the command is built");
    command.env_remove("SAIBAN_SECRET").args(arguments);
    command
}

fn stdout(arguments: &[&str]) -> String {
    let output = saiban(arguments).assert().success().get_output().clone();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    String::from_utf8(output.stdout).expect("output is UTF-8")
}

/// Checks bad input: exit code 2, one line on stderr with these words, nothing on stdout.
fn refused(arguments: &[&str], words: &[&str]) -> String {
    let output = saiban(arguments).assert().code(2).get_output().clone();
    let message = String::from_utf8(output.stderr).expect("messages are UTF-8");
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(words.iter().all(|word| message.contains(word)), "{message:?} lacks one of {words:?}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    message
}

const SECRET: &str = "dffd6021bb2bd5b0af676290809ec3a5";

/// Writes a file that only its owner can read; other modes cause warnings.
fn write_secret(path: &std::path::Path, text: &str) {
    std::fs::write(path, text).expect("written");
    #[cfg(unix)]
    std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o600)).expect("a mode");
}

#[test]
fn new_makes_as_many_distinct_ids_as_asked_for() {
    for scheme in [&["snowflake", "--node", "7"][..], &["ulid-flake"], &["ulid-flake", "--scalability", "31"]] {
        let text = stdout(&[&["new"], scheme, &["-n", "5000"]].concat());
        assert_eq!(text.lines().collect::<HashSet<_>>().len(), 5000);
    }
}

#[test]
fn new_writes_the_encoding_asked_for_and_inspect_reads_it_back() {
    let line = stdout(&["new", "snowflake", "--node", "7", "--json"]);
    let made: Value = serde_json::from_str(&line).expect("a JSON object");
    let id = made["id"].as_str().expect("IDs are text in JSON");
    let found: Value = serde_json::from_str(&stdout(&["inspect", id, "--json"])).expect("a JSON object");
    assert_eq!(found["candidates"][0]["layout"], "twitter");
    assert_eq!(found["candidates"][0]["node"], 7);
    assert_eq!(stdout(&["new", "snowflake", "--node", "7", "--format", "crockford"]).trim_end().len(), 13);
}

#[test]
fn consecutive_runs_repeat_no_id() {
    let made = |arguments: &[&str]| {
        let output = saiban(arguments).env("SAIBAN_SECRET", SECRET).assert().success();
        String::from_utf8_lossy(&output.get_output().stdout).into_owned()
    };
    for scheme in [&["snowflake", "--layout", "sonyflake"][..], &["snowflake"], &["randflake"]] {
        let arguments = [&["new"], scheme, &["--node", "7"]].concat();
        let all: HashSet<String> = (0..4).map(|_| made(&arguments)).collect();
        assert_eq!(all.len(), 4, "{scheme:?}: {all:?}");
    }
}

#[test]
fn concurrent_commands_with_one_node_repeat_nothing() {
    const EACH: usize = 50_000;
    let count = EACH.to_string();
    let arguments = ["new", "snowflake", "--node", "9", "-n", &count];
    let made = std::thread::scope(|threads| {
        let commands: Vec<_> = (0..4).map(|_| threads.spawn(|| stdout(&arguments))).collect();
        commands.into_iter().map(|command| command.join().expect("IDs")).collect::<String>()
    });
    assert_eq!(made.lines().collect::<HashSet<_>>().len(), 4 * EACH);
}

#[test]
fn the_scope_is_chosen_by_name() {
    for scheme in [&["snowflake", "--node", "10"][..], &["ulid-flake", "--scalability", "10"]] {
        for scope in ["process", "machine"] {
            assert_eq!(stdout(&[&["new"], scheme, &["--scope", scope, "-n", "3"]].concat()).lines().count(), 3);
        }
    }
    refused(&["new", "snowflake", "--node", "1", "--scope", "x"], &["x", "process or machine"]);
    refused(&["new", "uuid", "--scope", "machine"], &["uuid-v7 has no --scope", "snowflake's"]);
    let wide = ["new", "flake", "--layout", "timestamp:48 node:16 sequence:64", "--node", "1", "--scope"];
    refused(&[&wide[..], &["machine"]].concat(), &["machine", "63 bits"]);
    assert_eq!(stdout(&[&wide[..], &["process"]].concat()).lines().count(), 1);
}

#[test]
fn new_begins_after_the_last_id_known_to_be_used() {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("after 1970");
    let used_ms = i64::try_from(now.as_millis()).expect("a time of today") + 500;
    let id = stdout(&["new", "snowflake", "--node", "7", "--not-before", &used_ms.to_string()]);
    let found = Layout::TWITTER.split(id.trim_end().parse().expect("a number")).expect("an ID");
    assert!(Layout::TWITTER.tick_start_ms(found.tick) > used_ms);
    let long_ms = used_ms + 3_600_000;
    // A later attempt can succeed, so the exit code is 1.
    let output = saiban(&["new", "snowflake", "--node", "7", "--not-before", &long_ms.to_string()]).assert().code(1);
    let message = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    for words in ["IDs may begin at", "allowed is 3000 ms", "try again", "allow a longer wait (max_wait)"] {
        assert!(message.contains(words), "{message}");
    }
}

#[test]
fn new_counts_rollbacks_in_the_bits_asked_for() {
    let layout = Layout::TWITTER.with_rollback_bits(2).expect("Twitter's node has bits to give");
    let text = stdout(&["new", "snowflake", "--node", "255", "--rollback-bits", "2", "-n", "5000"]);
    assert_eq!(text.lines().collect::<HashSet<_>>().len(), 5000);
    for line in text.lines() {
        let found = layout.split(line.parse().expect("a number")).expect("an ID");
        assert_eq!((found.node, found.rollback), (255, 0));
    }
    assert_eq!(stdout(&["new", "snowflake", "--node", "7", "--rollback", "error", "-n", "3"]).lines().count(), 3);
}

#[test]
fn new_records_used_ticks_in_a_state_file() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("state");
    let path = path.to_str().expect("UTF-8");
    let made = || stdout(&["new", "snowflake", "--node", "7", "--state", path]).trim_end().parse::<i64>();
    let ids: Vec<i64> = (0..4).map(|_| made().expect("a number")).collect();
    assert!(ids.is_sorted_by(|before, after| before < after), "{ids:?}");
    // A future ID was used; the file remembers it without --not-before.
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("after 1970");
    let used_ms = i64::try_from(now.as_millis()).expect("a time of today") + 1000;
    let arguments = ["new", "snowflake", "--node", "7", "--state", path, "--not-before", &used_ms.to_string()];
    let future = stdout(&arguments).trim_end().parse::<i64>().expect("a number");
    assert!(made().expect("a number") > future);
    refused(&["new", "snowflake", "--node", "8", "--state", path], &["state", "nodes"]);
    refused(&["new", "ulid-flake", "--state", path], &["state", "scheme"]);
    refused(&["new", "snowflake", "--node", "7", "--state", "/nonexistent/state"], &["/nonexistent/state"]);
}

#[test]
fn new_writes_to_a_file() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("ids");
    assert_eq!(stdout(&["new", "ulid-flake", "-n", "3", "-o", path.to_str().expect("UTF-8")]), "");
    assert_eq!(std::fs::read_to_string(path).expect("the file is there").lines().count(), 3);
}

#[test]
fn an_output_file_keeps_its_content_if_no_id_can_be_made() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("ids");
    std::fs::write(&path, "kept").expect("a file");
    let path_text = path.to_str().expect("UTF-8");
    let days = ["new", "flake", "--layout", "timestamp:20@d sequence:20", "--max-wait-ms", "0", "-o", path_text];
    assert!(!saiban(&days).assert().code(1).get_output().stderr.is_empty());
    assert_eq!(std::fs::read_to_string(&path).expect("the file is there"), "kept");
    assert_eq!(stdout(&["new", "ulid-flake", "-n", "2500", "-o", path_text]), "");
    let written = std::fs::read_to_string(&path).expect("the file is there");
    assert_eq!(written.lines().collect::<HashSet<_>>().len(), 2500);
    assert_eq!(stdout(&["new", "ulid-flake", "-n", "0", "-o", path_text]), "");
    assert_eq!(std::fs::read_to_string(&path).expect("the file is there"), "");
}

#[test]
fn the_secret_comes_from_a_file_or_the_environment() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("secret");
    let path = path.to_str().expect("UTF-8");
    assert_eq!(stdout(&["secret", "-o", path]), "");
    let id = stdout(&["new", "randflake", "--node", "42", "--secret-file", path]);
    let line = stdout(&["inspect", id.trim_end(), "--scheme", "randflake", "--secret-file", path, "--json"]);
    let found: Value = serde_json::from_str(&line).expect("a JSON object");
    assert_eq!(found["candidates"][0]["node"], 42);

    let output = saiban(&["inspect", "3vgoe12ccb8gh"]).env("SAIBAN_SECRET", SECRET).assert().success();
    let text = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
    assert!(text.contains("2024-12-09T01:04:57.000Z") && text.contains("node 42"), "{text}");
}

#[test]
fn inspect_shows_which_of_several_secrets_fits() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        write_secret(&path, text);
        path.to_str().expect("UTF-8").to_owned()
    };
    let (new, old) = (file("new", "00000000000000000000000000000000"), file("old", SECRET));
    let arguments = ["inspect", "3vgoe12ccb8gh", "--secret-file", &new, "--secret-file", &old];
    let found: Value = serde_json::from_str(&stdout(&[&arguments[..], &["--json"]].concat())).expect("a JSON object");
    let candidates = found["candidates"].as_array().expect("candidates");
    let fits = candidates.iter().find(|parts| parts["secret_index"] == 1).expect("one under the old secret");
    assert_eq!((&fits["node"], &fits["timestamp_ms"]), (&42.into(), &1_733_706_297_000_i64.into()));
    assert!(candidates.iter().any(|parts| parts["secret_index"] == 0), "{candidates:?}");
    let text = stdout(&arguments);
    assert!(text.contains("node 42  sequence 1  secret_index 1"), "{text}");
    // With one secret there is no secret index.
    let text = stdout(&["inspect", "3vgoe12ccb8gh", "--secret-file", &old]);
    assert!(text.contains("node 42") && !text.contains("secret_index"), "{text}");
    let nine = ["--secret-file", &old].repeat(9);
    refused(&[&["inspect", "3vgoe12ccb8gh"], &nine[..]].concat(), &["at most 8"]);
}

#[cfg(unix)]
#[test]
fn a_secret_file_is_private_and_never_overwritten() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("secret");
    stdout(&["secret", "-o", path.to_str().expect("UTF-8")]);
    let before = std::fs::read_to_string(&path).expect("the file is there");
    assert_eq!(before.trim_end().len(), 32);
    assert_eq!(std::fs::metadata(&path).expect("the file is there").permissions().mode() & 0o777, 0o600);
    refused(&["secret", "-o", path.to_str().expect("UTF-8")], &["secret: "]);
    assert_eq!(std::fs::read_to_string(&path).expect("the file is there"), before);
}

#[test]
fn messages_never_hold_the_secret() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("secret");
    write_secret(&path, &format!("{SECRET}ff"));
    let message =
        refused(&["new", "randflake", "--node", "1", "--secret-file", path.to_str().expect("UTF-8")], &["32"]);
    assert!(!message.contains(&SECRET[..8]), "{message}");
}

#[test]
fn inspect_shows_the_published_ids() {
    let text = stdout(&["inspect", "00CMXB6TAK4SA", "--scheme", "ulid-flake"]);
    assert!(text.contains("2024-06-06T06:06:06.666Z") && text.contains("random 627498"), "{text}");
    let text = stdout(&["inspect", "175928847299117063"]);
    assert!(text.contains("snowflake (discord)      2016-04-30T11:18:25.796Z"), "{text}");
    let text = stdout(&["inspect", "-232447010193727000", "fphhelk04q8f8"]);
    assert!(text.contains("with its secret only"), "{text}");
}

#[test]
fn convert_reads_arguments_and_lines() {
    assert_eq!(stdout(&["convert", "--from", "decimal", "--to", "hex", "255", "-1"]), "ff\nffffffffffffffff\n");
    assert_eq!(stdout(&["convert", "--from", "decimal", "--to", "hex", "--width", "4", "255"]), "00ff\n");
    assert_eq!(stdout(&["convert", "--from", "hex", "--from-width", "4", "--to", "decimal", "00ff"]), "255\n");
    assert_eq!(stdout(&["convert", "--from", "hex", "--to", "decimal", "--lenient", "00FF"]), "255\n");
    let output = saiban(&["convert", "--from", "crockford", "--to", "decimal"])
        .write_stdin("00CMXB6TAK4SA\n0000000000001\n")
        .assert()
        .success();
    assert_eq!(String::from_utf8_lossy(&output.get_output().stdout), "14246757444195114\n1\n");
}

#[test]
fn convert_writes_every_id_before_a_bad_line() {
    let output = saiban(&["convert", "--from", "hex", "--to", "decimal"]).write_stdin("ff\n1x\n10\n").assert().code(2);
    assert_eq!(String::from_utf8_lossy(&output.get_output().stdout), "255\n");
    let message = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(message.contains("line 2: \"1x\"") && message.contains("position 1"), "{message}");
    // An error shows only the beginning of a long text.
    let output = saiban(&["convert", "--from", "hex", "--to", "decimal"]).write_stdin("f".repeat(1_000_000)).assert();
    let output = output.code(2).get_output().clone();
    assert!(output.stderr.len() < 300, "{} bytes", output.stderr.len());
}

#[test]
fn bad_input_is_one_line_and_exit_code_2() {
    refused(&[], &["new, inspect, convert, layout, range, secret"]);
    refused(&["frobnicate"], &["frobnicate"]);
    refused(&["new"], &["SCHEME"]);
    refused(&["new", "nonsense"], &["nonsense", "snowflake, randflake, ulid-flake"]);
    refused(&["new", "snowflake"], &["node", "0 to 1023"]);
    refused(&["new", "snowflake", "--node", "1024"], &["1024", "0 to 1023"]);
    refused(&["new", "snowflake", "--node", "-1"], &["-1", "0 to 1023"]);
    refused(&["new", "snowflake", "--node", "1", "--layout", "x"], &["twitter"]);
    refused(&["new", "snowflake", "--node", "1", "-f", "base99"], &["base62"]);
    refused(&["new", "snowflake", "--node", "1", "-n", "many"], &["many"]);
    refused(&["new", "randflake", "--node", "1"], &["--secret-file", "SAIBAN_SECRET"]);
    refused(&["new", "randflake", "--node", "1", "--secret-file", "/nonexistent/secret"], &["/nonexistent/secret"]);
    refused(&["new", "ulid-flake", "--scalability", "32"], &["32", "0 to 31"]);
    refused(&["new", "ulid-flake", "--entropy-size", "4"], &["4", "1 to 3"]);
    refused(&["new", "ulid-flake", "--node", "1"], &["scalability"]);
    refused(&["new", "snowflake", "--node", "1", "--scalability", "3"], &["snowflake has no --scalability"]);
    refused(&["new", "snowflake", "--node", "1", "--entropy-size", "1"], &["snowflake has no --entropy-size"]);
    refused(&["new", "ulid-flake", "--secret-file", "/nonexistent"], &["ulid-flake has no --secret-file"]);
    refused(&["new", "randflake", "--node", "1", "--layout", "twitter"], &["randflake has no --layout"]);
    refused(&["new", "randflake", "--node", "1", "--secret-file", "/"], &["/: "]);
    refused(&["new", "snowflake", "--node", "1", "--rollback", "x"], &["x", "hold, error or bits"]);
    refused(&["new", "snowflake", "--node", "1", "--rollback", "bits"], &["rollback field", "--rollback-bits 2"]);
    refused(&["new", "uuid", "--rollback", "bits"], &["uuid-v7 has no --rollback bits", "snowflake's and flake's"]);
    refused(&["new", "snowflake", "--node", "1", "--rollback-bits", "5"], &["1 to 4"]);
    for bits in ["-1", "99999999999"] {
        refused(&["new", "snowflake", "--node", "1", "--rollback-bits", bits], &["rollback field", bits, "1 to 4"]);
    }
    refused(&["new", "snowflake", "--node", "256", "--rollback-bits", "2"], &["256", "0 to 255"]);
    refused(&["new", "ulid-flake", "--rollback-bits", "2"], &["ulid-flake has no --rollback-bits"]);
    refused(&["new", "snowflake", "--node", "1", "--not-before", "9223372036854775807"], &["window"]);
    refused(&["inspect", "1", "--secret-file", "/nonexistent/secret"], &["/nonexistent/secret"]);
    refused(&["inspect"], &["ID"]);
    refused(&["inspect", "!"], &["!"]);
    refused(&["inspect", ""], &["characters"]);
    // Text of base64url may begin like an option.
    refused(&["inspect", "-WQ5QeXzEfGGY3XAcSp4OA"], &["unexpected argument", "tip:", "'-- -W'"]);
    refused(&["convert", "--from", "base64url", "--to", "hex", "-WQ5QeXzEfG"], &["unexpected argument", "'-- -W'"]);
    refused(&["convert", "--from", "hex"], &["--to"]);
    refused(&["convert", "--from", "hex", "--to", "x", "1"], &["--to", "base62"]);
    refused(&["convert", "--from", "hex", "--to", "decimal", "10000000000000000"], &["1 to 16"]);
    refused(&["convert", "--from", "decimal", "--to", "hex", "9223372036854775808"], &["64 bits"]);
    refused(&["convert", "--from", "decimal", "--to", "hex", "--width", "17", "1"], &["17", "1 to 16"]);
    refused(&["convert", "--from", "decimal", "--to", "hex", "--width", "1", "255"], &["2 characters"]);
}

#[test]
fn help_and_version_go_to_stdout() {
    assert!(stdout(&["--help"]).contains("inspect"));
    assert!(stdout(&["new", "--help"]).contains("--secret-file"));
    let range = stdout(&["range", "--help"]).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(range.contains("within a millisecond it is rounded down") && range.contains("rounded up"), "{range}");
    assert_eq!(stdout(&["--version"]), format!("saiban {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn a_reader_that_closes_the_pipe_is_no_error() {
    use std::io::Read;
    use std::process::Stdio;
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_saiban"))
        .args(["new", "ulid-flake", "-n", "100000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut first = [0; 13];
    child.stdout.take().expect("a pipe").read_exact(&mut first).expect("an ID");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}

/// Returns whether a command's result is its exit code or effect, and stdout only a report.
#[cfg(unix)]
fn is_report(line: &str) -> bool {
    let commands = ["check ", "lease quarantine ", "counter init ", "counter raise ", "serve --check "];
    commands.iter().any(|command| line.starts_with(command))
        || line.starts_with("lease init ") && !line.contains("--print-sql")
}

/// Every command that writes to stdout, with its arguments; `STORE` is replaced by a store of this
/// test.
#[cfg(unix)]
const WRITERS: &[&str] = &[
    "--help",
    "--version",
    "new --help",
    "new ulid",
    "new snowflake --node 7 -n 100000",
    "new snowflake --node 7 --json",
    "inspect 017f22e2-79b0-7cc3-98c4-dc0c0c07398f",
    "inspect 017f22e2-79b0-7cc3-98c4-dc0c0c07398f --json",
    "convert --from decimal --to crockford 14246757444195114",
    "layout discord",
    "layout discord --json",
    "layout --list",
    "range uuid-v7 --from 2025-01-01 --to 2025-02-01",
    "secret",
    "check /dev/null",
    "check /dev/null --json",
    "plot IDS",
    "sql --node 5",
    "lua",
    #[cfg(feature = "lease")]
    "lease init --store STORE --namespace shop --scheme snowflake",
    #[cfg(feature = "lease")]
    "lease init --store STORE --namespace shop --scheme snowflake --print-sql",
    #[cfg(feature = "lease")]
    "lease ls --store STORE --namespace shop",
    #[cfg(feature = "lease")]
    "lease ls --store STORE --namespace shop --json",
    #[cfg(feature = "lease")]
    "lease quarantine --store STORE --namespace shop",
    #[cfg(feature = "lease")]
    "counter init --store STORE",
    #[cfg(feature = "lease")]
    "counter next --store STORE",
    #[cfg(feature = "lease")]
    "counter raise --store STORE --to 100",
    #[cfg(feature = "lease")]
    "counter ls --store STORE",
    #[cfg(feature = "serve")]
    "serve --check --store STORE",
];

#[cfg(unix)]
#[test]
fn output_that_cannot_be_written_is_an_error_of_every_command() {
    let folder = tempfile::tempdir().expect("a folder");
    let ids = folder.path().join("ids");
    std::fs::write(&ids, "1\n2\n3\n").expect("a file");
    let store = format!("sqlite:{}", folder.path().join("store.db").display());
    // The commands run in the order of their use of the store; `secret -o` writes nothing to
    // stdout.
    for (redirection, code) in [(">/dev/null", 0), (">&-", 1), ("1<>/dev/null", 1), (">/dev/full", 1)] {
        for line in WRITERS {
            let word = |word: &str| word.replace("STORE", &store).replace("IDS", &ids.display().to_string());
            let words: Vec<_> = line.split(' ').map(word).collect();
            let output = in_shell(&words, redirection);
            let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
            // Rust's runtime treats both redirections as success, which is fine for a report.
            let code = if is_report(line) && [">&-", "1<>/dev/null"].contains(&redirection) { 0 } else { code };
            assert_eq!(output.status.code(), Some(code), "{line} {redirection}: {stderr}");
            if code == 1 {
                assert_eq!(stderr.lines().count(), 1, "{line} {redirection}: {stderr}");
                assert!(stderr.starts_with("saiban: stdout: "), "{line} {redirection}: {stderr}");
            }
        }
        let made = folder.path().join("secret");
        let words = ["secret", "-o", &made.display().to_string()].map(str::to_owned);
        assert!(in_shell(&words, redirection).status.success(), "secret -o FILE {redirection}");
        std::fs::remove_file(made).expect("a secret");
    }
}

/// Runs the command in a shell, with this redirection of stdout.
#[cfg(unix)]
fn in_shell(words: &[String], redirection: &str) -> std::process::Output {
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", &format!("exec \"$0\" \"$@\" {redirection}"), env!("CARGO_BIN_EXE_saiban")]).args(words);
    shell.env_remove("SAIBAN_SECRET").env_remove("SAIBAN_STORE").output().expect("a shell")
}

#[cfg(unix)]
#[test]
fn a_secret_file_that_others_can_read_causes_a_warning() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("secret");
    std::fs::write(&file, SECRET).expect("a file");
    let shown = file.display().to_string();
    for (mode, is_exposed) in [(0o600, false), (0o400, false), (0o644, true), (0o604, true), (0o660, true)] {
        std::fs::set_permissions(&file, PermissionsExt::from_mode(mode)).expect("a mode");
        for command in [&["new", "randflake", "--node", "42", "-n", "3"][..], &["inspect", "4594531474933654033"]] {
            let output =
                saiban(&[command, &["--secret-file", &shown]].concat()).assert().success().get_output().clone();
            let stderr = String::from_utf8(output.stderr).expect("text");
            assert!(!stderr.contains(SECRET), "{stderr}");
            if !is_exposed {
                assert_eq!(stderr, "", "{mode:o}");
                continue;
            }
            assert_eq!(stderr.lines().count(), 1, "once: {stderr}");
            // The group may read root's files.
            let is_roots = std::fs::metadata(&file).is_ok_and(|file| std::os::unix::fs::MetadataExt::uid(&file) == 0);
            let private = mode & if is_roots { !0o037 } else { !0o077 };
            for words in ["saiban: warning: ", &format!("(mode {mode:04o})"), &format!("chmod {private:o} {shown}")] {
                assert!(stderr.contains(words), "{words}: {stderr}");
            }
        }
    }
}

#[test]
fn an_unknown_subcommand_is_answered_with_the_command_that_is_meant() {
    for (word, meant) in [
        ("generate", "did you mean saiban new?"),
        ("uuid7", "did you mean saiban new uuid-v7?"),
        ("snowflake", "did you mean saiban new snowflake?"),
        ("decode", "did you mean saiban inspect?"),
        ("inspekt", "similar subcommand exists: 'inspect'"),
    ] {
        refused(&[word], &[&format!("unrecognized subcommand '{word}'"), meant, "(see: saiban --help)"]);
    }
    let message = refused(&["weather"], &["unrecognized subcommand 'weather'"]);
    assert!(!message.contains("mean") && !message.contains("similar"), "{message}");
    // Only the first word is a subcommand of saiban.
    let message = refused(&["lease", "create"], &["unrecognized subcommand 'create'"]);
    assert!(!message.contains("saiban new"), "{message}");
    refused(&["new", "snowflake", "--nod", "7"], &["'--nod'", "'--node'"]);
}

#[test]
fn completions_have_every_subcommand() {
    for shell in ["bash", "zsh", "fish"] {
        let script = stdout(&["completions", shell]);
        for word in ["inspect", "convert", "completions", "acquire", "max-wait-ms"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    refused(&["completions", "tcsh"], &["'tcsh'", "bash, zsh, fish"]);
}

#[test]
fn bash_reads_its_completions() {
    let script = format!(
        "{}\nCOMP_WORDS=(saiban ins); COMP_CWORD=1; _saiban saiban ins saiban; echo ${{COMPREPLY[@]}}",
        stdout(&["completions", "bash"])
    );
    let output = Command::new("bash").args(["--norc", "-c", &script]).assert().success().get_output().clone();
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "inspect", "{output:?}");
}

#[test]
fn manual_pages_describe_the_command_and_its_subcommands() {
    let page = stdout(&["man"]);
    assert!(page.contains(".TH saiban 1") && page.contains("saiban\\-inspect(1)"), "{page}");
    let page = stdout(&["man", "lease", "acquire"]);
    assert!(page.contains("saiban\\-lease\\-acquire") && page.contains("\\-\\-store"), "{page}");
    refused(&["man", "lease", "weather"], &["saiban lease has no subcommand \"weather\""]);
}
