//! Leases as people and scripts use them: in a SQLite file, without a server.

#![cfg(feature = "lease")]

mod user;

use serde_json::Value;
use std::collections::HashSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Stdio;
use user::{User, signal, until};

#[test]
fn leases_of_a_new_user_are_in_a_default_file_that_messages_name() {
    let user = User::new();
    let file = ".local/share/saiban/leases.db";
    user.refused(2, &["lease", "ls"], &[file, "no namespace \"default\"", "saiban lease init"]);
    assert!(!user.path(".local").exists(), "who only looks makes nothing");
    let printed = user.stdout(&["lease", "init"]);
    assert!(
        printed.starts_with("default is made, in sqlite:///")
            && printed.contains(file)
            && printed.contains("1024 nodes"),
        "{printed}"
    );
    let folder = fs::metadata(user.path(".local/share/saiban")).expect("a folder");
    assert_eq!(folder.permissions().mode() & 0o777, 0o700);
    let mode = fs::metadata(user.path(file)).expect("a file").permissions().mode();
    assert_eq!(format!("{:o}", mode & 0o777), "600", "no other user reads it");
    let data = user.path("data");
    let output = user.saiban(&["lease", "init", "--json"]).env("XDG_DATA_HOME", &data).assert().success();
    let printed: Value = serde_json::from_slice(&output.get_output().stdout).expect("a JSON object");
    assert_eq!(
        (&printed["created"], &printed["nodes"], &printed["max_ttl_s"]),
        (&true.into(), &1024.into(), &3600.into())
    );
    assert!(data.join("saiban/leases.db").exists());
}

#[test]
fn init_creates_a_namespace_once_and_refuses_to_mix_layouts() {
    let user = User::new();
    user.stdout(&["lease", "init", "--max-ttl", "60", "--layout", "discord"]);
    let again: Value =
        serde_json::from_str(&user.stdout(&["lease", "init", "--layout", "discord", "--json"])).expect("a JSON object");
    assert_eq!((&again["created"], &again["max_ttl_s"]), (&false.into(), &60.into()));
    user.refused(2, &["lease", "init"], &["default", "separate namespace"]);
    user.refused(2, &["lease", "acquire", "--", "true"], &["separate namespace"]);
    user.refused(2, &["lease", "acquire", "--layout", "discord", "--", "true"], &["600 s", "at most 60 s"]);
    user.refused(2, &["lease", "init", "--namespace", "a b"], &["\"a b\"", "1 to 64"]);
    user.refused(2, &["lease", "init", "--max-ttl", "0"], &["max_ttl_s is 0"]);
    let tsid = user.stdout(&["lease", "init", "--scheme", "tsid", "--layout", "tsid-256", "--namespace", "tsid"]);
    assert!(tsid.starts_with("tsid is made") && tsid.contains("256 nodes"), "{tsid}");
    user.refused(2, &["lease", "init", "--scheme", "ulid"], &["ulid has no nodes"]);
    user.refused(2, &["lease", "init", "--layout", "mastodon"], &["no node field"]);
    user.refused(2, &["lease", "init", "--scheme", "randflake"], &["--secret-file"]);
}

#[test]
fn init_prints_the_sql_of_the_tables() {
    let user = User::new();
    for store in ["sqlite:leases.db", "postgres://nobody@localhost/app", "mysql://nobody@localhost/app"] {
        let sql = user.stdout(&["lease", "init", "--store", store, "--print-sql"]);
        assert!(sql.contains("CREATE TABLE IF NOT EXISTS saiban_slots"), "{store}: {sql}");
    }
    user.refused(2, &["lease", "init", "--store", "redis://localhost", "--print-sql"], &["redis", "no tables"]);
    assert_eq!(fs::read_dir(user.0.path()).expect("a folder").count(), 0);
}

