//! The configuration, and the messages for mistakes: `saiban serve --check`.

use crate::http::Http;
use crate::instance::Instance;
use std::path::Path;
use std::process::Command;

/// Whether a configuration is accepted, and the messages.
struct Checked {
    is_good: bool,
    said: String,
}

/// Checks a file with this text, these variables and these `--set` flags.
fn check(text: &str, variables: &[(&str, &str)], settings: &[&str]) -> Checked {
    let folder = tempfile::tempdir().expect("a folder");
    check_in(folder.path(), text, variables, settings)
}

fn check_in(folder: &Path, text: &str, variables: &[(&str, &str)], settings: &[&str]) -> Checked {
    let file = folder.join("saiban.toml");
    std::fs::write(&file, text).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_saiban"));
    command.args(["serve", "--check", "--config"]).arg(file).env("XDG_STATE_HOME", folder).env("HOME", folder);
    for (variable, _) in std::env::vars_os() {
        if variable.to_string_lossy().starts_with("SAIBAN") {
            command.env_remove(variable);
        }
    }
    command.args(settings.iter().flat_map(|setting| ["--set", setting]));
    let output = command.envs(variables.iter().copied()).output().expect("the program runs");
    let said = [output.stdout, output.stderr].concat();
    Checked { is_good: output.status.success(), said: String::from_utf8(said).expect("text") }
}

/// Checks that the configuration is refused, with all of these words.
fn assert_refused(checked: &Checked, words: &[&str]) {
    assert!(!checked.is_good, "{}", checked.said);
    for word in words {
        assert!(checked.said.contains(word), "{word:?} is not in {}", checked.said);
    }
}

#[test]
fn unreadable_settings_are_reported_by_position_without_their_value() {
    const SECRET: &str = "correct-horse-battery";
    for (text, place) in [
        (format!("\nstore = \"postgres://u:{SECRET}@h/x\n"), "line 2, column"),
        (format!("store = 'postgres://u:{SECRET}@h/x\n"), "line 1, column"),
        (format!("store = postgres://u:{SECRET}@h/x\n"), "line 1, column"),
        (format!("store = [\"{SECRET}\"]\n"), "at store"),
        (format!("[[tokens]]\nname = \"a\"\ntoken_sha256 = {SECRET}\nscopes = [\"admin\"]\n"), "line 3, column"),
        (format!("tokens = \"{SECRET}\"\n"), "line 1, column 10, at tokens"),
        (format!("[[tokens]]\nname = \"a\"\nscopes = \"{SECRET}\"\n"), "line 3, column 10, at tokens[0].scopes"),
    ] {
        let checked = check(&text, &[], &[]);
        assert_refused(&checked, &["saiban.toml", place]);
        assert!(!checked.said.contains(SECRET), "{}", checked.said);
    }
    for variable in ["SAIBAN_SERVE_TOKENS", "SAIBAN_SERVE_TLS", "SAIBAN_SERVE_LIMITS__MAX_BATCH", "SAIBAN_SERVE_TOKEN"]
    {
        for value in [SECRET.to_owned(), format!("\"{SECRET}\""), format!("\"{SECRET}")] {
            let checked = check("", &[(variable, &value)], &[]);
            assert_refused(&checked, &[variable]);
            assert!(!checked.said.contains(SECRET), "{}", checked.said);
        }
    }
    let checked = check("", &[("SAIBAN_SERVE_TOKENS", "12345678")], &[]);
    assert!(!checked.is_good && !checked.said.contains("12345678"), "{}", checked.said);
}

#[test]
fn a_check_reads_the_files_of_tls() {
    let folder = tempfile::tempdir().expect("a folder");
    let certified = rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
    let text = "[tls]\ncertificate_file = \"FOLDER/a.crt\"\nkey_file = \"FOLDER/a.key\"\n"
        .replace("FOLDER", &folder.path().display().to_string());
    assert_refused(&check_in(folder.path(), &text, &[], &[]), &["certificate_file", "a.crt"]);
    std::fs::write(folder.path().join("a.crt"), certified.cert.pem()).expect("a file");
    assert_refused(&check_in(folder.path(), &text, &[], &[]), &["key_file", "a.key"]);
    std::fs::write(folder.path().join("a.key"), certified.signing_key.serialize_pem()).expect("a file");
    let checked = check_in(folder.path(), &text, &[], &[]);
    assert!(checked.is_good && checked.said.contains("(TLS)"), "{}", checked.said);
}

