//! `saiban counter`, `saiban sql` and `saiban lua`, as used at a terminal.

#![cfg(feature = "lease")]

mod user;

use user::User;

const TWITTER: &str = "unused:1 timestamp:41,epoch=2010-11-04T01:42:54.657Z node:10 sequence:12";

/// Returns arguments for counters in a file of this user.
fn asked<'a>(store: &'a str, words: &[&'a str]) -> Vec<&'a str> {
    [&["counter"], words, &["--store", store]].concat()
}

#[test]
fn a_counter_continues_from_one_command_to_the_next() {
    let user = User::new();
    let store = format!("sqlite://{}", user.path("counters.db").display());
    let stdout = |words: &[&str]| user.stdout(&asked(&store, words));
    let made = stdout(&["init", "--name", "orders", "--start", "2", "--step", "5"]);
    assert_eq!(made, format!("orders is made, in {store}: from 2 by 5, next 2\n"));
    assert_eq!(stdout(&["next", "--name", "orders"]), "2\n");
    assert_eq!(stdout(&["next", "--name", "orders", "-n", "3"]), "7\n12\n17\n");
    assert_eq!(stdout(&["raise", "--name", "orders", "--to", "102"]), "orders: next 102\n");
    assert_eq!(stdout(&["raise", "--name", "orders", "--to", "7"]), "orders: next 102\n");
    let again = stdout(&["init", "--name", "orders", "--start", "2", "--step", "5"]);
    assert!(again.starts_with("orders existed, and is unchanged"), "{again}");
    stdout(&["init", "--name", "continued", "--at", "1001"]);
    assert_eq!(stdout(&["next", "--name", "continued"]), "1001\n");
    let listed = stdout(&["ls"]);
    assert_eq!(
        listed.lines().collect::<Vec<_>>(),
        [
            "NAME                      NEXT  COUNTS",
            "continued                 1002  from 1 by 1",
            "orders                     102  from 2 by 5",
        ]
    );
    let lines: Vec<serde_json::Value> =
        stdout(&["ls", "--json"]).lines().map(|line| line.parse().expect("JSON")).collect();
    assert_eq!(lines[1], serde_json::json!({ "store": store, "name": "orders", "counts": "from 2 by 5", "next": 102 }));
}

#[test]
fn daily_numbers_have_the_date_and_the_format_asked_for() {
    let user = User::new();
    let store = format!("sqlite://{}", user.path("counters.db").display());
    let stdout = |words: &[&str]| user.stdout(&asked(&store, words));
    stdout(&["init", "--name", "invoices", "--daily", "asia/tokyo", "--start", "0"]);
    assert!(stdout(&["ls"]).contains("each day again  daily from 0 in Asia/Tokyo"));
    let numbers = stdout(&["next", "--name", "invoices", "-n", "2", "--format", "INV {date:%Y}.{date:%j}/{n:02}"]);
    let ends: Vec<&str> = numbers.lines().map(|line| &line[line.len() - 3..]).collect();
    assert!(numbers.lines().all(|line| line.starts_with("INV 20")) && ends == ["/00", "/01"], "{numbers}");
    assert_eq!(stdout(&["raise", "--name", "invoices", "--day", "2026-11-21", "--to", "9"]), "invoices: next 9\n");
}

#[test]
fn impossible_requests_are_refused_in_a_line_with_a_remedy() {
    let user = User::new();
    let store = format!("sqlite://{}", user.path("counters.db").display());
    let refused = |code, words: &[&str], expected: &[&str]| user.refused(code, &asked(&store, words), expected);
    refused(2, &["next"], &["has no counter \"default\"", "saiban counter init", "--at"]);
    user.stdout(&asked(&store, &["init", "--name", "five", "--step", "5"]));
    refused(
        2,
        &["init", "--name", "five", "--step", "4"],
        &["counts \"from 1 by 5\"", "\"from 1 by 4\" was asked for"],
    );
    refused(2, &["init", "--name", "five", "--daily", "UTC"], &["daily from 1 in UTC"]);
    // A program that should continue after other numbers must not continue with this one.
    refused(
        2,
        &["init", "--name", "five", "--step", "5", "--at", "101"],
        &["next number is 1", "saiban counter raise --to 101"],
    );
    refused(2, &["next", "--name", "five", "--format", "{date:%F}-{n}"], &["\"five\" is not a daily counter"]);
    refused(2, &["raise", "--name", "five", "--to", "8"], &["cannot begin with 8", "6 or 11"]);
    refused(2, &["raise", "--name", "five", "--to", "11", "--day", "2026-11-21"], &["is not a daily counter"]);
    refused(2, &["init", "--step", "0"], &["step by 0"]);
    refused(2, &["init", "--daily", "Mars/Olympus"], &["\"Mars/Olympus\" is not a time zone"]);
    refused(2, &["raise", "--name", "five", "--to", "11", "--day", "today"], &["\"today\" is not a date"]);
    refused(2, &["next", "-n", "0"], &["0"]);
    user.refused(2, &["counter", "ls"], &["--store", "SAIBAN_STORE"]);
    user.refused(2, &["counter", "next", "--store", "memory:here"], &["one process"]);
    user.refused(2, &["counter", "ls", "--store", "etcd://127.0.0.1:1"], &["sqlite:, postgres:, mysql:, redis:"]);
}

#[test]
fn the_tables_can_be_made_by_hand() {
    let user = User::new();
    for (kind, word) in [("sqlite:x.db", "STRICT"), ("postgres://h/db", "BIGINT"), ("mysql://h/db", "InnoDB")] {
        let sql = user.stdout(&["counter", "init", "--print-sql", "--store", kind]);
        assert!(sql.contains("saiban_counters") && sql.contains("saiban_counter_days") && sql.contains(word), "{kind}");
    }
    user.refused(2, &["counter", "init", "--print-sql", "--store", "redis://h"], &["no tables"]);
}

#[test]
fn scripts_are_printed_for_any_layout_of_time_node_and_sequence() {
    let user = User::new();
    let (sql, lua) = (user.stdout(&["sql", "--node", "5"]), user.stdout(&["lua"]));
    assert!(sql.contains(TWITTER) && lua.contains(TWITTER));
    assert!(sql.contains("FUNCTION saiban_snowflake()") && lua.ends_with("return generate(KEYS, ARGV)\n"));
    assert!(!sql.contains('@') && !lua.contains('@'), "nothing is left of the template");
    let own = "unused:1 timestamp:41@10ms,epoch=2020-02-02 sequence:6 node:16";
    assert!(user.stdout(&["sql", own, "--node", "65535", "--name", "order_id"]).contains(own));
    let library = user.stdout(&["lua", "sonyflake", "--function", "ids"]);
    assert!(
        library.starts_with("#!lua name=ids\n") && library.ends_with("redis.register_function(\"ids\", generate)\n")
    );
    user.refused(2, &["sql"], &["--node"]);
    user.refused(2, &["sql", "--node", "1024"], &["1024", "1023"]);
    user.refused(2, &["sql", "--node", "1", "--name", "Order"], &["small letters"]);
    user.refused(2, &["lua", "ulid-flake"], &["made of time, node and sequence"]);
    // These layouts can be inspected, but not generated.
    for command in [&["lua"][..], &["sql", "--node", "5"]] {
        user.refused(2, &[command, &["mastodon"]].concat(), &["made of time, node and sequence"]);
        user.refused(2, &[command, &["baidu"]].concat(), &["past the layout's last", "choose a later epoch"]);
    }
    // The output promises an order only if there is one: not with the sequence above the time, nor
    // with the time's highest bit as the sign.
    let ordered = "none is smaller than one";
    let others = [
        "unused:1 sequence:12 node:10 timestamp:41,epoch=2020-02-02",
        "timestamp:42,epoch=2020-02-02 node:10 sequence:12",
    ];
    for (layout, is_ordered) in [("twitter", true), (others[0], false), (others[1], false)] {
        assert_eq!(user.stdout(&["lua", layout]).contains(ordered), is_ordered, "{layout}");
        assert_eq!(user.stdout(&["sql", "--node", "5", layout]).contains(ordered), is_ordered, "{layout}");
    }
}
