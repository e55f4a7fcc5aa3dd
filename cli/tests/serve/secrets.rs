//! Logs and responses contain no secret.

use crate::grpc::{Grpc, frame};
use crate::http::Http;
use crate::instance::{Instance, eventually};
use crate::{NAMES, SECRET, every_scheme};
use serde_json::json;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::process::Command;

const TOKEN: &str = "operator-token-0123456789";
const WRONG: &str = "mistyped-token-0123456789";

#[test]
fn no_secret_and_no_token_is_in_a_log_or_an_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("token");
    std::fs::write(&file, format!("{TOKEN}\n")).expect("a file");
    // A table ends where the next one begins, and every_scheme adds tables too.
    let token = format!(
        "[log]\nlevel = \"trace\"\n[[tokens]]\nname = \"operator\"\ntoken_file = \"{}\"\nscopes = [\"admin\"]\n",
        file.display()
    );
    let (mut instance, _folder) = every_scheme(&token);
    let mut http = Http::to(instance.address());
    let mut grpc = Grpc::with_token(instance.address(), TOKEN);
    let mut answers = String::new();
    for token in [TOKEN, WRONG] {
        let bearer = format!("Bearer {token}");
        let headers = [("Authorization", &*bearer), ("Content-Type", "application/json")];
        let bodies = [
            json!({ "ids": ["1", SECRET] }),
            json!({ "timestamp_ms": 1, "node": 1, "sequence": 1, "random": "1" }),
            json!({}),
        ];
        for path in [
            "/",
            "/inspect?id=1",
            "/readyz",
            "/metrics",
            "/openapi.json",
            "/v1/schemes",
            "/v1/leases/randflake",
            "/v1/leases/none",
        ] {
            answers.push_str(&format!("{:?}", http.ask("GET", path, &headers, None).text()));
        }
        for name in NAMES {
            for path in ["ids", "inspect", "compose"] {
                for body in &bodies {
                    let text = body.to_string();
                    let answer =
                        http.ask("POST", &format!("/v1/schemes/{name}/{path}"), &headers, Some(text.as_bytes()));
                    // The response repeats the input, so that responses can be distinguished.
                    answers.push_str(&answer.text().replace(&format!("\"input\":\"{SECRET}\""), ""));
                }
            }
        }
        let request = json!({ "scheme": "randflake", "ttl_us": 1_000_000 }).to_string();
        answers.push_str(&http.ask("POST", "/v1/leases/randflake/acquire", &headers, Some(request.as_bytes())).text());
        answers.push_str(&http.ask("POST", "/v1/leases/randflake/quarantine", &headers, None).text());
    }
    for path in [
        "/saiban_id.v1.IdsService/ListSchemes",
        "/saiban_id.v1.IdsService/Generate",
        "/saiban_id.v1.LeasesService/List",
    ] {
        answers.push_str(&format!("{:?}", grpc.raw(path, frame(b"\x0a\x09randflake"))));
        answers.push_str(&format!("{:?}", Grpc::with_token(instance.address(), WRONG).raw(path, frame(b""))));
    }
    assert!(instance.end().success());
    let log = instance.log();
    assert!(log.contains("TRACE") || log.contains("DEBUG"), "{log}");
    let raw: Vec<u8> = (0..16).map(|at| u8::from_str_radix(&SECRET[2 * at..2 * at + 2], 16).expect("hex")).collect();
    let answers_low = answers.to_ascii_lowercase();
    for secret in [SECRET, TOKEN, WRONG, &format!("{raw:?}")] {
        assert!(!log.contains(secret), "{secret} is in the log");
        assert!(!answers_low.contains(&secret.to_ascii_lowercase()), "{secret} is in an answer");
    }
}

