//! TLS in front of a real server that has none: a door that takes only clients with a certificate of its authority.

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig};
use saiban::ErrorKind;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use crate::records::{one_slot, store};
use crate::servers::Server;

/// An authority, as the part of a URL that trusts it, and shows a certificate of its making.
struct Authority {
    ca: String,
    cert: String,
    key: String,
    options: String,
}

impl Authority {
    fn new(name: &str) -> Self {
        let mut params = CertificateParams::new(Vec::new()).expect("parameters");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name.push(DnType::CommonName, name);
        let ca_key = KeyPair::generate().expect("a key");
        let ca = params.self_signed(&ca_key).expect("a certificate").pem();
        let issuer = Issuer::new(params, ca_key);
        let key = KeyPair::generate().expect("a key");
        let params = CertificateParams::new(vec!["127.0.0.1".to_owned()]).expect("parameters");
        let cert = params.signed_by(&key, &issuer).expect("a certificate").pem();
        let key = key.serialize_pem();
        let path = |kind: &str| PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{kind}.pem"));
        let mut options = String::from("?");
        for (kind, pem) in [("ca", &ca), ("cert", &cert), ("key", &key)] {
            std::fs::write(path(kind), pem).expect("a file");
            options.push_str(&format!("{kind}={}&", path(kind).display()));
        }
        Authority { ca, cert, key, options: options.trim_end_matches('&').to_owned() }
    }

    fn only(&self, kind: &str) -> String {
        let options = self.options.trim_start_matches('?').split('&');
        format!("?{}", options.filter(|option| option.starts_with(kind)).collect::<String>())
    }

    /// A door to this server.
    async fn door(&self, server: &Server) -> String {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from_pem_slice(self.ca.as_bytes()).expect("PEM")).expect("a root");
        let clients = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&provider));
        let cert = CertificateDer::from_pem_slice(self.cert.as_bytes()).expect("PEM");
        let key = PrivateKeyDer::from_pem_slice(self.key.as_bytes()).expect("PEM");
        let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let config = config.expect("versions").with_client_cert_verifier(clients.build().expect("a verifier"));
        let config = config.with_single_cert(vec![cert], key).expect("a pair");
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let door = listener.local_addr().expect("an address").to_string();
        let address = server.address().to_owned();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (acceptor, address) = (acceptor.clone(), address.clone());
                tokio::spawn(async move {
                    // Who has no certificate does not come this far.
                    let Ok(mut inside) = acceptor.accept(stream).await else { return };
                    let mut outside = TcpStream::connect(address).await.expect("the server listens");
                    let _ = tokio::io::copy_bidirectional(&mut inside, &mut outside).await;
                });
            }
        });
        door
    }
}

/// Both sides show a certificate, and each refuses one that it does not trust.
pub async fn tls_is_spoken_with_who_is_trusted(kind: &str, server: &Server) {
    let (here, elsewhere) = (Authority::new(&format!("{kind}-here")), Authority::new(&format!("{kind}-elsewhere")));
    let door = here.door(server).await;
    one_slot(&*store(&format!("{kind}s://{door}/tls{}", here.options)), "tls").await;
    for options in [here.only("ca"), elsewhere.options.clone()] {
        let error = store(&format!("{kind}s://{door}/tls{options}")).list("tls").await.expect_err("no trust");
        assert_eq!(error.kind(), ErrorKind::StoreUnavailable, "{error}");
    }
    // By its own name only.
    let other_name = door.replace("127.0.0.1", "localhost");
    let error =
        store(&format!("{kind}s://{other_name}/tls{}", here.options)).list("tls").await.expect_err("another name");
    assert!(error.to_string().contains("certificate"), "{error}");
}
