//! Reads hosts, credentials and options from the URL of a store that has several servers: etcd,
//! ZooKeeper and saiban's service.

use super::StoreUrl;
use crate::Error;
use percent_encoding::percent_decode_str;
use saiban::ErrorKind;
use std::path::PathBuf;

/// The form of the URLs of one kind of store.
pub(super) struct Form {
    /// The default port.
    pub(super) port: u16,
    pub(super) is_tls: bool,
    /// Whether the URL has a token (in the password's place, or in a file) instead of user and
    /// password.
    pub(super) has_token: bool,
    /// The form in words, which error messages recommend.
    pub(super) text: &'static str,
}

/// What a URL specifies about a cluster.
pub(super) struct Cluster {
    /// Hosts and ports. IPv6 addresses are in brackets.
    pub(super) endpoints: Vec<(String, u16)>,
    /// User and password. The user is empty where the password is a token.
    pub(super) login: Option<(String, String)>,
    /// The file that contains the token.
    pub(super) token_file: Option<PathBuf>,
    /// The path without its trailing slash; `None` for an empty path.
    path: Option<String>,
    ca: Option<Vec<u8>>,
    identity: Option<(Vec<u8>, Vec<u8>)>,
}

/// The root path for URLs without a path.
const ROOT: &str = "/saiban";

impl Cluster {
    /// Reads a URL, and the certificate files that it names.
    ///
    /// # Errors
    /// `InvalidArgument` for a URL of another form, and for a file that cannot be read.
    pub(super) fn new(url: &StoreUrl, form: &Form) -> Result<Self, Error> {
        let &Form { port, is_tls, has_token, text } = form;
        let invalid = |what: &str| Error::new(ErrorKind::InvalidArgument, format!("{url}: {what}: give {text}"));
        let secret = url.secret();
        let decoded = |text: &str| percent_decode_str(text).decode_utf8().map(|text| text.into_owned());
        let hosts = decoded(secret.host_str().unwrap_or_default()).map_err(|_| invalid("its host is not UTF-8"))?;
        let hosts = match secret.port() {
            Some(port) => format!("{hosts}:{port}"),
            None => hosts,
        };
        let endpoints: Option<Vec<_>> = hosts.split(',').map(|host| endpoint(host, port)).collect();
        let endpoints = endpoints.ok_or_else(|| invalid(&format!("{hosts:?} is not a list of hosts")))?;
        let login = match (secret.username(), secret.password()) {
            ("", None) => None,
            (user, Some(password)) if user.is_empty() == has_token => {
                let both = decoded(user).and_then(|user| Ok((user, decoded(password)?)));
                Some(both.map_err(|_| invalid("its user or password is not UTF-8"))?)
            }
            _ if has_token => return Err(invalid("it has a user: give the token alone, after a colon")),
            _ => return Err(invalid("it has a user without a password, or a password without a user")),
        };
        let (mut ca, mut cert, mut key, mut token_file) = (None, None, None, None);
        for (name, path) in secret.query_pairs() {
            let file = match &*name {
                "token_file" if has_token => {
                    token_file = Some(PathBuf::from(&*path));
                    continue;
                }
                "ca" => &mut ca,
                "cert" => &mut cert,
                "key" => &mut key,
                _ => return Err(invalid(&format!("it has no option {}", super::url::parameter(&name)))),
            };
            if !is_tls {
                return Err(invalid(&format!("{name} is for TLS, which this URL does not ask for")));
            }
            let read = std::fs::read(&*path);
            *file = Some(read.map_err(|error| invalid(&format!("{name} cannot be read from {path:?} ({error})")))?);
        }
        let identity = match (cert, key) {
            (Some(cert), Some(key)) => Some((cert, key)),
            (None, None) => None,
            _ => return Err(invalid("it has only one of cert and key: give both")),
        };
        if login.is_some() && token_file.is_some() {
            return Err(invalid("it has a token and a token_file: give one of them"));
        }
        let path = match secret.path().trim_end_matches('/') {
            "" => None,
            path => Some(decoded(path).map_err(|_| invalid("its path is not UTF-8"))?),
        };
        if has_token && path.is_some() {
            return Err(invalid("it has a path"));
        }
        Ok(Cluster { endpoints, login, token_file, path, ca, identity })
    }

    /// Returns the root path, which is never empty. The store writes only below it.
    pub(super) fn root(&self) -> &str {
        self.path.as_deref().unwrap_or(ROOT)
    }

    /// Returns the CA certificates (PEM) that must have signed the servers' certificates, or `None`
    /// if the URL names no file.
    pub(super) fn ca(&self) -> Option<&[u8]> {
        self.ca.as_deref()
    }

    /// Returns the client's certificate and private key (PEM).
    pub(super) fn identity(&self) -> Option<(&[u8], &[u8])> {
        self.identity.as_ref().map(|(cert, key)| (&**cert, &**key))
    }
}

/// Parses `host` or `host:port`. Returns `None` for any other text.
fn endpoint(text: &str, port: u16) -> Option<(String, u16)> {
    // The colons of an IPv6 address are inside brackets.
    let (host, port) = match text.rsplit_once(':') {
        Some((host, digits)) if !digits.ends_with(']') => (host, digits.parse().ok()?),
        _ => (text, port),
    };
    let is_host = !host.is_empty() && (host.starts_with('[') && host.ends_with(']') || !host.contains([':', '[', ']']));
    is_host.then(|| (host.to_owned(), port))
}