#[test]
fn a_command_has_its_nodes_in_its_environment_and_they_cool_down_until_its_lease_would_have_ended() {
    let user = User::new();
    let script = "echo $SAIBAN_NODE $SAIBAN_NODES $SAIBAN_SCHEME; echo $SAIBAN_LAYOUT";
    let printed = user.stdout(&["lease", "acquire", "--nodes", "4", "--ttl", "60", "--", "sh", "-c", script]);
    let (first, layout) = printed.trim_end().split_once('\n').expect("two lines");
    let words: Vec<&str> = first.split(' ').collect();
    let node: i64 = words[0].parse().expect("a node");
    assert_eq!((words[1], words[2]), (format!("{node}..{}", node + 4).as_str(), "snowflake"));
    assert_eq!(layout.parse::<String>().expect("text"), saiban::Layout::TWITTER.to_string());
    let listing = user.listing();
    let counts = ["nodes_held", "nodes_free", "nodes_cooling_down"].map(|name| listing[name].as_i64());
    assert_eq!(counts, [0, 1024, 4].map(Some), "{listing}");
    let slots = listing["slots"].as_array().expect("slots");
    let slot = slots.iter().find(|slot| slot["first"] == node && slot["end"] == node + 4).expect("the command's nodes");
    let rest_ms = slot["high_water_ms"].as_i64().expect("a time") - listing["now_ms"].as_i64().expect("a time");
    assert!((1..=60_000).contains(&rest_ms), "{rest_ms}");
    assert_eq!((&slot["held"], &slot["lease_end_ms"]), (&false.into(), &Value::Null));
    let table = user.stdout(&["lease", "ls"]);
    assert!(table.contains("0 held, 1024 free, 4 of them cooling down"), "{table}");
}

#[test]
fn a_store_that_was_deleted_while_a_command_holds_a_lease_is_refused_until_the_lease_ends() {
    let user = User::new();
    let mut holder = user.holder(&["--nodes", "4"]);
    fs::remove_file(user.path(".local/share/saiban/leases.db")).expect("deleted");
    let words = [".local/share/saiban/leases.db", "deleted", "sh holds nodes", "Stop those processes"];
    for arguments in
        [&["lease", "acquire", "--", "true"][..], &["lease", "init"], &["lease", "ls"], &["lease", "quarantine"]]
    {
        user.refused(1, arguments, &words);
    }
    // The holder ends, as the message says.
    signal(holder.id(), "TERM");
    holder.wait().expect("an end");
    user.stdout(&["lease", "init"]);
    user.stdout(&["lease", "acquire", "--", "true"]);
    assert_eq!(user.held().len(), 0);
}

#[test]
fn a_store_that_was_restored_while_a_command_holds_a_lease_grants_no_lease() {
    let user = User::new();
    user.stdout(&["lease", "init", "--max-ttl", "86400"]);
    let file = user.path(".local/share/saiban/leases.db");
    let saved = fs::read(&file).expect("a file");
    // The holder does not renew its lease during this test.
    let mut holder = user.holder(&["--ttl", "86400"]);
    fs::write(&file, saved).expect("restored");
    let acquire = ["lease", "acquire", "--", "true"];
    user.refused(1, &acquire, &["leases of the namespace \"default\"", "a backup", "sh holds node"]);
    let printed = user.stdout(&["lease", "quarantine"]);
    assert!(printed.contains("no lease is granted until"), "{printed}");
    user.refused(1, &acquire, &["No lease is granted for"]);
    signal(holder.id(), "TERM");
    holder.wait().expect("an end");
}

#[test]
fn a_command_whose_lease_was_lost_ends_and_others_begin_after_the_quarantine() {
    let user = User::new();
    user.stdout(&["lease", "init", "--max-ttl", "2"]);
    let file = user.path(".local/share/saiban/leases.db");
    let saved = fs::read(&file).expect("a file");
    let mut holder = user.holder(&["--ttl", "2"]);
    // Replaces the file: the holder may be writing to it, and would write its lease once more.
    let copy = file.with_extension("copy");
    fs::write(&copy, saved).expect("a copy");
    fs::rename(copy, &file).expect("restored");
    user.stdout(&["lease", "quarantine"]);
    let acquire = ["lease", "acquire", "--ttl", "2", "--", "true"];
    until("the quarantine is over", || user.saiban(&acquire).output().expect("an answer").status.success());
    assert_eq!(holder.wait().expect("an end").code(), Some(124));
}

