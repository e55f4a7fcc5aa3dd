use super::*;
use saiban::{Layout, Scheme};

fn seen() -> LastSeen {
    let key = SlotKey { nodes: 5..(1 << 62), fence: 3, token: i64::MAX - 2 };
    LastSeen { incarnation: i64::MAX, key, end_us: 1_800_000_060_000_000 }
}

fn request() -> Acquire {
    Acquire {
        nodes: 4,
        ttl_us: 60_000_000,
        holder: "web-1/4711 „äöü“".into(),
        token: (1 << 53) + 1,
        clock_us: 1_800_000_000_000_000,
        max_clock_skew_us: i64::MAX,
        seen: Some(seen()),
    }
}

fn bytes(value: &Value) -> Vec<u8> {
    value.to_string().into_bytes()
}

/// Returns the message of an expected refusal.
fn refusal<T: std::fmt::Debug>(answer: Result<T, Error>) -> String {
    let error = answer.expect_err("a refusal");
    assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
    error.to_string()
}

fn with(mut body: Value, name: &str, value: Value) -> Vec<u8> {
    body[name] = value;
    bytes(&body)
}

#[test]
fn a_written_request_is_read_back() {
    let fingerprint = "snowflake timestamp:41 node:10 sequence:12";
    for request in [request(), Acquire { seen: None, holder: String::new(), ..request() }] {
        let body = read_acquire(&bytes(&write_acquire(fingerprint, &request))).expect("a body");
        assert_eq!(body.into_request(), Ok((IdsOf::Fingerprint(fingerprint.into()), request)));
    }
    let renewal = Renew { seen: seen(), ttl_us: 60_000_000 };
    assert_eq!(read_renew(&bytes(&write_renew(&renewal))), Ok(renewal));
    let release = Release { key: seen().key, high_water_us: i64::MAX };
    assert_eq!(read_release(&bytes(&write_release(&release))), Ok(release));
}

#[test]
fn a_written_answer_is_read_back() {
    let namespace = Namespace {
        fingerprint: "snowflake timestamp:41 node:10 sequence:12".into(),
        nodes: 1 << 62,
        max_ttl_us: 3_600_000_000,
        incarnation: i64::MAX - 1,
        quarantine_until_us: 0,
    };
    assert_eq!(read_namespace(&bytes(&write_namespace(&namespace))), Ok(namespace.clone()));
    let key = seen().key;
    let grant = Grant { incarnation: 7, key, start_us: 1_800_000_000_000_000, end_us: MAX_VALUE, now_us: 0 };
    assert_eq!(read_grant(&bytes(&write_grant(&grant))), Ok(grant));
    let slot = Slot { fence: 2, token: 9, end_us: 5, high_water_us: 6, holder: "\"\\\n".into(), ..Slot::unused(0..8) };
    let listing = Listing { namespace, slots: vec![slot.clone(), Slot::unused(8..1 << 62)], now_us: 77 };
    assert_eq!(read_listing(&bytes(&write_listing(&listing, true))), Ok(listing.clone()));
    assert_eq!(read_quarantine(&bytes(&write_quarantine(5))), Ok(5));
    // Anyone with a token could release the lease.
    let open = read_listing(&bytes(&write_listing(&listing, false))).expect("a listing");
    assert_eq!(open.slots[0], Slot { token: 0, ..slot });
}

