//! SIGHUP: which settings change while the service runs, which do not, and that no connection or
//! lease is lost.

use crate::grpc::{Grpc, UNAUTHENTICATED};
use crate::http::Http;
use crate::instance::{Instance, eventually};
use crate::tls::{authority, connect, get, write};
use serde_json::Value;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

const OLD: &str = "old-token-0123456789";
const NEW: &str = "new-token-0123456789";
const ORDERS: &str = "[schemes.orders]\nscheme = \"snowflake\"\n";

/// Writes a token to a file, and returns its configuration; both have this name.
fn token(folder: &Path, name: &str, token: &str) -> String {
    let file = folder.join(name);
    std::fs::write(&file, token).expect("a file");
    format!("[[tokens]]\nname = \"{name}\"\ntoken_file = \"{}\"\nscopes = [\"admin\"]\n", file.display())
}

/// Returns the status of a request with this token.
fn status(instance: &Instance, token: &str) -> u16 {
    let bearer = format!("Bearer {token}");
    Http::to(instance.address()).ask("GET", "/v1/schemes", &[("Authorization", &bearer)], None).status
}

/// Returns the held slots of the namespace.
fn held(instance: &Instance, token: &str) -> Vec<Value> {
    let bearer = format!("Bearer {token}");
    let answer = Http::to(instance.address()).ask("GET", "/v1/leases/orders", &[("Authorization", &bearer)], None);
    assert_eq!(answer.status, 200, "{answer:?}");
    let listing = answer.json();
    let slots = listing["slots"].as_array().expect("slots").clone();
    slots.into_iter().filter(|slot| slot["end_us"].as_i64() > listing["now_us"].as_i64()).collect()
}

#[test]
fn tokens_are_added_and_removed_and_the_nodes_stay_leased_until_the_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    let old = token(path, "old", OLD);
    let mut instance = Instance::start_in(path, "instance", &format!("{ORDERS}{old}"));
    instance.wait_until_ready();
    assert_eq!((status(&instance, OLD), status(&instance, NEW)), (200, 401));
    let nodes = held(&instance, OLD);
    assert_eq!(nodes.len(), 1, "{nodes:?}");
    let mut before = Http::to(instance.address());
    assert_eq!(before.get("/healthz").status, 200);

    instance.configure(|text| text + &token(path, "new", NEW));
    let log = instance.reload();
    assert!(log.contains("reloaded") && log.contains("tokens.new"), "{log}");
    assert_eq!((status(&instance, OLD), status(&instance, NEW)), (200, 200));
    // A stream that was begun with a token ends when the token is removed.
    let mut streaming = Grpc::with_token(instance.address(), OLD);
    let asked = saiban_service::grpc::proto::StreamRequest { scheme: "orders".into(), count: 3, batch: 1 };
    assert!(streaming.raw(crate::STREAM, crate::grpc::frame(&prost::Message::encode_to_vec(&asked))).is_ok());

    instance.configure(|text| text.replace(&old, ""));
    let log = instance.reload();
    assert!(log.contains("tokens.old"), "{log}");
    assert_eq!((status(&instance, OLD), status(&instance, NEW)), (401, 200));
    let refused = streaming.raw(crate::STREAM, crate::grpc::frame(&prost::Message::encode_to_vec(&asked)));
    assert_eq!(refused.expect_err("the token was removed").code, UNAUTHENTICATED);

    // The content of a file may change too.
    std::fs::write(path.join("new"), OLD).expect("a file");
    let log = instance.reload();
    assert!(log.contains("tokens.new"), "{log}");
    assert_eq!((status(&instance, OLD), status(&instance, NEW)), (200, 401));

    assert_eq!(before.get("/healthz").status, 200, "the connection is the same");
    let still: Vec<_> = held(&instance, OLD).iter().map(|slot| slot["fence"].clone()).collect();
    assert_eq!(still, [nodes[0]["fence"].clone()], "the lease is the same");
    assert_eq!(instance.log().matches("leased nodes").count(), 1, "{}", instance.log());
    assert!(!instance.log().contains("released nodes"), "{}", instance.log());
    assert!(instance.end().success());
    assert!(instance.log().contains("released nodes"), "{}", instance.log());
}

