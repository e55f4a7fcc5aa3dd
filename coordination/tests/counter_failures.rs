//! Counters when real servers stop, are killed, or are put back to an older copy: what is in hand goes on, then errors say why, and no number
//! comes twice.

mod servers;
mod until;

use saiban::ErrorKind;
use saiban_coordination::store::{StoreUrl, open};
use saiban_coordination::{CounterOptions, DailyCounter, DailyOptions, SharedCounter};
use servers::Server;
use std::collections::BTreeSet;
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

/// Numbers that were handed out, none of them twice.
#[derive(Default)]
struct Seen(BTreeSet<i64>);

impl Seen {
    fn take(&mut self, counter: &SharedCounter, count: u64) {
        for _ in 0..count {
            let number = counter.generate().expect("a number");
            assert!(self.0.insert(number), "{number} came twice");
        }
    }

    fn take_what_is_in_hand(&mut self, counter: &SharedCounter) -> u64 {
        let mut count = 0;
        while let Some(number) = counter.try_generate().expect("no error") {
            assert!(self.0.insert(number), "{number} came twice");
            count += 1;
        }
        count
    }
}

/// Takes some, so that the next block is on its way, and waits for it.
fn begin(seen: &mut Seen, counter: &SharedCounter) {
    seen.take(counter, BLOCK / 2);
    until("the next block is there", || counter.status().expect("a status").in_hand == BLOCK / 2 + BLOCK);
}

fn a_server_that_is_away_for_a_while(kind: &str) {
    let mut server = Server::durable(kind);
    let counter = counter(&server, "away", 1);
    let mut seen = Seen::default();
    for (stop, start) in [("stop", "start"), ("kill", "start")] {
        begin(&mut seen, &counter);
        server.order(stop);
        assert_eq!(seen.take_what_is_in_hand(&counter), BLOCK / 2 + BLOCK, "{kind}: in hand");
        let error = counter.generate().expect_err("none in hand");
        assert_eq!(error.kind(), ErrorKind::StoreUnavailable, "{kind}: {error}");
        server.order(start);
        until("numbers again", || {
            counter.try_generate().is_ok_and(|number| number.is_some_and(|number| seen.0.insert(number)))
        });
        // To the beginning of a block.
        let rest = counter.status().expect("a status").in_hand % BLOCK;
        seen.take(&counter, rest);
        seen.take_what_is_in_hand(&counter);
    }
}

/// What a process that knew the counter does after its server was put back to what it was, and one that did not.
fn a_server_that_was_put_back(kind: &str) {
    let mut server = Server::durable(kind);
    let known = counter(&server, "rewound", 60);
    let mut seen = Seen::default();
    begin(&mut seen, &known);
    server.order("save before");
    seen.take(&known, BLOCK + BLOCK / 2);
    begin(&mut seen, &known);
    server.order("rewind before");
    seen.take_what_is_in_hand(&known);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    if kind != "redis" {
        let mut error = None;
        until("the server answers", || {
            error = known.generate().err();
            error.as_ref().is_some_and(|error| error.kind() != ErrorKind::StoreUnavailable)
        });
        let error = error.expect("an error");
        assert_eq!(error.kind(), ErrorKind::CounterBehind, "{kind}: {error}");
        // As the message says.
        let last = seen.0.last().expect("a number");
        assert!(error.to_string().contains(&format!("{last} was handed out before")), "{last}: {error}");
        let store = open(&StoreUrl::new(server.url()).expect("a URL")).expect("a store");
        let numbers = store.numbers().expect("a store of counters");
        runtime.block_on(numbers.raise("rewound", None, last + 1)).expect("raised");
    }
    // Redis notices by itself that another server process answers, and goes past what it may have forgotten.
    until("numbers again", || known.generate().is_ok_and(|number| seen.0.insert(number)));
    seen.take(&known, 3 * BLOCK);
    seen.take(&counter(&server, "rewound", 60), 3 * BLOCK);
}

#[test]
fn postgres() {
    a_server_that_is_away_for_a_while("postgres");
    a_server_that_was_put_back("postgres");
}

#[test]
fn mysql() {
    a_server_that_is_away_for_a_while("mysql");
    a_server_that_was_put_back("mysql");
}

#[test]
fn redis() {
    a_server_that_is_away_for_a_while("redis");
    a_server_that_was_put_back("redis");
}

#[test]
fn a_day_whose_numbers_redis_has_forgotten_goes_on_past_them() {
    let mut server = Server::start("redis");
    let options = DailyOptions { create: Some(true), block_size: Some(10), wait_s: 60, ..DailyOptions::default() };
    let daily = |server: &Server| DailyCounter::open(server.url(), &options).expect("daily numbers");
    let mut seen = BTreeSet::new();
    let of_yesterday = daily(&server);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    // The counter has counted, but the copy knows no number of today.
    let store = open(&StoreUrl::new(server.url()).expect("a URL")).expect("a store");
    let terms = saiban_coordination::counter::CounterTerms::daily("default", 1, "UTC").expect("terms");
    let numbers = store.numbers().expect("a store of counters");
    runtime.block_on(numbers.create_counter(&terms, 1)).expect("a counter");
    let wish = saiban_coordination::counter::protocol::Take { count: 50, day: Some(20_000), seen: None };
    runtime.block_on(numbers.take(&terms, &wish)).expect("numbers of a day long gone");
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