#[test]
fn the_password_of_the_store_is_not_shown() {
    const PASSWORD: &str = "correct-horse-battery";
    let store = format!("store = \"postgres://saiban:{PASSWORD}@127.0.0.1:1/ids\"\n");
    let configuration = format!(
        "{store}[log]\nlevel = \"trace\"\n[schemes.orders]\nscheme = \"snowflake\"\n[schemes.ulid]\nscheme = \"ulid\"\n"
    );
    let mut instance = Instance::start(&configuration);
    let mut http = Http::to(instance.address());
    eventually("the store does not answer", || instance.log().contains("no lease yet"));
    let mut answers = String::new();
    for path in ["/", "/readyz", "/metrics", "/v1/schemes", "/v1/leases/orders"] {
        answers.push_str(&http.get(path).text());
    }
    let answer = http.ask("POST", "/v1/schemes/orders/ids", &[], None);
    assert_eq!((answer.status, &*answer.code(), answer.header("retry-after")), (503, "STORE_UNAVAILABLE", Some("1")));
    answers.push_str(&answer.text());
    // IDs that need no store are still issued.
    assert_eq!(http.ask("POST", "/v1/schemes/ulid/ids", &[], None).status, 200);
    let ready = http.get("/readyz");
    assert_eq!(ready.status, 503);
    assert_eq!(ready.json()["not_ready"].as_object().map(|schemes| schemes.len()), Some(1), "{ready:?}");
    assert!(instance.end().success());
    assert!(!instance.log().contains(PASSWORD), "{}", instance.log());
    assert!(!answers.contains(PASSWORD), "{answers}");
}

#[test]
fn a_secret_file_that_others_can_read_causes_one_warning() {
    let folder = tempfile::tempdir().expect("a folder");
    let exposed = |name: &str, text: &str, mode: u32| {
        let file = folder.path().join(name);
        std::fs::write(&file, text).expect("a file");
        std::fs::set_permissions(&file, PermissionsExt::from_mode(mode)).expect("a mode");
        file.display().to_string()
    };
    let authority = crate::tls::authority("ours");
    let (secret, token) = (exposed("secret", SECRET, 0o644), exposed("token", TOKEN, 0o604));
    let (own, key) = (exposed("own", "own-token-0123456789", 0o600), exposed("key_file", &authority.key, 0o666));
    let certificate = exposed("certificate_file", &authority.certificate, 0o644);
    let configuration = format!(
        "[schemes.public]\nscheme = \"randflake\"\nsecret_file = \"{secret}\"\n\
         [tls]\ncertificate_file = \"{certificate}\"\nkey_file = \"{key}\"\n\
         [[tokens]]\nname = \"operator\"\ntoken_file = \"{token}\"\nscopes = [\"admin\"]\n\
         [[tokens]]\nname = \"own\"\ntoken_file = \"{own}\"\nscopes = [\"admin\"]\n"
    );
    let instance = Instance::start_in(folder.path(), "instance", &configuration);
    instance.reload();
    let log = instance.log();
    // The group may read root's files.
    let is_roots = std::fs::metadata(&secret).is_ok_and(|file| file.uid() == 0);
    let private = |mode: u32| mode & if is_roots { !0o037 } else { !0o077 };
    for (file, mode) in [(&secret, 0o644), (&token, 0o604), (&key, 0o666)] {
        let words = format!("(mode {mode:04o}): chmod {:o} {file}", private(mode));
        assert_eq!(log.matches(&words).count(), 1, "{file}: {log}");
    }
    assert_eq!(log.matches("chmod").count(), 3, "{log}");
    assert!(![SECRET, TOKEN, "own-token-0123456789"].iter().any(|secret| log.contains(secret)), "{log}");
    let check = Command::new(env!("CARGO_BIN_EXE_saiban"))
        .args(["serve", "--check", "--config"])
        .arg(instance.configuration())
        .output()
        .expect("the program runs");
    let stderr = String::from_utf8_lossy(&check.stderr);
    assert!(check.status.success() && stderr.lines().count() == 3, "{stderr}");
    assert!(stderr.lines().all(|line| line.starts_with("saiban: warning: ")), "{stderr}");
    // A configuration with the password of a store is such a file too.
    let configuration =
        "store = \"postgres://saiban:correct-horse@127.0.0.1:1/ids\"\n[schemes.ulid]\nscheme = \"ulid\"\n";
    let instance = Instance::start(configuration);
    let file = instance.configuration().display().to_string();
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o644)).expect("a mode");
    let log = instance.reload();
    let words = format!("chmod {:o} {file}", private(0o644));
    assert!(log.contains(&words) || instance.log().contains(&words), "{log}");
}
