//! Remote generators with lost, late or invalid responses of the service.
#![cfg(feature = "coordinator")]

mod injector;

use injector::{Asked, Fate, Injector, unused_address};
use saiban::{Attempt, ErrorKind, Generator, Layout};
use saiban_coordination::{AnyRemote, Error, RemoteGenerator, RemoteOptions};
use serde_json::json;
use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// Returns a service's description of a scheme.
fn described(scheme: &str, layout: Option<&str>, bits: u32, encoding: &str) -> Fate {
    let text = json!({ "name": "orders", "scheme": scheme, "layout": layout, "bits": bits, "encoding": encoding, "ready": true,
        "fingerprint": FINGERPRINT });
    Fate::json(200, &text.to_string())
}

/// Returns the description of a service of Snowflakes.
fn snowflakes() -> Fate {
    described("snowflake", Some(&Layout::TWITTER.to_string()), 64, "decimal")
}

/// Returns the description of a scheme whose texts have this prefix.
fn prefixed(encoding: &str, prefix: &str) -> Fate {
    let text = json!({ "name": "orders", "scheme": "uuid-v7", "layout": null, "bits": 128, "encoding": encoding, "prefix": prefix,
        "ready": true, "fingerprint": "uuid-v7" });
    Fate::json(200, &text.to_string())
}

#[test]
fn texts_begin_with_the_prefix_of_the_services_scheme() {
    let service = Injector::start(|_| prefixed("crockford", "order"));
    let ids = RemoteGenerator::<u128>::open(&format!("saiban://{}", service.address()), "orders", &lasting(1));
    let ids = ids.expect("a generator");
    assert_eq!(ids.prefix().as_ref().map(saiban::Prefix::as_str), Some("order"));
    let id = 0x0189_0a5d_ac96_774b_bcce_b302_099a_8057;
    assert_eq!(ids.to_text(id).expect("text").as_str(), "order_01h455vb4pex5vsknk084sn02q");
    assert_eq!(ids.from_text("order_01h455vb4pex5vsknk084sn02q"), Ok(id));
    assert_eq!(
        ids.from_text("user_01h455vb4pex5vsknk084sn02q").map_err(|error| error.kind()),
        Err(ErrorKind::TextCharacter)
    );
    // One prefix is invalid, and one has an encoding that does not fit it.
    for (encoding, prefix) in [("crockford", "Order"), ("hyphenated", "order")] {
        let service = Injector::start(move |_| prefixed(encoding, prefix));
        let url = format!("saiban://{}", service.address());
        let error = RemoteGenerator::<u128>::open(&url, "orders", &lasting(1)).expect_err("another description");
        assert_eq!(error.kind(), ErrorKind::StoreUnsupported, "{error}");
    }
}

/// The fingerprint of the Snowflakes that the service issues.
const FINGERPRINT: &str = "snowflake unused:1 timestamp:41,epoch=2010-11-04T01:42:54.657Z node:10 sequence:12";

/// Returns the number of a request.
fn number(asked: &Asked) -> String {
    asked.headers.get("saiban-request").cloned().unwrap_or_default()
}

/// Returns a binary response to the request of this number: IDs with this many bytes each.
fn bytes(number: &str, fingerprint: &str, size: usize, body: Vec<u8>) -> Fate {
    let headers = vec![
        ("content-type", "application/octet-stream".into()),
        ("Saiban-Id-Bytes", size.to_string()),
        ("Saiban-Request", number.into()),
        ("Saiban-Fingerprint", fingerprint.into()),
    ];
    Fate::Answer(200, headers, body)
}

/// Returns a response with `count` IDs from `first` on.
fn block(asked: &Asked, first: i64, count: i64) -> Fate {
    bytes(&number(asked), FINGERPRINT, 8, (first..first + count).flat_map(i64::to_le_bytes).collect())
}

/// Starts a service of the Snowflakes 1, 2, 3 …; `fate` changes its responses by the index of the
/// block.
fn service(fate: impl Fn(usize, Fate) -> Fate + Send + Sync + 'static) -> Injector {
    let (next, blocks) = (AtomicI64::new(1), AtomicUsize::new(0));
    Injector::start(move |asked| {
        let Some((_, count)) = asked.path.split_once("/ids?count=") else {
            return snowflakes();
        };
        let count = count.parse().expect("a number");
        let first = next.fetch_add(count, Ordering::Relaxed);
        fate(blocks.fetch_add(1, Ordering::Relaxed), block(asked, first, count))
    })
}

