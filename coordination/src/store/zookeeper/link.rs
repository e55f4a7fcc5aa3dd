//! The connection to a ZooKeeper cluster: one session for all calls, with any of its servers.

use super::session::{Failure, Session, Stream};
use super::wire::{Code, Request};
use crate::Error;
use crate::store::StoreUrl;
use crate::store::calls::CONNECT_LIMIT;
use crate::store::endpoints::Cluster;
use crate::store::errors::unavailable;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use saiban::ErrorKind;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use tokio::net::TcpStream;
use tokio::sync::Mutex;
use tokio_rustls::TlsConnector;

/// The result of each request.
pub(super) type Answers = Vec<Result<Vec<u8>, Code>>;

/// A cluster, and the current session with it.
pub(super) struct Link {
    url: StoreUrl,
    cluster: Cluster,
    tls: Option<TlsConnector>,
    /// The index of the server to try first: the one that accepted the last session.
    current: AtomicUsize,
    session: Mutex<Option<(u64, Session)>>,
    /// The number of sessions so far, which is the next session's number.
    opened: AtomicU64,
}

impl Link {
    /// Makes a link. Opens no connection.
    ///
    /// # Errors
    /// `InvalidArgument` for certificates that cannot be used.
    pub(super) fn new(url: StoreUrl, cluster: Cluster, is_tls: bool, form: &str) -> Result<Self, Error> {
        let invalid = |what: &str| Error::new(ErrorKind::InvalidArgument, format!("{url}: {what}: give {form}"));
        let tls = if is_tls { Some(connector(&cluster).map_err(|what| invalid(&what))?) } else { None };
        Ok(Link {
            cluster,
            tls,
            current: AtomicUsize::new(0),
            session: Mutex::new(None),
            opened: AtomicU64::new(0),
            url,
        })
    }

    /// Whether the URL has a user, who then owns the new nodes.
    pub(super) fn has_login(&self) -> bool {
        self.cluster.login.is_some()
    }

    /// Sends all requests at once, in this order. Returns their results, and the number of the
    /// session.
    ///
    /// # Errors
    /// `StoreUnavailable`.
    pub(super) async fn ask(&self, requests: Vec<Request>) -> Result<(Answers, u64), Error> {
        for _ in 0..2 {
            let (number, session, is_new) = self.session().await?;
            match ask_on(&session, requests.clone()).await {
                Ok(answers) => return Ok((answers, number)),
                Err(why) => {
                    self.forget(number).await;
                    // An idle session may have expired or been closed: retry once. A new session
                    // that fails is an error.
                    if is_new {
                        return Err(unavailable(&self.url, &why));
                    }
                }
            }
        }
        Err(unavailable(&self.url, "it closes its connections"))
    }

    /// Sends all requests at once in the session of this number. Returns `None` if that session is
    /// over; the server may have processed the requests nevertheless.
    pub(super) async fn ask_in(&self, number: u64, requests: Vec<Request>) -> Option<Answers> {
        let session = self.session.lock().await.as_ref().filter(|(shared, _)| *shared == number)?.1.clone();
        let answers = ask_on(&session, requests).await;
        if answers.is_err() {
            self.forget(number).await;
        }
        answers.ok()
    }

    /// Returns the session's number, the session, and whether it is new.
    async fn session(&self) -> Result<(u64, Session, bool), Error> {
        // One caller opens the session; the others wait here.
        let mut shared = self.session.lock().await;
        if let Some((number, session)) = shared.as_ref() {
            return Ok((*number, session.clone(), false));
        }
        let session = self.open().await?;
        let number = self.opened.fetch_add(1, Ordering::Relaxed);
        *shared = Some((number, session.clone()));
        Ok((number, session, true))
    }

    async fn forget(&self, number: u64) {
        let mut shared = self.session.lock().await;
        if shared.as_ref().is_some_and(|(shared, _)| *shared == number) {
            *shared = None;
        }
    }

    /// Opens a session, with the server that accepted the last one or else with the next that does.
    async fn open(&self) -> Result<Session, Error> {
        let endpoints = &self.cluster.endpoints;
        let count = endpoints.len();
        let first = self.current.load(Ordering::Relaxed);
        // All attempts together take no longer than the limit for connecting.
        let limit = CONNECT_LIMIT / u32::try_from(count).unwrap_or(u32::MAX);
        let mut whys = Vec::new();
        for index in (first..first + count).map(|index| index % count) {
            let (host, port) = &endpoints[index];
            let opened = tokio::time::timeout(limit, async {
                let stream = self.connect(host, *port).await?;
                Session::open(stream, self.cluster.login.as_ref()).await
            });
            match opened.await.unwrap_or_else(|_| Err(format!("no answer within {limit:?}"))) {
                Ok(session) => {
                    self.current.store(index, Ordering::Relaxed);
                    return Ok(session);
                }
                Err(why) => whys.push(format!("{host}:{port}: {why}")),
            }
        }
        Err(unavailable(&self.url, &whys.join("; ")))
    }

    async fn connect(&self, host: &str, port: u16) -> Result<Box<dyn Stream>, String> {
        let bare = host.trim_matches(['[', ']']);
        let stream = TcpStream::connect((bare, port)).await.map_err(|error| error.to_string())?;
        // Requests are sent at once, without Nagle's algorithm.
        stream.set_nodelay(true).map_err(|error| error.to_string())?;
        let Some(tls) = &self.tls else { return Ok(Box::new(stream)) };
        let name = ServerName::try_from(bare.to_owned()).map_err(|error| error.to_string())?;
        Ok(Box::new(tls.connect(name, stream).await.map_err(|error| format!("TLS: {error}"))?))
    }
}

/// Sends all requests at once, and waits for their results.
///
/// # Errors
/// The reason why the session is lost.
async fn ask_on(session: &Session, requests: Vec<Request>) -> Result<Answers, String> {
    let asked: Vec<_> = requests.into_iter().map(|request| session.ask(request)).collect();
    let mut answers = Vec::with_capacity(asked.len());
    for answer in asked {
        answers.push(match answer.await {
            Ok(answer) => Ok(answer),
            Err(Failure::Refused(code)) => Err(code),
            Err(Failure::Lost(why)) => return Err(why),
        });
    }
    Ok(answers)
}

fn connector(cluster: &Cluster) -> Result<TlsConnector, String> {
    let certificates = |pem: &[u8], name: &str| {
        let all: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem).collect();
        all.ok().filter(|all| !all.is_empty()).ok_or_else(|| format!("{name} has no certificate in the form PEM"))
    };
    let ca = cluster.ca().ok_or("TLS needs the certificates (ca=) by which the servers are trusted")?;
    let mut roots = RootCertStore::empty();
    for certificate in certificates(ca, "ca")? {
        roots.add(certificate).map_err(|error| format!("ca cannot be used ({error})"))?;
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let config = config.map_err(|error| error.to_string())?.with_root_certificates(roots);
    let config = match cluster.identity() {
        None => config.with_no_client_auth(),
        Some((cert, key)) => {
            let key = PrivateKeyDer::from_pem_slice(key).map_err(|error| format!("key cannot be read ({error})"))?;
            let identity = config.with_client_auth_cert(certificates(cert, "cert")?, key);
            identity.map_err(|error| format!("cert and key do not match ({error})"))?
        }
    };
    Ok(TlsConnector::from(Arc::new(config)))
}
