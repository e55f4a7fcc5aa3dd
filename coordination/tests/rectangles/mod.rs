//! Workers acquire, renew and release leases as fast as they can; no two may ever have one node at
//! one time.

use saiban_coordination::ErrorKind;
use saiban_coordination::lease::Terms;
use saiban_coordination::lease::protocol::{Acquire, LastSeen, Release, Renew};
use saiban_coordination::store::{StoreUrl, open};
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

/// The variable with the store's URL, for a copy of the test that is a worker.
const STORE: &str = "SAIBAN_TEST_STORE";

/// The number of leases that each worker takes.
const LEASES: usize = 60;

/// Returns the rectangles of this many processes. Each is a copy of the test, which calls this
/// first; in a copy it does a worker's work and returns `None`.
pub async fn of_processes(
    test: &str,
    workers: usize,
    url: impl Fn() -> String,
    terms: &Terms,
) -> Option<Vec<Rectangle>> {
    if let Ok(url) = std::env::var(STORE) {
        work(&url, terms).await;
        return None;
    }
    let start = |_| {
        Command::new(std::env::current_exe().expect("this test"))
            .args(["--exact", test, "--nocapture"])
            .env(STORE, url())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a worker")
    };
    let started: Vec<_> = (0..workers).map(start).collect();
    let mut rectangles = Vec::new();
    for worker in started {
        let output = worker.wait_with_output().expect("a worker's output");
        assert!(output.status.success(), "a worker failed");
        let text = String::from_utf8(output.stdout).expect("text");
        let before = rectangles.len();
        rectangles.extend(text.lines().filter_map(Rectangle::read));
        assert_eq!(rectangles.len() - before, LEASES, "what one worker had");
    }
    Some(rectangles)
}

/// Nodes that one holder could use for some time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rectangle {
    nodes: std::ops::Range<i64>,
    us: std::ops::Range<i64>,
}

impl Rectangle {
    fn read(line: &str) -> Option<Self> {
        let mut words = line.split(' ');
        // The harness writes "test NAME ... " before a worker's first output.
        words.by_ref().find(|word| *word == "had")?;
        let numbers: Vec<i64> = words.map(|word| word.parse().expect("a number")).collect();
        let [first, last, start, end] = numbers.try_into().expect("four numbers");
        Some(Rectangle { nodes: first..last, us: start..end })
    }
}

/// Checks that no two rectangles overlap.
pub fn check_disjoint(rectangles: &[Rectangle]) {
    let mut of_nodes: std::collections::BTreeMap<i64, Vec<&Rectangle>> = std::collections::BTreeMap::new();
    for rectangle in rectangles {
        assert!(rectangle.us.start <= rectangle.us.end && !rectangle.nodes.is_empty(), "{rectangle:?}");
        for node in rectangle.nodes.clone() {
            of_nodes.entry(node).or_default().push(rectangle);
        }
    }
    for (node, mut rectangles) in of_nodes {
        rectangles.sort_by_key(|rectangle| (rectangle.us.start, rectangle.us.end));
        for pair in rectangles.windows(2) {
            assert!(pair[0].us.end <= pair[1].us.start, "node {node} had two holders: {:?} and {:?}", pair[0], pair[1]);
        }
    }
}

/// Takes leases of contested nodes: some are renewed, some released early, and some end by
/// themselves.
async fn work(url: &str, terms: &Terms) {
    let store = open(&StoreUrl::new(url).expect("a URL")).expect("a store");
    store.create(terms).await.expect("a namespace");
    let mut state = i64::from(std::process::id());
    let mut draw = |below: i64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33).rem_euclid(below)
    };
    let mut had = 0;
    while had < LEASES {
        let request = Acquire {
            nodes: 1 + draw(3),
            ttl_us: 1_000 * (1 + draw(40)),
            holder: "worker".into(),
            token: draw(1 << 30),
            clock_us: 0,
            max_clock_skew_us: i64::MAX,
            seen: None,
        };
        let mut grant = match store.acquire(terms.name(), terms.fingerprint(), &request).await {
            Ok(grant) => grant,
            Err(error) if error.kind() == ErrorKind::NamespaceFull => {
                tokio::time::sleep(Duration::from_millis(1)).await;
                continue;
            }
            Err(error) => panic!("{error}"),
        };
        for _ in 0..draw(3) {
            let seen = LastSeen { incarnation: grant.incarnation, key: grant.key.clone(), end_us: grant.end_us };
            match store.renew(terms.name(), &Renew { seen, ttl_us: request.ttl_us }).await {
                Ok(renewed) => {
                    assert!(
                        renewed.key == grant.key
                            && renewed.start_us == grant.start_us
                            && renewed.end_us >= grant.end_us
                    );
                    grant = renewed;
                }
                Err(error) => assert_eq!(error.kind(), ErrorKind::LeaseLost, "{error}"),
            }
        }
        let mut end_us = grant.end_us;
        if draw(2) == 0 {
            end_us = grant.start_us + draw(grant.end_us - grant.start_us + 1);
            let release = Release { key: grant.key.clone(), high_water_us: end_us };
            store.release(terms.name(), &release).await.expect("given back");
        }
        let nodes = grant.key.nodes;
        // The line is written at once, without a lock that would be held across an await.
        let line = format!(" had {} {} {} {end_us}\n", nodes.start, nodes.end, grant.start_us);
        std::io::stdout().write_all(line.as_bytes()).expect("a line");
        had += 1;
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}