#[test]
fn new_connections_have_the_new_certificate_and_old_ones_go_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let (first, second) = (authority("first"), authority("second"));
    let instance = Instance::start(&format!(
        "[schemes.ulid]\nscheme = \"ulid\"\n{}{}",
        token(folder.path(), "operator", OLD),
        write(&first, folder.path())
    ));
    let mut old = connect(&first, &instance, None);
    assert_eq!(get(&mut old).expect("an answer"), 401);
    write(&second, folder.path());
    assert_eq!(get(&mut connect(&first, &instance, None)).expect("an answer"), 401, "not before the signal");
    let log = instance.reload();
    assert!(log.contains("reloaded") && log.contains("tls"), "{log}");
    assert_eq!(get(&mut connect(&second, &instance, None)).expect("an answer"), 401);
    assert!(get(&mut connect(&first, &instance, None)).is_err(), "the old certificate");
    assert_eq!(get(&mut old).expect("an answer"), 401, "the old connection");
    // A certificate and a key that do not match are refused, as when only one of two files has been
    // replaced.
    std::fs::write(folder.path().join("key_file"), &first.key).expect("a file");
    let log = instance.reload();
    assert!(log.contains("refused") && log.contains("do not match"), "{log}");
    assert_eq!(get(&mut connect(&second, &instance, None)).expect("an answer"), 401);
}

/// Starts a service with these lines for TLS, and a token.
fn with_tls(folder: &Path, tls: &str) -> Instance {
    Instance::start(&format!("[schemes.ulid]\nscheme = \"ulid\"\n{}{tls}", token(folder, "operator", OLD)))
}

#[test]
fn a_connection_has_the_rights_of_certificates_only_if_its_own_was_verified_by_the_same_authorities() {
    let folder = tempfile::tempdir().expect("a folder");
    let (ours, theirs) = (authority("ours"), authority("theirs"));
    let tls = write(&ours, folder.path());
    let instance = with_tls(folder.path(), &tls);
    let mut without = connect(&ours, &instance, None);
    assert_eq!(get(&mut without).expect("an answer"), 401);

    let ca = folder.path().join("ca");
    let mutual = format!("client_ca_file = \"{}\"\nclient_scopes = [\"generate\"]\n", ca.display());
    instance.configure(|text| format!("{text}{mutual}"));
    let log = instance.reload();
    assert!(log.contains("reloaded") && log.contains("tls"), "{log}");
    assert_eq!(get(&mut without).expect("an answer"), 401, "it has no certificate");
    let mut with = connect(&ours, &instance, Some(&ours));
    assert_eq!(get(&mut with).expect("an answer"), 200);

    instance.configure(|text| text.replace("[\"generate\"]", "[\"inspect\"]"));
    assert!(instance.reload().contains("tls"));
    assert_eq!(get(&mut with).expect("an answer"), 200, "its authority is the same");

    std::fs::write(&ca, &theirs.ca).expect("a file");
    assert!(instance.reload().contains("tls"));
    assert_eq!(get(&mut with).expect("an answer"), 401, "its authority is not trusted any more");
    assert_eq!(get(&mut connect(&ours, &instance, Some(&theirs))).expect("an answer"), 200);
}

#[test]
fn tls_stays_until_a_restart_also_when_its_files_are_gone() {
    let folder = tempfile::tempdir().expect("a folder");
    let ours = authority("ours");
    let tls = write(&ours, folder.path());
    let instance = with_tls(folder.path(), &tls);
    instance.configure(|text| text.replace(&tls, &token(folder.path(), "new", NEW)));
    for name in ["certificate_file", "key_file"] {
        std::fs::remove_file(folder.path().join(name)).expect("removed");
    }
    let log = instance.reload();
    assert!(log.contains("restart to apply") && log.contains("\"tls\""), "{log}");
    assert!(log.lines().any(|line| line.contains("reloaded") && line.contains("tokens.new")), "{log}");
    let bearer = format!("Bearer {NEW}");
    let mut http = connect(&ours, &instance, None);
    assert_eq!(http.ask("GET", "/v1/schemes", &[("Authorization", &bearer)], None).status, 200);
}