fn with(servers: &[&str], options: &RemoteOptions) -> RemoteGenerator {
    let url = format!("saiban://{}", servers.join(","));
    RemoteGenerator::<i64>::open(&url, "orders", options).expect("a generator")
}

/// Returns options under which IDs stay valid on the slowest machine.
fn lasting(block: i64) -> RemoteOptions {
    RemoteOptions { block, max_age_ms: 3_600_000, wait_s: 60 }
}

fn explained<T: std::fmt::Debug>(ids: &RemoteGenerator, answer: Result<T, saiban::Error>) -> Error {
    let error = answer.expect_err("none");
    let explained = ids.explain(error);
    assert_eq!(explained.kind(), error.kind());
    explained
}

#[test]
fn threads_take_each_id_of_a_block_once_and_the_next_is_fetched_ahead() {
    let service = service(|_, block| block);
    let ids = with(&[service.address()], &lasting(100));
    let made: Vec<i64> = thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| (0..1_000).map(|_| ids.generate().expect("an ID")).collect::<Vec<i64>>()))
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("it ends")).collect()
    });
    assert_eq!(made.iter().collect::<HashSet<_>>().len(), 8_000);
    // Every block was handed out completely and in order.
    assert_eq!(made.iter().max(), Some(&8_000));
    let status = ids.status().expect("a status");
    assert_eq!((status.dropped, status.why), (0, None));
    assert!(ids.stats().expect("what it tells").issued == 8_000);
    let asked = service.asked();
    assert!(asked[0].path == "/v1/schemes/orders" && asked[0].method == "GET");
    assert!(asked[1].path == "/v1/schemes/orders/ids?count=100" && asked[1].method == "POST");
    assert!((80..=82).contains(&(asked.len() - 1)), "{}", asked.len());
}

#[test]
fn a_large_fill_uses_as_many_blocks_as_it_needs() {
    let service = service(|_, block| block);
    let ids = with(&[service.address()], &lasting(10));
    assert_eq!(ids.generate_many(95).expect("IDs"), (1..=95).collect::<Vec<i64>>());
    let mut none: [i64; 0] = [];
    assert_eq!(ids.fill(&mut none), Ok(0));
}

#[test]
fn ids_older_than_max_age_are_never_handed_out() {
    let service = service(|_, block| block);
    let ids = with(&[service.address()], &RemoteOptions { max_age_ms: 50, wait_s: 60, ..lasting(10) });
    let mut of_blocks = HashSet::new();
    for _ in 0..5 {
        let id = ids.generate().expect("an ID");
        assert!(of_blocks.insert((id - 1) / 10), "{id} is of a block whose time was over: {of_blocks:?}");
        // All prefetched IDs, of this block and the next, are too old by then.
        thread::sleep(Duration::from_millis(200));
        assert_eq!(ids.status().expect("a status").prefetched, 0);
    }
    assert!(ids.status().expect("a status").dropped >= 30);
}

#[test]
fn an_answer_that_comes_too_late_is_dropped() {
    // The age counts from the request, not from the response.
    let service = service(|number, block| match number {
        0 => Fate::Late(Duration::from_millis(600), Box::new(block)),
        _ => block,
    });
    let ids = with(&[service.address()], &RemoteOptions { max_age_ms: 500, ..lasting(10) });
    assert!(ids.generate().expect("an ID") > 10);
    assert!(ids.status().expect("a status").dropped >= 10);
}

#[test]
fn a_service_that_always_answers_too_late_is_asked_with_pauses_and_named_as_the_cause() {
    let service = service(|_, block| Fate::Late(Duration::from_millis(120), Box::new(block)));
    let ids = with(&[service.address()], &RemoteOptions { max_age_ms: 100, wait_s: 2, ..lasting(10) });
    let error = explained(&ids, ids.generate());
    assert_eq!(error.kind(), ErrorKind::StoreUnavailable);
    assert!(error.to_string().contains("may be used for 100 ms (max_age_ms)"), "{error}");
    // The pauses are 0.1, 0.2, 0.4 and 0.8 s; without them there would be 16 requests in 2 s.
    assert!(service.asked().len() <= 8, "{} times", service.asked().len());
    assert!(ids.status().expect("a status").dropped >= 10);
}