#[test]
fn a_holder_that_waits_prints_when_its_command_begins() {
    let user = User::new();
    let layout = ["--scheme", "flake", "--layout", "timestamp:30@1h node:4 sequence:10"];
    let made = [&["lease", "init", "--max-ttl", "10000"], &layout[..]].concat();
    user.stdout(&made);
    let acquire = [&["lease", "acquire", "--ttl", "7200"], &layout[..], &["--", "true"]].concat();
    // A holder in the last second of an hour prints no such line.
    let printed = std::iter::repeat_with(|| {
        let mut holder = user.process(&acquire).stderr(Stdio::piped()).spawn().expect("a holder");
        let line = BufReader::new(holder.stderr.take().expect("a pipe")).lines().next();
        let _ = holder.kill();
        holder.wait().expect("an end");
        line
    });
    let line = printed.flatten().next().expect("a line").expect("UTF-8");
    assert!(line.contains(":00:00.000Z: the command begins then"), "{line}");
}

#[test]
fn acquire_exits_as_its_command_does() {
    let user = User::new();
    let acquire =
        |command: &[&str]| user.saiban(&[&["lease", "acquire", "--"], command].concat()).assert().get_output().clone();
    let output = acquire(&["sh", "-c", "exit 7"]);
    assert_eq!((output.status.code(), output.stdout, output.stderr), (Some(7), vec![], vec![]));
    assert_eq!(acquire(&["sh", "-c", "kill -9 $$"]).status.code(), Some(137));
    let missing = acquire(&["/nonexistent/program"]);
    assert_eq!(missing.status.code(), Some(127));
    assert!(String::from_utf8_lossy(&missing.stderr).contains("/nonexistent/program"));
    assert_eq!(acquire(&["/"]).status.code(), Some(126));
    user.refused(2, &["lease", "acquire"], &["CMD"]);
    user.refused(2, &["lease", "acquire", "--nodes", "0", "--", "true"], &["0 nodes", "1 to 65536"]);
    user.refused(2, &["lease", "acquire", "--nodes", "2000", "--", "true"], &["2000", "1 to 1024"]);
    user.refused(2, &["lease", "acquire", "--ttl", "0", "--", "true"], &["a second or more"]);
    let hours = ["--scheme", "flake", "--layout", "timestamp:30@1h node:4 sequence:10"];
    let hourly = [&["lease", "acquire", "--ttl", "60"], &hours[..], &["--", "true"]].concat();
    user.refused(2, &hourly, &["60 s", "no whole tick of 3600000 ms", "two ticks or more"]);
    assert_eq!(user.held().len(), 0);
}

#[test]
fn holders_have_different_nodes_and_a_signal_ends_the_command_and_gives_them_back() {
    let user = User::new();
    let mut holders = [user.holder(&["--nodes", "3"]), user.holder(&["--nodes", "3"])];
    let held = user.held();
    let nodes: HashSet<i64> = held
        .iter()
        .flat_map(|slot| slot["first"].as_i64().expect("a node")..slot["end"].as_i64().expect("a node"))
        .collect();
    assert_eq!(nodes.len(), 6, "{held:?}");
    let table = user.stdout(&["lease", "ls"]);
    assert!(table.contains("NODES") && table.contains("6 held, 1018 free"), "{table}");
    for holder in &holders {
        assert!(table.contains(&format!("/{} sh", holder.id())), "{table}");
    }
    for (holder, (name, code)) in holders.iter_mut().zip([("TERM", 143), ("INT", 130)]) {
        signal(holder.id(), name);
        assert_eq!(holder.wait().expect("an end").code(), Some(code));
    }
    assert_eq!(user.held().len(), 0);
}