#[test]
fn optional_members_of_a_request_may_be_left_out() {
    let body = read_acquire(br#"{"scheme":"orders","ttl_us":"60000000"}"#).expect("a body");
    let (ids_of, request) = body.into_request().expect("a request");
    assert_eq!(ids_of, IdsOf::Scheme("orders".into()));
    assert_eq!((request.nodes, request.ttl_us, request.seen), (1, 60_000_000, None));
    let again = read_acquire(br#"{"scheme":"orders","ttl_us":60000000,"seen":null}"#).expect("a body").into_request();
    assert_ne!(again.expect("a request").1.token, request.token, "each request has a token of its own");
}

#[test]
fn numbers_of_63_bits_are_text() {
    let body = write_acquire("flake node:8", &request());
    assert_eq!(body["token"], json!("9007199254740993"));
    assert_eq!(body["seen"]["end"], json!((1_i64 << 62).to_string()), "beyond 2^53 all are");
    assert_eq!(body["ttl_us"], json!(60_000_000));
    for token in [json!(1), json!(1.0), json!("01"), json!("+1"), json!("-1"), json!("9223372036854775808"), json!([])]
    {
        let why = refusal(read_acquire(&with(body.clone(), "token", token.clone())));
        assert!(why.contains("token") && why.contains("as text"), "{token}: {why}");
    }
}

#[test]
fn invalid_members_are_refused_by_name() {
    let body = write_acquire("flake node:8", &request());
    for (name, value) in [
        ("ttl_us", json!(1.5)),
        ("ttl_us", json!("1e3")),
        ("ttl_us", json!(u64::MAX)),
        ("ttl_us", json!(true)),
        ("nodes", json!({})),
        ("holder", json!(5)),
        ("holder", json!("x".repeat(121))),
        ("holder", json!("a\u{1b}[2J")),
        ("fingerprint", json!(["flake"])),
        ("clock_us", json!(-1)),
        ("max_clock_skew_us", json!("")),
        ("seen", json!("x")),
        ("ttl_s", json!(60)),
        ("scheme", json!("orders")),
    ] {
        let why = refusal(read_acquire(&with(body.clone(), name, value.clone())));
        assert!(why.contains(name), "{name} {value}: {why}");
        assert!(why.len() < 500, "{why}");
    }
    for name in ["ttl_us", "fingerprint"] {
        let why = refusal(read_acquire(&with(body.clone(), name, Value::Null)));
        assert!(why.contains(name), "{why}");
    }
    let renewal = write_renew(&Renew { seen: seen(), ttl_us: 1 });
    for name in ["incarnation", "first", "end", "fence", "token", "end_us", "ttl_us"] {
        assert!(refusal(read_renew(&with(renewal.clone(), name, Value::Null))).contains(name));
    }
    for (first, end) in [(5, 5), (6, 5), (-1, 5)] {
        let mut renewal = renewal.clone();
        (renewal["first"], renewal["end"]) = (json!(first), json!(end));
        refusal(read_renew(&bytes(&renewal)));
    }
    assert!(refusal(read_release(br#"{"first":0,"end":1,"fence":1,"token":"1"}"#)).contains("high_water_us"));
}

#[test]
fn a_body_that_is_no_object_is_refused() {
    let deep = "[".repeat(100_000);
    for body in [b"".as_slice(), b"null", b"[]", b"\"x\"", b"{", b"\xff\xfe", b"{\"ttl_us\":1}x", deep.as_bytes()] {
        refusal(read_acquire(body));
        refusal(read_renew(body));
        refusal(read_release(body));
        refusal(read_terms("orders", body));
        refusal(read_grant(body));
        refusal(read_listing(body));
    }
}

#[test]
fn unknown_members_of_an_answer_are_ignored() {
    let mut answer = write_quarantine(5);
    answer["since"] = json!("now");
    assert_eq!(read_quarantine(&bytes(&answer)), Ok(5));
    // No store returns these times.
    refusal(read_quarantine(&bytes(&write_quarantine(MAX_VALUE + 1))));
    refusal(read_quarantine(&bytes(&write_quarantine(-1))));
}

#[test]
fn terms_are_read_only_from_saibans_own_fingerprints() {
    let twitter = Terms::new("orders", Scheme::Snowflake, &Layout::TWITTER, None, 60).expect("terms");
    let randflake = Terms::new("orders", Scheme::Randflake, &Layout::RANDFLAKE, Some(0xabc), 3_600).expect("terms");
    let ulid_flake = Terms::new("orders", Scheme::UlidFlake, &Layout::ULID_FLAKE_SCALABLE, None, 1).expect("terms");
    let named = Layout::from_text("timestamp:41@10ms,epoch=2024-01-01 node.region:5 node.host:5 sequence:12")
        .expect("a layout");
    let flake = Terms::new("orders", Scheme::Flake, &named, None, 86_400).expect("terms");
    for terms in [&twitter, &randflake, &ulid_flake, &flake] {
        assert_eq!(read_terms("orders", &bytes(&write_terms(terms))).as_ref(), Ok(terms));
    }
    let hour =
        read_terms("orders", json!({ "fingerprint": flake.fingerprint() }).to_string().as_bytes()).expect("terms");
    assert_eq!((hour.max_ttl_us(), hour.nodes()), (3_600_000_000, 1_024));
    let (layout, key) = randflake.fingerprint().rsplit_once(' ').expect("a key");
    for fingerprint in [
        "".into(),
        "snowflake".into(),
        "snowflake ".into(),
        "snowflake twitter".into(),
        "Snowflake timestamp:41 node:10 sequence:12".into(),
        "nonsense timestamp:41 node:10 sequence:12".into(),
        "uuid-v7 timestamp:48 node:10 random:70".into(),
        // saiban parses this layout, but writes it differently.
        twitter.fingerprint().replace(" node", "  node"),
        named.to_string().replace("timestamp", "flake timestamp"),
        format!("{} {key}", twitter.fingerprint()),
        layout.into(),
        format!("{layout} key=abc"),
        format!("{layout} key=00000ABC"),
        format!("{layout} key=000000abc"),
        format!("{layout} key=-0000abc"),
        twitter.fingerprint().replace("snowflake", "ulid-flake"),
        format!("{} {key}", twitter.fingerprint().replace("snowflake", "randflake")),
    ] {
        let why = refusal(terms("orders", &fingerprint, None, 60_000_000));
        assert!(why.len() < 1_000, "{why}");
    }
    assert!(refusal(terms("orders", twitter.fingerprint(), Some(8), 60_000_000)).contains("1024"));
    for max_ttl_us in [0, -1_000_000, 1, 1_500_000, i64::MAX, i64::MIN, 31 * 86_400_000_000] {
        assert!(refusal(terms("orders", twitter.fingerprint(), None, max_ttl_us)).contains("max_ttl"));
    }
    for name in ["", "a b", "a/b", "..%2f", &"x".repeat(65)] {
        refusal(terms(name, twitter.fingerprint(), None, 60_000_000));
        refusal(check_name(name));
    }
}
