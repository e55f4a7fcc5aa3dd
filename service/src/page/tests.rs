//! Tests of both pages, also with unusual and hostile values.

use super::view::{
    Clock, LastError, Lease, Limits, Listing, Load, Namespace, Obstacle, Problem, Readiness, Scheme, Slot, Status,
};
use super::{Inspection, inspector, status};
use saiban::{Inspector, Layout};

const NOW_MS: i64 = 1_763_700_000_000;

/// Text that would run scripts if a page contained it without escaping.
const HOSTILE: &str = r#"'"><script>alert(1)</script><img src=x onerror=alert(1)>&amp;"#;

fn empty() -> Status {
    Status {
        version: "0.1.0".to_owned(),
        instance: "ids-1/7".to_owned(),
        now_ms: NOW_MS,
        started_ms: NOW_MS - 90_000,
        readiness: Readiness::Ready,
        store: "sqlite:/var/lib/saiban/ids.db".to_owned(),
        schemes: Vec::new(),
        namespaces: Vec::new(),
        clock: Clock::default(),
        load: Load::default(),
        limits: Limits::default(),
    }
}

fn orders() -> Scheme {
    Scheme {
        name: "orders".to_owned(),
        scheme: "snowflake".to_owned(),
        layout: Some(Layout::TWITTER.to_string()),
        bits: 64,
        namespace: Some("orders".to_owned()),
        is_ready: true,
        nodes: Some(640..644),
        lease: Some(Lease { state: "active".to_owned(), end_ms: Some(NOW_MS + 47_000), grants: 1 }),
        issued: 48_120_331,
        ids_per_second: 3_204.2,
        last_error: None,
    }
}

fn slot(node: i64, holder: &str) -> Slot {
    let end_ms = NOW_MS + 20_000 + node;
    Slot {
        nodes: node..node + 1,
        holder: holder.to_owned(),
        start_ms: NOW_MS - 60_000,
        end_ms,
        high_water_ms: end_ms,
        is_own: false,
    }
}

fn namespace(slots: Vec<Slot>) -> Namespace {
    let listing = Listing {
        fingerprint: format!("snowflake {}", Layout::TWITTER),
        nodes: 1_024,
        max_ttl_ms: 3_600_000,
        quarantine_until_ms: None,
        now_ms: NOW_MS,
        slots,
    };
    Namespace { name: "orders".to_owned(), listing: Ok(listing) }
}

fn asked(text: &str) -> String {
    inspector(&Inspection::of(&Inspector::at(NOW_MS), text, &[]))
}