#[test]
fn an_answer_that_was_lost_is_asked_for_again() {
    let service = service(|number, block| if number < 3 { Fate::Lost } else { block });
    let ids = with(&[service.address()], &lasting(10));
    let first = ids.generate().expect("an ID");
    assert!(first > 30, "nothing of what was lost: {first}");
}

#[test]
fn the_next_host_is_asked_when_one_does_not_answer() {
    let good = service(|_, block| block);
    let busy = service(|_, _| Fate::error(503, "LEASE_EXPIRED", "no lease here"));
    let ids = with(&[&unused_address(), busy.address(), good.address()], &lasting(10));
    // An instance may describe a scheme that it does not have; another instance then issues the
    // IDs.
    assert_eq!(ids.generate_many(30).expect("IDs").len(), 30);
    assert!(good.asked().len() >= 3);
}

#[test]
fn try_generate_does_not_block() {
    let service = service(|_, _| Fate::Never);
    let ids = with(&[service.address()], &RemoteOptions { wait_s: 1, ..lasting(10) });
    for _ in 0..100 {
        assert!(matches!(ids.try_generate(), Ok(Attempt::Wait(_))));
        assert!(matches!(ids.try_generate_within(Duration::from_millis(5)), Ok(Attempt::Wait(_))));
    }
    let error = explained(&ids, ids.try_generate_within(Duration::ZERO));
    assert_eq!(error.kind(), ErrorKind::StoreUnavailable);
    let error = explained(&ids, ids.generate());
    assert!(error.to_string().contains("within 1 s"), "{error}");
}

#[test]
fn default_max_wait_bounds_the_wait_for_an_id() {
    let service =
        service(|number, block| if number == 0 { Fate::Late(Duration::from_secs(1), Box::new(block)) } else { block });
    let ids = with(&[service.address()], &lasting(10)).default_max_wait(Duration::from_millis(5));
    let error = explained(&ids, ids.generate());
    assert_eq!(error.kind(), ErrorKind::WouldWait);
    assert!(error.to_string().contains("within 5 ms"), "{error}");
    assert_eq!(ids.take_many(25).expect("all of them, whenever they come"), (1..=25).collect::<Vec<i64>>());
    assert!(ids.take_many(10_000_001).is_err_and(|error| error.kind() == ErrorKind::InvalidArgument));
}

#[test]
fn try_generate_returns_ids_once_they_have_arrived() {
    let service = service(|_, block| block);
    let ids = with(&[service.address()], &lasting(10));
    assert!(matches!(ids.try_generate(), Ok(Attempt::Wait(_))));
    let id = loop {
        match ids.try_generate().expect("no error") {
            Attempt::Ready(id) => break id,
            Attempt::Wait(wait) => thread::sleep(wait),
        }
    };
    assert_eq!(id, 1);
}

#[test]
fn errors_of_the_service_keep_their_kind() {
    for (status, code, kind) in [
        (503, "LEASE_EXPIRED", ErrorKind::LeaseExpired),
        (503, "CLOCK_BACKWARD", ErrorKind::ClockBackward),
        (404, "UNKNOWN_NAME", ErrorKind::UnknownName),
        (400, "INVALID_ARGUMENT", ErrorKind::InvalidArgument),
        (403, "PERMISSION_DENIED", ErrorKind::StoreUnavailable),
    ] {
        let service = service(move |_, _| Fate::error(status, code, "why it is so"));
        let ids = with(&[service.address()], &lasting(10));
        let error = explained(&ids, ids.generate());
        assert_eq!(error.kind(), kind);
        assert!(error.to_string().contains("why it is so"), "{error}");
        // Calls that do not wait get the error too, once it is known, and again after the next
        // request.
        loop {
            match ids.try_generate() {
                Ok(Attempt::Ready(id)) => panic!("{id}"),
                Ok(Attempt::Wait(wait)) => thread::sleep(wait),
                Err(error) => break assert_eq!(error.kind(), kind),
            }
        }
    }
}

