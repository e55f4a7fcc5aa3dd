//! TLS and client certificates.

#[path = "../../../coordination/tests/authority/mod.rs"]
mod authority;

use crate::http::Http;
use crate::instance::{Instance, refused};
use authority::Authority;
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, StreamOwned};
use std::io;
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;

pub fn authority(name: &str) -> Authority {
    Authority::new(name, "localhost")
}

/// Writes the certificate and key of a service, and returns the lines of its configuration.
pub fn write(authority: &Authority, folder: &Path) -> String {
    let mut lines = String::from("[tls]\n");
    for (name, pem) in [("certificate_file", &authority.certificate), ("key_file", &authority.key)] {
        let path = folder.join(name);
        std::fs::write(&path, pem).expect("a file");
        lines.push_str(&format!("{name} = \"{}\"\n", path.display()));
    }
    std::fs::write(folder.join("ca"), &authority.ca).expect("a file");
    lines
}

/// Connects a client that trusts this authority, with a certificate of another authority, or
/// without one.
pub fn connect(
    authority: &Authority,
    instance: &Instance,
    client: Option<&Authority>,
) -> Http<StreamOwned<ClientConnection, TcpStream>> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().expect("versions");
    let config = config.with_root_certificates(authority.roots());
    let config = match client.map(Authority::pair) {
        None => config.with_no_client_auth(),
        Some((certificates, key)) => config.with_client_auth_cert(certificates, key).expect("a pair"),
    };
    let name = ServerName::try_from("localhost").expect("a name");
    let connection = ClientConnection::new(Arc::new(config), name).expect("a connection");
    Http::over(StreamOwned::new(connection, TcpStream::connect(instance.address()).expect("it listens")))
}

pub fn get(http: &mut Http<StreamOwned<ClientConnection, TcpStream>>) -> io::Result<u16> {
    http.send(b"GET /v1/schemes HTTP/1.1\r\nHost: localhost\r\n\r\n")?;
    http.answer().map(|answer| answer.status)
}

const ULID: &str = "[schemes.ulid]\nscheme = \"ulid\"\n";
const TOKEN: &str = "operator-token-0123456789";

fn token(folder: &Path) -> String {
    std::fs::write(folder.join("token"), TOKEN).expect("a file");
    format!(
        "[[tokens]]\nname = \"operator\"\ntoken_file = \"{}\"\nscopes = [\"admin\"]\n",
        folder.join("token").display()
    )
}

#[test]
fn unencrypted_requests_get_no_answer_over_tls() {
    let folder = tempfile::tempdir().expect("a folder");
    let ours = authority("ours");
    let instance = Instance::start(&format!("{ULID}{}{}", token(folder.path()), write(&ours, folder.path())));
    let mut http = connect(&ours, &instance, None);
    let bearer = format!("Bearer {TOKEN}");
    assert_eq!(http.ask("GET", "/v1/schemes", &[("Authorization", &bearer)], None).status, 200);
    assert_eq!(get(&mut http).expect("an answer"), 401);
    assert!(!instance.get("/healthz").starts_with("HTTP/1.1 200"));
    // Clients do not trust certificates of other authorities.
    assert!(get(&mut connect(&authority("theirs"), &instance, None)).is_err());
}

#[test]
fn a_client_certificate_is_required_and_has_the_configured_scopes() {
    let folder = tempfile::tempdir().expect("a folder");
    let (ours, theirs) = (authority("ours"), authority("theirs"));
    let tls = write(&ours, folder.path());
    let ca = folder.path().join("ca");
    let mutual = format!("{tls}client_ca_file = \"{}\"\nclient_scopes = [\"generate\"]\n", ca.display());
    let instance = Instance::start(&format!("{ULID}{}{mutual}", token(folder.path())));
    assert!(get(&mut connect(&ours, &instance, None)).is_err(), "no certificate");
    assert!(get(&mut connect(&ours, &instance, Some(&theirs))).is_err(), "another authority's");
    let mut http = connect(&ours, &instance, Some(&ours));
    assert_eq!(get(&mut http).expect("an answer"), 200);
    assert_eq!(http.ask("POST", "/v1/schemes/ulid/ids", &[], None).status, 200);
    let refused = http.ask("POST", "/v1/schemes/ulid/compose", &[("Content-Type", "application/json")], Some(b"{}"));
    assert_eq!((refused.status, &*refused.code()), (403, "PERMISSION_DENIED"));
    assert_eq!(http.get("/metrics").status, 403);
    // A valid token adds to the certificate's scopes; an invalid token is refused.
    let bearer = format!("Bearer {TOKEN}");
    assert_eq!(http.ask("GET", "/metrics", &[("Authorization", &bearer)], None).status, 200);
    let wrong = http.ask("GET", "/v1/schemes", &[("Authorization", "Bearer no-such-token-0123456789")], None);
    assert_eq!((wrong.status, &*wrong.code()), (401, "UNAUTHENTICATED"));
}

#[test]
fn invalid_certificates_are_refused_and_no_key_is_shown() {
    let folder = tempfile::tempdir().expect("a folder");
    let (ours, theirs) = (authority("ours"), authority("theirs"));
    let tls = write(&ours, folder.path());
    for (name, pem) in [("key_file", &theirs.key), ("key_file", &ours.certificate), ("certificate_file", &ours.key)] {
        write(&ours, folder.path());
        std::fs::write(folder.path().join(name), pem).expect("a file");
        let output = refused(&format!("{ULID}{}{tls}", token(folder.path())));
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains("tls: "), "{stderr}");
        assert!(!stderr.contains("MIG") && !stderr.contains("BEGIN"), "{stderr}");
    }
    write(&ours, folder.path());
    let output = refused(&format!("{ULID}{tls}client_scopes = [\"generate\"]\n"));
    assert!(String::from_utf8_lossy(&output.stderr).contains("client_ca_file"), "{output:?}");
}

#[test]
fn a_silent_connection_does_not_delay_the_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let ours = authority("ours");
    let limits = "[limits]\nheader_timeout_s = 600\nshutdown_timeout_s = 600\n";
    let mut instance =
        Instance::start(&format!("{ULID}{}{}{limits}", token(folder.path()), write(&ours, folder.path())));
    let _silent = TcpStream::connect(instance.address()).expect("it listens");
    let mut http = connect(&ours, &instance, None);
    assert_eq!(get(&mut http).expect("an answer"), 401, "those before it were accepted");
    assert!(instance.end().success());
}
