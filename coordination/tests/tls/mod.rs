//! A TLS proxy in front of a real server without TLS: it accepts only clients with a certificate of
//! its authority.

#[path = "../authority/mod.rs"]
mod authority;

use authority::Authority;
use rustls::ServerConfig;
use rustls::server::WebPkiClientVerifier;
use saiban::ErrorKind;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use crate::records::{one_slot, store};
use crate::servers::Server;

/// An authority, and the part of a URL that trusts it and names its client certificate.
struct Trusted {
    authority: Authority,
    options: String,
}

impl Trusted {
    fn new(name: &str) -> Self {
        let authority = Authority::new(name, "127.0.0.1");
        let path = |kind: &str| PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{kind}.pem"));
        let mut options = String::from("?");
        for (kind, pem) in [("ca", &authority.ca), ("cert", &authority.certificate), ("key", &authority.key)] {
            std::fs::write(path(kind), pem).expect("a file");
            options.push_str(&format!("{kind}={}&", path(kind).display()));
        }
        Trusted { authority, options: options.trim_end_matches('&').to_owned() }
    }

    fn only(&self, kind: &str) -> String {
        let options = self.options.trim_start_matches('?').split('&');
        format!("?{}", options.filter(|option| option.starts_with(kind)).collect::<String>())
    }

    /// Starts a proxy to this server, and returns its address.
    async fn start_proxy(&self, server: &Server) -> String {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let clients =
            WebPkiClientVerifier::builder_with_provider(Arc::new(self.authority.roots()), Arc::clone(&provider));
        let (certificates, key) = self.authority.pair();
        let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let config = config.expect("versions").with_client_cert_verifier(clients.build().expect("a verifier"));
        let config = config.with_single_cert(certificates, key).expect("a pair");
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let proxy = listener.local_addr().expect("an address").to_string();
        let address = server.address().to_owned();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (acceptor, address) = (acceptor.clone(), address.clone());
                tokio::spawn(async move {
                    // A client without a certificate is rejected here.
                    let Ok(mut inside) = acceptor.accept(stream).await else { return };
                    let mut outside = TcpStream::connect(address).await.expect("the server listens");
                    let _ = tokio::io::copy_bidirectional(&mut inside, &mut outside).await;
                });
            }
        });
        proxy
    }
}

/// Checks that both sides present a certificate, and that each refuses one that it does not trust.
/// `path` is the URL's path.
pub async fn tls_connects_to_trusted_servers_only(kind: &str, path: &str, server: &Server) {
    let (here, elsewhere) = (Trusted::new(&format!("{kind}-here")), Trusted::new(&format!("{kind}-elsewhere")));
    let proxy = here.start_proxy(server).await;
    one_slot(&*store(&format!("{kind}s://{proxy}{path}{}", here.options)), "tls").await;
    for options in [here.only("ca"), elsewhere.options.clone()] {
        let error = store(&format!("{kind}s://{proxy}{path}{options}")).list("tls").await.expect_err("no trust");
        assert_eq!(error.kind(), ErrorKind::StoreUnavailable, "{error}");
    }
    // The certificate is valid only for `127.0.0.1`.
    let other_name = proxy.replace("127.0.0.1", "localhost");
    let error =
        store(&format!("{kind}s://{other_name}{path}{}", here.options)).list("tls").await.expect_err("another name");
    assert!(error.to_string().contains("certificate"), "{error}");
}