#[test]
fn a_failed_prefetch_is_tried_again_when_ids_are_needed() {
    let service =
        service(|number, block| if number == 1 { Fate::error(503, "LEASE_EXPIRED", "no lease") } else { block });
    let ids = with(&[service.address()], &lasting(10));
    let made: Vec<i64> = (0..10).map(|_| ids.generate().expect("an ID that is prefetched")).collect();
    // The next block was prefetched, and that request failed.
    while ids.status().expect("a status").calls < 2 {
        thread::sleep(Duration::from_millis(5));
    }
    assert!(matches!(ids.try_generate(), Ok(Attempt::Wait(_))));
    assert!(ids.generate().expect("an ID") > made[9]);
}

#[test]
fn an_unavailable_service_is_waited_for() {
    let service = service(|number, block| if number < 2 { Fate::error(503, "OVERLOADED", "busy") } else { block });
    let ids = with(&[service.address()], &lasting(10));
    assert_eq!(ids.generate_many(15).map(|ids| ids.len()), Ok(15));
    assert_eq!(ids.status().expect("a status").why, None);
}

fn first_block(ids: &RemoteGenerator) -> Vec<i64> {
    (0..10).map(|_| ids.generate().expect("an ID")).collect()
}

/// Starts a service of Snowflakes with this response to each request for IDs.
fn answering(answer: impl Fn(&Asked) -> Fate + Send + Sync + 'static) -> Injector {
    Injector::start(move |asked| if asked.path.contains("/ids?") { answer(asked) } else { snowflakes() })
}

type Answering = Box<dyn Fn(&Asked) -> Fate + Send + Sync>;

#[test]
fn blocks_that_are_not_the_services_are_refused() {
    let typed =
        |size: usize, count: usize| move |asked: &Asked| bytes(&number(asked), FINGERPRINT, size, vec![0; count]);
    let cases: [(&str, Answering); 5] = [
        ("of another width", Box::new(typed(16, 160))),
        ("a part of one", Box::new(typed(8, 79))),
        ("too many", Box::new(typed(8, 88))),
        ("none", Box::new(typed(8, 0))),
        ("JSON", Box::new(|_| Fate::json(200, "{\"ids\":[\"1\"]}"))),
    ];
    for (what, fate) in cases {
        let service = answering(fate);
        let ids = with(&[service.address()], &RemoteOptions { wait_s: 1, ..lasting(10) });
        let error = explained(&ids, ids.generate());
        assert_eq!(error.kind(), ErrorKind::StoreUnavailable, "{what}: {error}");
        assert!(error.to_string().contains("not one of saiban serve's"), "{what}: {error}");
    }
}

#[test]
fn a_block_is_used_once_where_a_cache_repeats_answers() {
    // The service acts as a cache, which repeats its first response.
    let first = Mutex::new(None);
    let service = answering(move |asked| {
        let number = first.lock().expect("no panic").get_or_insert_with(|| number(asked)).clone();
        bytes(&number, FINGERPRINT, 8, (1..=10).flat_map(i64::to_le_bytes).collect())
    });
    let ids = with(&[service.address()], &RemoteOptions { wait_s: 1, ..lasting(10) });
    assert_eq!(first_block(&ids), (1..=10).collect::<Vec<i64>>());
    let error = explained(&ids, ids.generate());
    assert_eq!(error.kind(), ErrorKind::StoreUnavailable);
    assert!(error.to_string().contains("replays responses"), "{error}");
    let numbers: HashSet<_> = service.asked()[1..].iter().map(number).collect();
    assert_eq!(numbers.len(), service.asked().len() - 1, "each question has its own: {numbers:?}");
    assert!(numbers.iter().all(|number| number.len() == 16 && number.bytes().all(|digit| digit.is_ascii_hexdigit())));
}

#[test]
fn a_block_without_the_number_of_its_request_is_refused() {
    let service = answering(|_| bytes("", FINGERPRINT, 8, vec![0; 80]));
    let ids = with(&[service.address()], &RemoteOptions { wait_s: 1, ..lasting(10) });
    let error = explained(&ids, ids.generate());
    assert_eq!(error.kind(), ErrorKind::StoreUnavailable);
    assert!(error.to_string().contains("Saiban-Request"), "{error}");
}

