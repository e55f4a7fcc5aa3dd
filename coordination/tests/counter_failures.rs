//! Counters when real servers stop, are killed, or are restored to an older copy: prefetched
//! numbers last, then errors explain why, and no number repeats.

mod servers;
mod until;

use saiban::{ErrorKind, Stride};
use saiban_coordination::counter::CounterTerms;
use saiban_coordination::store::{StoreUrl, open};
use saiban_coordination::{CounterOptions, DailyCounter, DailyOptions, SharedCounter};
use servers::Server;
use sqlx::Connection as _;
use std::collections::BTreeSet;
use std::time::Duration;
use until::until;

const BLOCK: u64 = 100;

fn options(name: &str) -> CounterOptions {
    CounterOptions {
        name: name.into(),
        block_size: Some(BLOCK as i64),
        create: Some(true),
        ..CounterOptions::default()
    }
}

fn counter(server: &Server, name: &str, wait_s: i64) -> SharedCounter {
    SharedCounter::open(server.url(), &CounterOptions { wait_s, ..options(name) }).expect("a counter")
}

/// Takes numbers, and checks that none is repeated.
#[derive(Debug, Default)]
struct Taken(BTreeSet<i64>);

impl Taken {
    fn take(&mut self, counter: &SharedCounter, count: u64) {
        for _ in 0..count {
            let number = counter.generate().expect("a number");
            assert!(self.0.insert(number), "{number} came twice");
        }
    }

    fn take_prefetched(&mut self, counter: &SharedCounter) -> u64 {
        let mut count = 0;
        while let Some(number) = counter.try_generate().expect("no error") {
            assert!(self.0.insert(number), "{number} came twice");
            count += 1;
        }
        count
    }
}

/// Takes numbers until the next block is requested, and waits for it.
fn begin(seen: &mut Taken, counter: &SharedCounter) {
    // A server that has just started may take longer than `wait_s` to return the first block.
    for _ in 0..BLOCK / 2 {
        until("a number", || {
            counter.try_generate().is_ok_and(|number| number.is_some_and(|number| seen.0.insert(number)))
        });
    }
    until("the next block is there", || counter.status().expect("a status").prefetched == BLOCK / 2 + BLOCK);
}

fn a_server_that_is_unavailable_for_a_while(kind: &str) {
    let mut server = Server::durable(kind);
    let counter = counter(&server, "away", 1);
    let mut seen = Taken::default();
    for (stop, start) in [("stop", "start"), ("kill", "start")] {
        begin(&mut seen, &counter);
        server.order(stop);
        assert_eq!(seen.take_prefetched(&counter), BLOCK / 2 + BLOCK, "{kind}: prefetched");
        let error = counter.generate().expect_err("none prefetched");
        assert_eq!(error.kind(), ErrorKind::StoreUnavailable, "{kind}: {error}");
        if stop == "stop" {
            // An operator may take this long to start the server again.
            std::thread::sleep(Duration::from_secs(10));
            let error = counter.generate().expect_err("none prefetched");
            assert_eq!(error.kind(), ErrorKind::StoreUnavailable, "{kind}: {error}");
        }
        server.order(start);
        until("numbers again", || {
            counter.try_generate().is_ok_and(|number| number.is_some_and(|number| seen.0.insert(number)))
        });
        // Takes numbers up to the start of a block.
        let rest = counter.status().expect("a status").prefetched % BLOCK;
        seen.take(&counter, rest);
        seen.take_prefetched(&counter);
    }
}