#[test]
fn an_error_names_the_variable_or_the_flag_that_it_comes_from() {
    for (variable, value, word) in [
        ("SAIBAN_SERVE_LIMITS__MAX_BATCH", "many", "expected a whole number"),
        ("SAIBAN_SERVE_LIMITS__MAX_BATCH", "0", "give 1 to 1000000"),
        ("SAIBAN_SERVE_LIMITS__MAX_BATHC", "1", "unknown field"),
        ("SAIBAN_SERVE_LISTNE", "127.0.0.1:7609", "unknown field"),
        ("SAIBAN_SERVE_LOG__LEVEL", "loud", "unknown variant"),
        ("SAIBAN_SERVE_SCHEMES__ORDERS__NODES", "1", "scheme"),
        ("SAIBAN_SERVE_LISTEN", "", ""),
    ] {
        let checked = check("", &[(variable, value)], &[]);
        if value.is_empty() {
            assert!(checked.is_good, "{variable}: {}", checked.said);
            continue;
        }
        assert_refused(&checked, &[variable, word]);
    }
    assert_refused(&check("", &[], &["limits.max_batch=many"]), &["--set limits.max_batch"]);
    assert_refused(&check("", &[], &["limits.max_batch=0"]), &["--set limits.max_batch"]);
    // The flag takes precedence, so the message is about the flag.
    let both = check("", &[("SAIBAN_SERVE_LIMITS__MAX_BATCH", "1")], &["limits.max_batch=many"]);
    assert_refused(&both, &["--set limits.max_batch"]);
    assert!(!both.said.contains("SAIBAN_SERVE"), "{}", both.said);
}

#[test]
fn a_later_source_replaces_a_store_however_it_was_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("url");
    std::fs::write(&file, "sqlite:/tmp/of-a-file.db").expect("a file");
    let text = format!("store_file = \"{}\"\n", file.display());
    let set = format!("store_file={}", file.display());
    let (all, own) = (("SAIBAN_STORE", "sqlite:/tmp/all.db"), ("SAIBAN_SERVE_STORE", "sqlite:/tmp/own.db"));
    for (variables, settings, store) in [
        (&[][..], &[][..], "of-a-file.db"),
        (&[all], &[], "all.db"),
        (&[own, all], &[], "own.db"),
        (&[own, all], &["store=sqlite:/tmp/set.db"], "set.db"),
        (&[own], &[&set], "of-a-file.db"),
        (&[("SAIBAN_STORE", "")], &[], "of-a-file.db"),
    ] {
        let checked = check_in(folder.path(), &text, variables, settings);
        assert!(checked.is_good && checked.said.contains(store), "{variables:?} {settings:?}: {}", checked.said);
    }
    let both = check_in(folder.path(), "", &[], &[&set, "store=sqlite:/tmp/set.db"]);
    assert_refused(&both, &["--set store", "store_file"]);
}

#[test]
fn a_variable_has_no_effect_after_a_table_replaced_it() {
    let variables = [("SAIBAN_SERVE_LIMITS__MAX_BATCH", "2024")];
    assert_refused(&check("", &variables, &["limits={max_batch='many'}"]), &["--set limits", "whole number"]);
    let name = [("SAIBAN_SERVE_SCHEMES__ORDERS__NAMESPACE", "of-a-variable")];
    let checked = check("", &name, &["schemes.orders={scheme='snowflake', namespace=2024}"]);
    assert_refused(&checked, &["--set schemes.orders", "namespace"]);
    assert!(!checked.said.contains("SAIBAN_SERVE"), "{}", checked.said);
}

#[test]
fn a_value_in_place_of_a_table_is_refused() {
    for (variables, settings, origin) in [
        (&[("SAIBAN_SERVE_LOG", "debug")][..], &[][..], "SAIBAN_SERVE_LOG"),
        (&[], &["schemes.orders=snowflake"], "--set schemes.orders"),
    ] {
        assert_refused(
            &check("", variables, settings),
            &[origin, "expected a table", "log.level", "schemes.orders.scheme"],
        );
    }
}

#[test]
fn the_variables_that_kubernetes_sets_for_a_service_of_this_name_are_ignored() {
    let checked = check(
        "",
        &[
            ("SAIBAN_SERVE_PORT", "tcp://10.0.0.1:7609"),
            ("SAIBAN_SERVE_PORT_7609_TCP", "tcp://10.0.0.1:7609"),
            ("SAIBAN_SERVE_PORT_7609_TCP_ADDR", "10.0.0.1"),
            ("SAIBAN_SERVE_SERVICE_HOST", "10.0.0.1"),
            ("SAIBAN_SERVE_SERVICE_PORT", "7609"),
            ("SAIBAN_SERVE_SERVICE_PORT_IDS", "7609"),
        ],
        &[],
    );
    assert!(checked.is_good, "{}", checked.said);
}