#[test]
fn ids_of_another_layout_are_never_handed_out() {
    let other = "snowflake unused:1 timestamp:41,epoch=2020-01-01 node:10 sequence:12";
    // A service with a changed configuration, and an instance with a different one.
    let changed = {
        let blocks = AtomicI64::new(0);
        answering(move |asked| match blocks.fetch_add(10, Ordering::Relaxed) {
            0 => block(asked, 1, 10),
            first => bytes(&number(asked), other, 8, (first..first + 10).flat_map(i64::to_le_bytes).collect()),
        })
    };
    let gone = service(|number, block| if number == 0 { block } else { Fate::error(503, "LEASE_EXPIRED", "no lease") });
    let odd = answering(move |asked| bytes(&number(asked), other, 8, vec![0; 80]));
    for hosts in [vec![changed.address()], vec![gone.address(), odd.address()]] {
        let ids = with(&hosts, &lasting(10));
        assert_eq!(first_block(&ids), (1..=10).collect::<Vec<i64>>());
        let error = explained(&ids, ids.generate());
        assert_eq!(error.kind(), ErrorKind::NamespaceMismatch, "{error}");
        assert!(error.to_string().contains(other) && error.to_string().contains(FINGERPRINT), "{error}");
    }
}

#[test]
fn schemes_are_read_as_they_are_described() {
    let twitter = Layout::TWITTER.to_string();
    for (scheme, layout, bits, encoding) in [
        ("snowflake", Some(twitter.as_str()), 64, "decimal"),
        ("randflake", None, 64, saiban::Scheme::Randflake.encoding().name()),
        ("flake", Some("timestamp:41 node:10 sequence:5"), 56, "decimal"),
        ("flake", Some("timestamp:48 random:42"), 90, "decimal"),
        ("uuid-v7", None, 128, saiban::Scheme::UuidV7.encoding().name()),
        ("uuid-v4", None, 128, saiban::Scheme::UuidV4.encoding().name()),
        ("uuid-v1", None, 128, saiban::Scheme::UuidV1.encoding().name()),
        ("ulid", None, 128, saiban::Scheme::Ulid.encoding().name()),
        ("objectid", None, 96, saiban::Scheme::ObjectId.encoding().name()),
        ("tick-id", Some("descending"), 77, saiban::Scheme::TickId.encoding().name()),
    ] {
        let layout = layout.map(str::to_owned);
        let service = Injector::start(move |_| described(scheme, layout.as_deref(), bits, encoding));
        let url = format!("saiban://{}", service.address());
        let ids = AnyRemote::open(&url, "orders", &RemoteOptions::default())
            .unwrap_or_else(|error| panic!("{scheme}: {error}"));
        let read = match &ids {
            AnyRemote::Narrow(ids) => (ids.scheme(), ids.bits(), ids.encoding()),
            AnyRemote::Wide(ids) => (ids.scheme(), ids.bits(), ids.encoding()),
        };
        assert_eq!((read.0.name(), read.1, read.2.name()), (scheme, bits, encoding));
        assert_eq!(bits > 64, matches!(ids, AnyRemote::Wide(_)));
    }
}

#[test]
fn ids_are_written_read_and_inspected_without_the_service() {
    let service = service(|_, block| block);
    let ids = with(&[service.address()], &lasting(10));
    let asked = service.asked().len();
    let id = Layout::TWITTER.split(1_741_610_183_685_074_945).expect("an ID");
    assert_eq!((id.node, id.counter), (7, 1));
    let parts = ids.inspect(1_741_610_183_685_074_945).expect("parts");
    assert_eq!((parts.timestamp_ms, parts.sequence), (Some(1_704_067_200_000), Some(1)));
    assert_eq!(ids.from_text("1741610183685074945"), Ok(1_741_610_183_685_074_945));
    assert!(ids.from_text("x").is_err() && ids.inspect(-1).is_err());
    assert!(ids.range(1_704_067_200_000, 1_704_067_200_001).expect("a range").contains(&1_741_610_183_685_074_945));
    assert_eq!(ids.layout(), Some(&Layout::TWITTER));
    assert_eq!(service.asked().len(), asked);
}