#[test]
fn the_nodes_of_a_holder_that_was_killed_are_free_when_its_ttl_is_over() {
    let user = User::new();
    let layout = "unused:1 timestamp:41 node:1 sequence:21";
    let nodes = ["--nodes", "2", "--layout", layout];
    let mut holder = user.holder(&[&nodes[..], &["--ttl", "5"]].concat());
    // A stopped holder cannot release the nodes when its command ends, and the command would
    // continue without a lease.
    signal(holder.id(), "STOP");
    user.commands().into_iter().for_each(|command| signal(command, "KILL"));
    holder.kill().expect("killed");
    holder.wait().expect("an end");
    let command = [&["lease", "acquire"], &nodes[..], &["--", "true"]].concat();
    user.refused(1, &command, &["no 2 free nodes"]);
    until("the end of the lease", || user.held().is_empty());
    user.stdout(&command);
}

#[test]
fn a_lease_released_by_hand_ends_its_command_before_its_nodes_are_granted_again() {
    let user = User::new();
    let mut holder = user.holder(&["--ttl", "6"]);
    let slot = user.held().remove(0);
    let node = slot["first"].to_string();
    let unsure = user.refused(2, &["lease", "release", "--node", &node], &["--yes", "still runs"]);
    assert!(unsure.contains(slot["holder"].as_str().expect("a holder")), "{unsure}");
    let end_ms = user.held()[0]["lease_end_ms"].as_i64().expect("a time");
    let printed = user.stdout(&["lease", "release", "--node", &node, "--yes", "--json"]);
    let printed: Value = serde_json::from_str(&printed).expect("a JSON object");
    assert!(printed["free_from_ms"].as_i64().expect("a time") >= end_ms, "{printed}");
    assert_eq!(user.held().len(), 0);
    assert_eq!(holder.wait().expect("an end").code(), Some(124));
    user.refused(2, &["lease", "release", "--node", &node, "--yes"], &["is free"]);
    user.refused(2, &["lease", "release", "--node", "5000"], &["0 to 1023"]);
}

#[test]
fn a_namespace_in_quarantine_grants_nothing() {
    let user = User::new();
    user.refused(2, &["lease", "quarantine", "--namespace", "orders"], &["no namespace \"orders\""]);
    user.stdout(&["lease", "init"]);
    assert!(user.stdout(&["lease", "quarantine"]).contains("no lease is granted until 2"));
    let printed: Value = serde_json::from_str(&user.stdout(&["lease", "quarantine", "--json"])).expect("a JSON object");
    let listing = user.listing();
    assert!(listing["quarantine_until_ms"].as_i64() >= printed["quarantine_until_ms"].as_i64(), "{printed} {listing}");
    assert!(user.stdout(&["lease", "ls"]).contains("in quarantine"));
    user.refused(1, &["lease", "acquire", "--", "true"], &["No lease is granted"]);
}