#[test]
fn a_refused_reload_warns_of_files_that_others_can_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    let instance = Instance::start(&format!("{ORDERS}{}", token(path, "old", OLD)));
    let new = token(path, "new", NEW);
    std::fs::set_permissions(path.join("new"), Permissions::from_mode(0o644)).expect("a mode");
    let gone = "[[tokens]]\nname = \"gone\"\ntoken_file = \"/none/token\"\nscopes = [\"admin\"]\n";
    instance.configure(|text| format!("{text}{new}{gone}"));
    let log = instance.reload();
    assert!(log.contains("refused") && log.contains("/none/token"), "{log}");
    let warned = |line: &&str| line.contains("WARN") && line.contains(&path.join("new").display().to_string());
    assert_eq!(log.lines().filter(warned).count(), 1, "{log}");
}

#[test]
fn an_invalid_configuration_is_refused_as_a_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    let old = token(path, "old", OLD);
    let mut instance = Instance::start_in(path, "instance", &format!("{ORDERS}{old}"));
    instance.wait_until_ready();
    let good = std::fs::read_to_string(instance.configuration()).expect("a file");
    let new = token(path, "new", NEW);
    for (text, words) in [
        (format!("{good}{new}[limits\n"), "line"),
        (format!("{good}{new}[limits]\nmax_batch = 0\n"), "limits.max_batch is 0"),
        (format!("{good}{new}[limits]\nmax_bathc = 1\n"), "max_bathc"),
        (format!("{good}{new}[schemes.other]\nscheme = \"nothing\"\n"), "schemes.other"),
        (
            format!("{good}{new}[[tokens]]\nname = \"gone\"\ntoken_file = \"/none/token\"\nscopes = [\"admin\"]\n"),
            "/none/token",
        ),
        // An empty file must not allow every client.
        (String::new(), "tokens: there are none"),
    ] {
        instance.configure(|_| text.clone());
        let log = instance.reload();
        assert!(log.contains("refused") && log.contains(words), "{words}: {log}");
        assert!(!log.contains("reloaded"), "{log}");
        assert_eq!((status(&instance, OLD), status(&instance, NEW)), (200, 401), "{words}");
    }
    instance.configure(|_| format!("{good}{new}"));
    assert!(instance.reload().contains("tokens.new"));
    assert_eq!(status(&instance, NEW), 200);
    assert!(instance.is_running());
}

#[test]
fn a_reload_changes_what_it_can_and_names_settings_that_need_a_restart() {
    let instance = Instance::ready("[schemes.ulid]\nscheme = \"ulid\"\n");
    let mut http = Http::to(instance.address());
    let many = "/v1/schemes/ulid/ids?count=8";
    assert_eq!(http.ask("POST", many, &[], None).status, 200);
    let started = std::fs::read_to_string(instance.configuration()).expect("a file");
    instance.configure(|text| {
        let text = text.replace("listen = [\"127.0.0.1:0\"]", "listen = [\"127.0.0.1:1\"]");
        format!(
            "{text}[schemes.more]\nscheme = \"ulid\"\n[limits]\nmax_batch = 7\nmax_connections = 9\nidle_timeout_s = 77\n\
             [log]\nlevel = \"debug\"\nformat = \"json\"\n"
        )
    });
    let log = instance.reload();
    for key in ["limits.max_batch", "limits.idle_timeout_s", "log.level"] {
        assert!(log.lines().any(|line| line.contains("reloaded") && line.contains(key)), "{key}: {log}");
    }
    for key in ["listen", "schemes.more", "limits.max_connections", "log.format"] {
        let named = log.lines().find(|line| line.contains("restart to apply") && line.contains(&format!("\"{key}\"")));
        assert!(named.is_some(), "{key}: {log}");
    }
    assert!(!log.contains("schemes.ulid"), "{log}");
    assert_eq!(http.ask("POST", many, &[], None).status, 400);
    assert!(http.get("/openapi.json").text().contains("\"maximum\": 7"));
    eventually("the log has the new level", || instance.log().contains("DEBUG"));
    assert_eq!(http.get("/v1/schemes/more").status, 404);
    // With the initial configuration nothing needs a restart.
    instance.configure(|_| started.clone());
    let log = instance.reload();
    assert!(log.contains("limits.max_batch") && !log.contains("restart"), "{log}");
    assert_eq!(http.ask("POST", many, &[], None).status, 200);
    assert!(instance.reload().contains("changed=\"\""), "nothing changed");
}