#[test]
fn a_randflake_cannot_be_inspected_without_its_secret() {
    let service = Injector::start(|_| described("randflake", None, 64, saiban::Scheme::Randflake.encoding().name()));
    let ids = with(&[service.address()], &RemoteOptions::default());
    let text = ids.to_text(5).expect("a text");
    assert_eq!(ids.from_text(&text), Ok(5));
    assert!(ids.inspect(5).is_err_and(|error| error.to_string().contains("secret")));
}

#[test]
fn a_scheme_that_this_version_does_not_know_is_refused() {
    for fate in [
        || described("sonyflake", None, 64, "decimal"),
        || described("snowflake", None, 64, "decimal"),
        || described("snowflake", Some("sequence:64"), 64, "decimal"),
        || described("ulid", None, 64, "crockford"),
        || described("ulid", None, 128, "decimal"),
        || described("ulid", None, 200, "decimal"),
        || Fate::json(200, "{}"),
        || Fate::json(200, "x"),
    ] {
        let service = Injector::start(move |_| fate());
        let url = format!("saiban://{}", service.address());
        let error = AnyRemote::open(&url, "orders", &RemoteOptions::default()).expect_err("unknown");
        assert_eq!(error.kind(), ErrorKind::StoreUnsupported, "{error}");
        assert!(error.to_string().contains("update saiban"), "{error}");
    }
}

#[test]
fn impossible_options_are_refused_before_anything_is_called() {
    let open = |url: &str, scheme: &str, options: &RemoteOptions| {
        RemoteGenerator::<i64>::open(url, scheme, options).expect_err("no").kind()
    };
    let defaults = RemoteOptions::default();
    for options in [
        RemoteOptions { block: 0, ..defaults.clone() },
        RemoteOptions { block: -1, ..defaults.clone() },
        RemoteOptions { block: 100_001, ..defaults.clone() },
        RemoteOptions { max_age_ms: 0, ..defaults.clone() },
        RemoteOptions { max_age_ms: i64::MAX, ..defaults.clone() },
        RemoteOptions { wait_s: 0, ..defaults.clone() },
        RemoteOptions { wait_s: i64::MAX, ..defaults.clone() },
    ] {
        assert_eq!(open("saiban://127.0.0.1:1", "orders", &options), ErrorKind::InvalidArgument);
    }
    for (url, scheme) in [("memory:x", "orders"), ("redis://host", "orders"), ("saiban://h", ""), ("saiban://h", "..")]
    {
        assert_eq!(open(url, scheme, &defaults), ErrorKind::InvalidArgument, "{url} {scheme}");
    }
    // The service is unreachable, or lacks the scheme.
    let short = RemoteOptions { wait_s: 1, ..defaults.clone() };
    assert_eq!(open(&format!("saiban://{}", unused_address()), "orders", &short), ErrorKind::StoreUnavailable);
    let service = Injector::start(|_| Fate::error(404, "UNKNOWN_NAME", "no such scheme"));
    assert_eq!(open(&format!("saiban://{}", service.address()), "a/b", &defaults), ErrorKind::UnknownName);
    assert_eq!(service.asked()[0].path, "/v1/schemes/a%2Fb");
    let wide = Injector::start(|_| described("ulid", None, 128, "crockford"));
    assert_eq!(open(&format!("saiban://{}", wide.address()), "orders", &defaults), ErrorKind::InvalidArgument);
}

#[test]
fn wide_ids_are_sent_as_big_endian_bytes() {
    let service = Injector::start(|asked| match asked.path.contains("/ids?") {
        false => described("ulid", None, 128, "crockford"),
        true => bytes(&number(asked), FINGERPRINT, 16, (1..=32).collect()),
    });
    let url = format!("saiban://{}", service.address());
    let ids = RemoteGenerator::<u128>::open(&url, "ulid", &lasting(2)).expect("a generator");
    assert_eq!(ids.generate(), Ok(0x0102_0304_0506_0708_090a_0b0c_0d0e_0f10));
    assert_eq!(ids.generate_text(None).expect("a text").len(), 26);
}