#[test]
fn new_leases_a_node_while_it_makes_ids() {
    let user = User::new();
    let store = format!("sqlite://{}", user.path("leases.db").display());
    let node = |text: &str| saiban::Layout::TWITTER.split(text.trim().parse().expect("a number")).expect("an ID").node;
    let made: HashSet<String> = (0..4)
        .flat_map(|_| {
            let text = user.stdout(&["new", "snowflake", "--store", &store, "-n", "100"]);
            text.lines().map(str::to_owned).collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(made.len(), 400);
    let listing = user.stdout(&["lease", "ls", "--store", &store, "--json"]);
    let listing: Value = serde_json::from_str(&listing).expect("a JSON object");
    assert_eq!(listing["nodes_held"], 0);
    let was_had = |node: u64| {
        let slots = listing["slots"].as_array().expect("slots").iter();
        slots.filter(|slot| slot["high_water_ms"] != Value::Null).any(|slot| slot["first"] == node)
    };
    assert!(made.iter().all(|id| was_had(node(id))));
    let by_variable =
        |arguments: &[&str]| user.saiban(arguments).env("SAIBAN_STORE", &store).assert().success().get_output().clone();
    assert_eq!(by_variable(&["new", "snowflake"]).stderr, b"");
    let given = String::from_utf8(by_variable(&["new", "snowflake", "--node", "7"]).stdout).expect("UTF-8");
    assert_eq!(node(&given), 7, "who gives a node wants that");
    by_variable(&["new", "ulid"]);
    by_variable(&["new", "ulid-flake"]);
    by_variable(&["new", "ulid-flake", "--scalability", "3"]);
    for scheme in ["ulid-flake", "randflake"] {
        let namespace = ["--namespace", scheme, "--store", &store];
        let made =
            user.saiban(&[&["new", scheme], &namespace[..]].concat()).env("SAIBAN_SECRET", "0".repeat(32)).output();
        let made = made.expect("an answer");
        assert!(made.status.success(), "{made:?}");
    }
    user.refused(2, &["new", "snowflake"], &["needs a node"]);
    user.refused(2, &["new", "snowflake", "--store", &store, "--node", "7"], &["--store", "--node"]);
    user.refused(2, &["new", "ulid", "--store", &store], &["ulid has no nodes"]);
    user.refused(2, &["new", "snowflake", "--layout", "discord", "--store", &store], &["separate namespace"]);
}

#[test]
fn a_password_is_in_no_output() {
    let user = User::new();
    let port = {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        listener.local_addr().expect("an address").port()
    };
    let url = format!("postgres://app:hush-hush@127.0.0.1:{port}/app");
    for arguments in [
        &["lease", "ls", "--store", &url][..],
        &["lease", "init", "--store", &url],
        &["lease", "quarantine", "--store", &url],
        &["lease", "release", "--store", &url, "--node", "1", "--yes"],
        &["lease", "acquire", "--store", &url, "--", "true"],
        &["new", "snowflake", "--store", &url],
    ] {
        let message = user.refused(1, arguments, &["127.0.0.1", "could not be reached"]);
        assert!(!message.contains("hush"), "{message}");
    }
    for arguments in [
        &["lease", "ls", &url][..],
        &["lease", "ls", "--store", &url, &url],
        &["lease", "ls", "--store", "nosql://app:hush-hush@localhost"],
        &["lease", "ls", "--store", "postgres://app:hush-hush@localhost:port"],
    ] {
        let message = user.refused(2, arguments, &[]);
        assert!(!message.contains("hush"), "{message}");
    }
    let holder = user.saiban(&["lease", "ls"]).env("SAIBAN_STORE", &url).output().expect("an answer");
    assert!(!String::from_utf8_lossy(&holder.stderr).contains("hush"));
}

#[test]
fn a_file_that_is_no_store_of_leases_is_refused() {
    let user = User::new();
    let folder = user.0.path().to_str().expect("UTF-8");
    let of = |path: &Path| format!("sqlite://{}", path.display());
    user.refused(1, &["lease", "init", "--store", &format!("sqlite://{folder}")], &["folder"]);
    user.refused(1, &["lease", "init", "--store", &of(&user.path("none/leases.db"))], &["make its folder"]);
    let nowhere = user.path("none");
    let store = of(&nowhere.join("leases.db"));
    for verb in [&["ls"][..], &["quarantine"], &["release", "--node", "1", "--yes"]] {
        let arguments = [&["lease"], verb, &["--store", &store]].concat();
        user.refused(2, &arguments, &[nowhere.to_str().expect("UTF-8"), "create the folder"]);
    }
    let text = user.path("notes.txt");
    fs::write(&text, "not a database, and longer than the header of one ".repeat(40)).expect("written");
    user.refused(1, &["lease", "ls", "--store", &of(&text)], &["notes.txt"]);
}

#[test]
fn a_store_that_no_other_command_sees_is_refused() {
    let user = User::new();
    for arguments in [
        &["lease", "acquire", "--store", "memory:x", "--create", "--", "echo", "it runs"][..],
        &["lease", "init", "--store", "memory:x"],
        &["lease", "ls", "--store", "memory:x"],
        &["lease", "release", "--store", "memory:x", "--node", "1", "--yes"],
        &["lease", "quarantine", "--store", "memory:x"],
        &["new", "snowflake", "--store", "memory:x"],
    ] {
        user.refused(2, arguments, &["memory:x", "one process", "sqlite:///path"]);
    }
}