/// Restores the server to an older copy: a process that knew the counter, and a new one, repeat no
/// number.
fn a_server_restored_from_a_backup(kind: &str) {
    let mut server = Server::durable(kind);
    let known = counter(&server, "rewound", 60);
    let mut seen = Taken::default();
    begin(&mut seen, &known);
    server.order("save before");
    seen.take(&known, BLOCK + BLOCK / 2);
    begin(&mut seen, &known);
    server.order("rewind before");
    seen.take_prefetched(&known);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    if kind != "redis" {
        let mut error = None;
        until("the server answers", || {
            error = known.generate().err();
            error.as_ref().is_some_and(|error| error.kind() != ErrorKind::StoreUnavailable)
        });
        let error = error.expect("an error");
        assert_eq!(error.kind(), ErrorKind::CounterBehind, "{kind}: {error}");
        // The message names the last number and the remedy.
        let last = seen.0.last().expect("a number");
        assert!(error.to_string().contains(&format!("{last} was handed out before")), "{last}: {error}");
        let store = open(&StoreUrl::new(server.url()).expect("a URL")).expect("a store");
        let numbers = store.numbers().expect("a store of counters");
        runtime.block_on(numbers.raise("rewound", None, last + 1)).expect("raised");
    }
    // saiban notices that another Redis process replies, and skips the numbers that may be lost.
    until("numbers again", || known.generate().is_ok_and(|number| seen.0.insert(number)));
    seen.take(&known, 3 * BLOCK);
    seen.take(&counter(&server, "rewound", 60), 3 * BLOCK);
}

#[test]
fn postgres() {
    a_server_that_is_unavailable_for_a_while("postgres");
    a_server_restored_from_a_backup("postgres");
}

#[test]
fn mysql() {
    a_server_that_is_unavailable_for_a_while("mysql");
    a_server_restored_from_a_backup("mysql");
}

#[test]
fn redis() {
    a_server_that_is_unavailable_for_a_while("redis");
    a_server_restored_from_a_backup("redis");
}

#[test]
fn a_day_continues_past_the_numbers_that_redis_lost() {
    let mut server = Server::start("redis");
    let options = DailyOptions { create: Some(true), block_size: Some(10), wait_s: 60, ..DailyOptions::default() };
    let daily = |server: &Server| DailyCounter::open(server.url(), &options).expect("daily numbers");
    let mut seen = BTreeSet::new();
    let of_yesterday = daily(&server);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    // The counter was used, but the copy has no number of today.
    let store = open(&StoreUrl::new(server.url()).expect("a URL")).expect("a store");
    let terms = saiban_coordination::counter::CounterTerms::daily("default", 1, "UTC").expect("terms");
    let numbers = store.numbers().expect("a store of counters");
    runtime.block_on(numbers.create_counter(&terms, 1)).expect("a counter");
    let request = saiban_coordination::counter::protocol::Take { count: 50, day: Some(20_000), seen: None };
    runtime.block_on(numbers.take(&terms, &request)).expect("numbers of a day long gone");
    server.order("save before");
    for _ in 0..40 {
        assert!(seen.insert(of_yesterday.generate().expect("a number").text));
    }
    server.order("rewind before");
    let another = daily(&server);
    for _ in 0..40 {
        let number = another.generate().expect("a number");
        assert!(seen.insert(number.text.clone()), "{number} came twice");
    }
}

/// Connects to the Redis server directly.
fn connect(server: &Server) -> redis::Connection {
    redis::Client::open(server.url()).expect("a URL").get_connection().expect("a connection")
}

fn ask(connection: &mut redis::Connection, words: &[&str]) {
    let mut command = redis::cmd(words[0]);
    command.arg(&words[1..]).exec(connection).expect("done");
}

#[test]
fn redis_continues_past_the_first_numbers_after_it_lost_them() {
    let mut server = Server::durable("redis");
    let mut seen = Taken::default();
    let store = open(&StoreUrl::new(server.url()).expect("a URL")).expect("a store");
    let terms = CounterTerms::new("first", Stride::new(3, 5).expect("a stride")).expect("terms");
    let made = store.numbers().expect("a store of counters").create_counter(&terms, 3);
    block_on(made).expect("a counter");
    // The saved copy has no number, and so no rate of use.
    server.order("save before");
    let of_five = CounterOptions { start: 3, step: 5, block_size: Some(5), wait_s: 60, ..options("first") };
    let open = |server: &Server| SharedCounter::open(server.url(), &of_five).expect("a counter");
    seen.take(&open(&server), 5);
    server.order("rewind before");
    let another = open(&server);
    seen.take(&another, 5);
    assert!(seen.0.iter().all(|number| number % 5 == 3));
    assert!(seen.0.last() > Some(&(3 + 5 * 1000)), "{seen:?}");
}