/// Checks that the page contains only its own script, and no markup of `HOSTILE`.
fn assert_harmless(page: &str) {
    let scripts = page.matches("<script").count();
    assert_eq!(scripts, 1, "the page's own: {page}");
    assert!(page.contains(r#"<script src="/page.js" defer></script>"#));
    assert!(!page.contains("<img") && !page.contains("'\">") && !page.contains(" style="), "{page}");
}

#[test]
fn external_text_is_escaped_everywhere_on_the_status_page() {
    let hostile = || HOSTILE.to_owned();
    let problem = Problem { code: hostile(), message: hostile() };
    let mut named = namespace(vec![slot(3, HOSTILE)]);
    named.name = hostile();
    if let Ok(listing) = &mut named.listing {
        listing.fingerprint = hostile();
    }
    let page = status(&Status {
        version: hostile(),
        instance: hostile(),
        readiness: Readiness::NotReady(vec![Obstacle { scheme: hostile(), code: hostile(), message: hostile() }]),
        store: hostile(),
        schemes: vec![Scheme {
            name: hostile(),
            scheme: hostile(),
            layout: Some(hostile()),
            namespace: Some(hostile()),
            lease: Some(Lease { state: hostile(), end_ms: Some(i64::MAX), grants: 2 }),
            last_error: Some(LastError { at_ms: i64::MIN, code: hostile(), message: hostile() }),
            ..orders()
        }],
        namespaces: vec![named, Namespace { name: hostile(), listing: Err(problem) }],
        ..empty()
    });
    assert_harmless(&page);
    assert!(page.matches("&lt;script&gt;").count() >= 15);
}

#[test]
fn typed_text_is_escaped_and_kept() {
    for text in [HOSTILE, "\" autofocus onfocus=alert(1) x=\"", "</title><script>", "\u{202e}\0<svg onload=alert(1)>"] {
        let page = asked(text);
        assert_harmless(&page.replace("<svg", "<img-is-none"));
        assert!(page.contains(r#"aria-invalid="true""#), "no ID: {text}");
    }
    assert!(asked("a\"b<c").contains(r#"value="a&quot;b&lt;c""#));
}

#[test]
fn the_name_of_a_configured_scheme_is_escaped_too() {
    let inspector_of_one = Inspector::at(NOW_MS).layout(&Layout::TWITTER).expect("room for it");
    let layouts = [(HOSTILE.to_owned(), Layout::TWITTER)];
    let page = inspector(&Inspection::of(&inspector_of_one, "175928847299117063", &layouts));
    assert_harmless(&page);
    assert!(page.contains("&lt;script&gt;alert(1)"));
}

#[test]
fn a_service_without_schemes_is_shown_as_such() {
    let page = status(&empty());
    assert!(page.contains("No schemes are configured") && page.contains("no scheme here needs a node"));
    assert!(page.contains("not known: the store has returned no time"));
    assert!(page.contains("<title>Ready · saiban</title>"));
}

#[test]
fn a_service_that_is_not_ready_shows_the_scheme_and_the_reason() {
    let obstacle = Obstacle {
        scheme: "orders".to_owned(),
        code: "STORE_UNAVAILABLE".to_owned(),
        message: "connection refused".to_owned(),
    };
    let scheme = Scheme { is_ready: false, nodes: None, ..orders() };
    let readiness = Readiness::NotReady(vec![obstacle]);
    let page = status(&Status { readiness, schemes: vec![scheme], ..empty() });
    assert!(page.contains("<title>NOT READY (1) · saiban</title>"));
    assert!(page.contains("STORE_UNAVAILABLE</code> connection refused") && page.contains(">not ready</span>"));
    let page = status(&Status { readiness: Readiness::Stopping, ..empty() });
    assert!(page.contains(">Stopping</h1>"));
}

#[test]
fn a_namespace_without_leases_shows_that_no_nodes_are_held() {
    let page = status(&Status { namespaces: vec![namespace(Vec::new())], ..empty() });
    assert!(page.contains("Nobody has nodes.") && page.contains("1,024 free"));
}

#[test]
fn nodes_that_cool_down_are_distinguished_from_held_ones() {
    let cooling = Slot { end_ms: 0, ..slot(7, "ids-1/7") };
    let over = Slot { end_ms: NOW_MS - 2, high_water_ms: NOW_MS - 1, ..slot(8, "ids-1/8") };
    let page = status(&Status { namespaces: vec![namespace(vec![slot(3, "ids-3/1"), cooling, over])], ..empty() });
    assert!(page.contains("1 held") && page.contains("1 cooling down") && page.contains("1,022 free"));
    assert!(page.contains("nobody, last ids-1/7") && !page.contains("ids-1/8"));
}

#[test]
fn a_thousand_leases_are_summed_by_machine_with_the_number_not_shown() {
    let slots: Vec<Slot> = (0..1_000).map(|node| slot(node, &format!("web-{}/{node}", node % 30))).collect();
    let page = status(&Status { namespaces: vec![namespace(slots)], ..empty() });
    assert!(page.contains("1,000 leases and ranges that cool down are too many to list here"));
    assert!(page.contains("saiban lease ls --namespace orders"));
    assert!(page.contains("Nodes by machine: the 20 with most of 30") && page.contains("And 10 machines with fewer."));
    assert!(page.contains("Leases that end first") && page.contains("<code>0..1</code>"), "the one that ends first");
    assert!(page.matches("<tr>").count() < 60 && page.len() < 40_000, "{} bytes", page.len());
}

#[test]
fn an_inconsistent_listing_is_still_drawn() {
    let backwards = Slot { nodes: std::ops::Range { start: 9, end: 2 }, ..slot(9, "a/1") };
    let outside = Slot { nodes: i64::MIN..i64::MAX, ..slot(0, "b/1") };
    for nodes in [i64::MIN, 0, 1, i64::MAX] {
        let mut odd = namespace(vec![backwards.clone(), outside.clone(), slot(5, "c/1")]);
        if let Ok(listing) = &mut odd.listing {
            listing.nodes = nodes;
        }
        assert!(status(&Status { namespaces: vec![odd], ..empty() }).contains("</html>"));
    }
}

#[test]
fn the_inspector_draws_ids_of_every_width() {
    for (id, bits) in [
        ("175928847299117063", "64 bits. "),
        ("507f191e810c19729de860ea", "96 bits. "),
        ("017f22e2-79b0-7cc3-98c4-dc0c0c07398f", "128 bits. "),
        ("8584379068854775807_042", "77 bits. "),
    ] {
        let page = asked(id);
        assert!(page.contains(&format!(r#"role="img" aria-label="{bits}"#)), "{id}");
        assert!(page.contains(r#"role="status">Most likely: "#), "{id}");
    }
}

#[test]
fn an_inspector_without_a_query_has_a_field_and_nothing_else() {
    let page = asked("");
    assert!(page.contains(r#"<input id="id" name="id""#) && page.contains(r#"<div id="answer"></div>"#));
    assert!(!page.contains("aria-invalid") && page.contains(" autofocus"));
}

#[test]
fn an_id_of_no_known_format_gets_a_hint() {
    assert!(asked("-1234567890123456789").contains("shows its parts with its secret only"));
    assert!(asked("507f191e810c19729de860e").contains("23 characters"), "what it was perhaps meant as");
}

#[test]
fn a_configured_layout_with_an_implausible_time_is_not_listed_first() {
    let layout = Layout::from_text("timestamp:48 node.region:4 node.host:12 sequence:20 random:12").expect("a layout");
    let own = Inspector::at(1_795_348_000_000).layout(&layout).expect("room for it");
    let inspection = Inspection::of(&own, "2124469684416102699", &[("events".to_owned(), layout)]);
    assert!(!inspection.candidates[0].is_plausible, "of 1970, in a layout of this service");
    let page = inspector(&inspection);
    assert!(page.contains("<h2>snowflake (") && page.contains("role=\"status\">Most likely: snowflake ("));
    let unlikely = page.split_once("Unlikely").expect("a list").1;
    assert!(unlikely.contains("events: flake"));
}
