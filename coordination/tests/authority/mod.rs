//! A certificate authority for tests of TLS.

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};
use rustls::RootCertStore;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// An authority, and a certificate that it issued for a host, in PEM.
pub struct Authority {
    pub ca: String,
    pub certificate: String,
    pub key: String,
}

impl Authority {
    pub fn new(name: &str, host: &str) -> Self {
        let mut params = CertificateParams::new(Vec::new()).expect("parameters");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name.push(DnType::CommonName, name);
        let ca_key = KeyPair::generate().expect("a key");
        let ca = params.self_signed(&ca_key).expect("a certificate").pem();
        let issuer = Issuer::new(params, ca_key);
        let key = KeyPair::generate().expect("a key");
        let params = CertificateParams::new(vec![host.to_owned()]).expect("parameters");
        let certificate = params.signed_by(&key, &issuer).expect("a certificate").pem();
        Authority { ca, certificate, key: key.serialize_pem() }
    }

    /// Returns the root certificates of a client that trusts only this authority.
    pub fn roots(&self) -> RootCertStore {
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from_pem_slice(self.ca.as_bytes()).expect("PEM")).expect("a root");
        roots
    }

    /// Returns the certificate and its key, for one side of a connection.
    pub fn pair(&self) -> (Vec<CertificateDer<'static>>, PrivateKeyDer<'static>) {
        let certificate = CertificateDer::from_pem_slice(self.certificate.as_bytes()).expect("PEM");
        (vec![certificate], PrivateKeyDer::from_pem_slice(self.key.as_bytes()).expect("PEM"))
    }
}