#[test]
fn redis_continues_past_numbers_lost_by_a_master_that_was_a_replica_meanwhile() {
    let [mut servers] = [[Server::start("redis"), Server::start("redis")]];
    let [a, b] = &mut servers;
    let (mut of_a, mut of_b) = (connect(a), connect(b));
    let follow = |connection: &mut redis::Connection, master: &Server| {
        let password = master.url().trim_start_matches("redis://:").split('@').next().expect("a password").to_owned();
        ask(connection, &["CONFIG", "SET", "masterauth", &password]);
        let (host, port) = master.address().split_once(':').expect("host and port");
        ask(connection, &["REPLICAOF", host, port]);
    };
    let is_up = |connection: &mut redis::Connection| {
        let info: String = redis::cmd("INFO").arg("replication").query(connection).expect("an answer");
        info.contains("master_link_status:up")
    };
    let mut seen = Taken::default();
    seen.take(&counter(a, "failover", 60), 10);
    follow(&mut of_b, a);
    until("B follows A", || is_up(&mut of_b));
    ask(&mut of_b, &["REPLICAOF", "NO", "ONE"]);
    // This process does not know the later numbers.
    seen.take(&counter(a, "failover", 60), 10);
    follow(&mut of_a, b);
    until("A follows B", || is_up(&mut of_a));
    ask(&mut of_a, &["REPLICAOF", "NO", "ONE"]);
    seen.take(&counter(a, "failover", 60), 10);
}

#[test]
fn numbers_of_today_that_redis_may_have_lost_are_in_doubt_whatever_day_is_asked_for_first() {
    let mut server = Server::durable("redis");
    let options = DailyOptions { create: Some(true), block_size: Some(10), wait_s: 60, ..DailyOptions::default() };
    let daily = |server: &Server| DailyCounter::open(server.url(), &options).expect("daily numbers");
    let today = saiban_coordination::counter::today("UTC").expect("a day");
    let terms = CounterTerms::daily("default", 1, "UTC").expect("terms");
    let store = open(&StoreUrl::new(server.url()).expect("a URL")).expect("a store");
    let numbers = store.numbers().expect("a store of counters");
    block_on(numbers.create_counter(&terms, 1)).expect("a counter");
    server.order("save before");
    let mut seen = BTreeSet::new();
    let first = daily(&server);
    for _ in 0..10 {
        assert!(seen.insert(first.generate().expect("a number").text));
    }
    // This counter would be the first to request a block.
    drop(first);
    server.order("rewind before");
    until("a day long gone is raised", || block_on(numbers.raise("default", Some(today - 2), 100)).is_ok());
    let another = daily(&server);
    for _ in 0..10 {
        let number = another.generate().expect("a number");
        assert!(Some(&number.text) > seen.last(), "{number} after {:?}", seen.last());
    }
}

#[test]
fn foreign_values_in_redis_are_refused_and_can_be_repaired() {
    let server = Server::start("redis");
    let mut connection = connect(&server);
    let mut seen = Taken::default();
    let before = counter(&server, "edited", 60);
    seen.take(&before, 10);
    let key = "saiban:{edited}:counter";
    for (field, wrong, right) in [
        ("second", "-inf", "1700000000"),
        ("second", "99999999999", "1700000000"),
        ("doubtful_day", "1e9", "20000"),
        ("most_in_second", "nan", "0000000000000000001"),
    ] {
        ask(&mut connection, &["HSET", key, field, wrong, "server", "another", "doubt", "0000000000000000000"]);
        let error = counter(&server, "edited", 60).generate().expect_err("it is not saiban's");
        assert_eq!(error.kind(), ErrorKind::StoreCorrupt, "{field}: {error}");
        assert!(error.to_string().contains("counter raise") && !error.to_string().contains("lease"), "{error}");
        ask(&mut connection, &["HSET", key, field, right]);
    }
    // The server's clock is behind, so the length of its outage is unknown.
    ask(&mut connection, &["HSET", key, "second", "4000000000", "server", "another"]);
    until("numbers", || counter(&server, "edited", 60).generate().is_ok_and(|number| seen.0.insert(number)));
    assert!(seen.0.last() > Some(&(100 * 3_600)), "{seen:?}");
}

