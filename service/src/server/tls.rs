//! TLS and mutual TLS, from certificates and keys in PEM files. `settings` loads them; connections
//! use them.

use crate::config::{ConfigError, TlsConfig};
use rustls::RootCertStore;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ServerConfig, WebPkiClientVerifier};
use sha2::{Digest, Sha256};
use std::fmt::Display;
use std::path::Path;
use std::sync::Arc;
use tokio_rustls::TlsAcceptor;

/// The TLS configuration of new connections.
#[derive(Clone)]
pub(crate) struct Tls {
    pub(super) acceptor: TlsAcceptor,
    /// The SHA-256 of the contents of the files, to detect changes.
    pub(crate) digest: [u8; 32],
    /// The SHA-256 of the authorities of client certificates. `None` without mutual TLS.
    pub(crate) client_ca: Option<[u8; 32]>,
}

/// Reads certificates and keys.
///
/// # Errors
/// Files that cannot be read, or that do not match. The message contains no key.
pub(crate) fn tls(config: &TlsConfig) -> Result<Tls, ConfigError> {
    let provider = Arc::new(ring::default_provider());
    let wrong =
        |what: &str, error: &dyn Display| ConfigError::new(format!("tls: {what}: {error}: give files in the form PEM"));
    let certificates = certificates("certificate_file", &config.certificate_file)?;
    let mut digest = Sha256::new();
    certificates.iter().for_each(|certificate| digest.update(certificate));
    let path = config.key_file.display();
    let key = PrivateKeyDer::from_pem_file(&config.key_file)
        .map_err(|error| wrong(&format!("key_file cannot be read from {path}"), &error))?;
    digest.update(key.secret_der());
    let builder = ServerConfig::builder_with_provider(Arc::clone(&provider)).with_safe_default_protocol_versions();
    let builder = builder.map_err(|error| wrong("the versions", &error))?;
    let mut client_ca = None;
    let builder = match &config.client_ca_file {
        None => builder.with_no_client_auth(),
        Some(path) => {
            let (mut roots, mut ca) = (RootCertStore::empty(), Sha256::new());
            for certificate in self::certificates("client_ca_file", path)? {
                ca.update(&certificate);
                roots
                    .add(certificate)
                    .map_err(|error| wrong("client_ca_file has a certificate that is not an authority's", &error))?;
            }
            let ca = ca.finalize();
            digest.update(ca);
            client_ca = Some(ca.into());
            let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider).build();
            builder.with_client_cert_verifier(verifier.map_err(|error| wrong("client_ca_file", &error))?)
        }
    };
    let both = builder.with_single_cert(certificates, key);
    let mut server = both.map_err(|error| wrong("certificate_file and key_file do not match", &error))?;
    server.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(Tls { acceptor: TlsAcceptor::from(Arc::new(server)), digest: digest.finalize().into(), client_ca })
}

fn certificates(name: &str, path: &Path) -> Result<Vec<CertificateDer<'static>>, ConfigError> {
    let shown = path.display();
    let wrong = |error: &dyn Display| {
        ConfigError::new(format!("tls: {name} cannot be read from {shown}: {error}: give a file in the form PEM"))
    };
    let read = CertificateDer::pem_file_iter(path).map_err(|error| wrong(&error))?;
    let read = read.collect::<Result<Vec<_>, _>>().map_err(|error| wrong(&error))?;
    if read.is_empty() { Err(wrong(&"it has no certificate")) } else { Ok(read) }
}