#[test]
fn a_variable_is_read_in_the_type_of_its_key() {
    for (variable, value, word) in [
        ("SAIBAN_SERVE_LISTEN", "127.0.0.1:1234", "listen 127.0.0.1:1234"),
        ("SAIBAN_SERVE_LISTEN", "\"127.0.0.1:1234\"", "listen 127.0.0.1:1234"),
        ("SAIBAN_SERVE_LISTEN", "127.0.0.1:1, 127.0.0.1:1234", "listen 127.0.0.1:1234"),
        ("SAIBAN_SERVE_LISTEN", "[::1]:1234", "listen [::1]:1234"),
        ("SAIBAN_SERVE_LISTEN", "[\"127.0.0.1:1\", \"[::1]:1234\"]", "listen [::1]:1234"),
        ("SAIBAN_SERVE_SCHEMES__ORDERS__NAMESPACE", "2024", "namespace 2024"),
        ("SAIBAN_SERVE_SCHEMES__ORDERS__NAMESPACE", "true", "namespace true"),
        ("SAIBAN_SERVE_SCHEMES__ORDERS__NODES", "4", "scheme orders"),
        ("SAIBAN_SERVE_STORE", "", "store sqlite:"),
    ] {
        let checked = check("[schemes.orders]\nscheme = \"snowflake\"\n", &[(variable, value)], &[]);
        assert!(checked.is_good && checked.said.contains(word), "{variable}={value}: {}", checked.said);
    }
    let one = check("listen = \"127.0.0.1:1234\"\n", &[], &["limits.max_batch=5"]);
    assert!(one.is_good && one.said.contains("listen 127.0.0.1:1234"), "{}", one.said);
    assert_refused(
        &check("", &[("SAIBAN_SERVE_LISTEN", "localhost:7609")], &[]),
        &["SAIBAN_SERVE_LISTEN", "\"localhost:7609\"", "127.0.0.1:7609"],
    );
    let two = check("", &[("SAIBAN_SERVE_LIMITS__MAX_BATCH", "10\nmax_in_flight=5")], &[]);
    assert_refused(&two, &["SAIBAN_SERVE_LIMITS__MAX_BATCH"]);
}

const HASH: &str = "token_sha256 = \"0000000000000000000000000000000000000000000000000000000000000000\"\n";

#[test]
fn names_that_no_request_can_have_and_tokens_without_scope_are_refused() {
    for (text, words) in [
        ("[schemes.\".\"]\nscheme = \"ulid\"\n", ["\".\"", "A-Z"]),
        ("[schemes.\"..\"]\nscheme = \"ulid\"\n", ["\"..\"", "A-Z"]),
        ("[schemes.a]\nscheme = \"snowflake\"\nnamespace = \"..\"\n", ["schemes.a", "\"..\""]),
        ("[schemes.a]\nscheme = \"snowflake\"\nnamespace = \".\"\n", ["schemes.a", "\".\""]),
    ] {
        assert_refused(&check(text, &[], &[]), &words);
    }
    let token =
        |rest: &str| format!("[schemes.orders]\nscheme = \"ulid\"\n[[tokens]]\nscopes = [\"generate\"]\n{HASH}{rest}");
    assert_refused(&check(&token("name = \"\"\n"), &[], &[]), &["tokens", "name"]);
    assert_refused(
        &check(&token("name = \"shop\"\nschemes = [\"orders\", \"typo\"]\n"), &[], &[]),
        &["\"shop\"", "\"typo\"", "orders"],
    );
    let gone = check(&token("name = \"gone\"\nexpires = 2020-01-01T00:00:00Z\n"), &[], &[]);
    assert!(gone.is_good && gone.said.contains("token gone: generate (expired"), "{}", gone.said);
}

#[test]
fn the_document_has_the_limits_of_the_instance() {
    let instance = Instance::ready("[schemes.users]\nscheme = \"ulid\"\n[limits]\nmax_batch = 77\n");
    let mut http = Http::to(instance.address());
    let document = http.get("/openapi.json").json();
    let schemas = &document["components"]["schemas"];
    assert_eq!(schemas["IdsBody"]["properties"]["ids"]["maxItems"], 77);
    assert_eq!(schemas["ConvertBody"]["properties"]["texts"]["maxItems"], 77);
    let parameters = &document["paths"]["/v1/schemes/{scheme}/ids"]["post"]["parameters"];
    assert!(parameters.to_string().contains("\"maximum\":77"), "{parameters}");
    // The limit for IDs of unknown origin is 256, or `max_batch` if that is lower.
    assert_eq!(schemas["AnyBody"]["properties"]["ids"]["maxItems"], 77);
}

#[test]
fn the_accept_header_selects_the_format() {
    let instance = Instance::ready("[schemes.users]\nscheme = \"ulid\"\n");
    let mut http = Http::to(instance.address());
    for (accept, kind) in [
        ("application/octet-stream", "application/octet-stream"),
        ("application/octet-stream;q=0.5, application/json", "application/octet-stream"),
        ("application/octet-stream;q=0, application/json", "application/json"),
        ("application/octet-stream; Q=0.000, text/plain", "text/plain; charset=utf-8"),
        ("application/octet-stream;q=0", "application/json"),
        ("image/png", "application/json"),
        ("Application/Octet-Stream", "application/octet-stream"),
        ("TEXT/plain", "text/plain; charset=utf-8"),
    ] {
        let answer = http.ask("POST", "/v1/schemes/users/ids", &[("Accept", accept)], None);
        assert_eq!((answer.status, answer.header("content-type")), (200, Some(kind)), "{accept}");
    }
}