#[test]
fn numbers_outside_the_counters_steps_are_not_handed_out() {
    const CHANGE: &str = "UPDATE saiban_counters SET next = 103";
    let of_five = CounterOptions { step: 5, block_size: Some(1), ..options("edited") };
    for kind in ["postgres", "mysql", "redis"] {
        let server = Server::start(kind);
        let known = SharedCounter::open(server.url(), &of_five).expect("a counter");
        assert_eq!((known.generate(), known.generate()), (Ok(1), Ok(6)), "{kind}");
        match kind {
            "redis" => ask(&mut connect(&server), &["HSET", "saiban:{edited}:counter", "next", "0000000000000000103"]),
            "mysql" => block_on(async {
                let mut connection = sqlx::mysql::MySqlConnection::connect(server.url()).await.expect("a connection");
                sqlx::raw_sql(CHANGE).execute(&mut connection).await.expect("changed");
            }),
            _ => block_on(async {
                let mut connection = sqlx::postgres::PgConnection::connect(server.url()).await.expect("a connection");
                sqlx::raw_sql(CHANGE).execute(&mut connection).await.expect("changed");
            }),
        };
        let new = SharedCounter::open(server.url(), &of_five).expect("a counter");
        for counter in [&known, &new] {
            let error = counter.generate().expect_err("103 is none of its numbers");
            assert_eq!(error.kind(), ErrorKind::StoreCorrupt, "{kind}: {error}");
            assert!(error.to_string().contains("not one of its numbers (from 1 by 5)"), "{error}");
        }
        // The error message names this remedy.
        let store = open(&StoreUrl::new(server.url()).expect("a URL")).expect("a store");
        let numbers = store.numbers().expect("a store of counters");
        assert_eq!(block_on(numbers.raise("edited", None, 1001)).expect("raised").next, 1001, "{kind}");
        assert_eq!((known.generate(), new.generate()), (Ok(1001), Ok(1006)), "{kind}");
    }
}

#[test]
fn a_mysql_server_without_autocommit_keeps_the_numbers_that_it_hands_out() {
    for setting in ["autocommit = 0", "completion_type = 1"] {
        let server = Server::start("mysql");
        block_on(async {
            let mut connection = sqlx::mysql::MySqlConnection::connect(server.url()).await.expect("a connection");
            let sql = sqlx::AssertSqlSafe(format!("SET GLOBAL {setting}"));
            sqlx::raw_sql(sql).execute(&mut connection).await.expect("set");
        });
        let one_at_a_time = CounterOptions { block_size: Some(1), wait_s: 60, ..options("by-hand") };
        let mut seen = Taken::default();
        for _ in 0..3 {
            // An uncommitted change is lost with its connection.
            let counter = SharedCounter::open(server.url(), &one_at_a_time).expect("a counter");
            seen.take(&counter, 5);
            drop(counter);
            block_on(async {
                let mut connection = sqlx::mysql::MySqlConnection::connect(server.url()).await.expect("a connection");
                // The list is mostly empty: the counter's thread closes its connections as it ends.
                let others = "SELECT CAST(id AS SIGNED) FROM information_schema.processlist \
                              WHERE id <> connection_id() AND user = 'saiban'";
                let others: Vec<i64> = sqlx::query_scalar(others).fetch_all(&mut connection).await.expect("a list");
                for id in others {
                    let _ = sqlx::raw_sql(sqlx::AssertSqlSafe(format!("KILL {id}"))).execute(&mut connection).await;
                }
            });
        }
    }
}

fn block_on<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime").block_on(work)
}
