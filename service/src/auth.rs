//! Authentication and authorization: bearer tokens and their scopes.
//!
//! `server` looks up the access of each request, and `ops` checks its scopes.

use crate::config::{Config, ConfigError, TlsConfig, TokenConfig};
use crate::problem::{Code, Problem};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use http::HeaderMap;
use http::header::AUTHORIZATION;
use jiff::Timestamp;
use sha2::{Digest, Sha256};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::timeout;

saiban::named_enum! {
    /// What a token allows its caller to do.
    #[repr(u8)]
    pub enum Scope {
        /// Generate IDs, and convert them.
        Generate = 1 "generate",
        /// Inspect IDs, and convert them.
        Inspect = 2 "inspect",
        /// Inspect Randflakes, which encrypt their parts.
        InspectRandflake = 4 "inspect-randflake",
        /// Compose an ID from given parts. An equal ID may already exist.
        Compose = 8 "compose",
        /// Lease nodes, and list leases.
        Lease = 16 "lease",
        /// Everything, including metrics, quarantine and the status page.
        Admin = 32 "admin",
    }
}

/// A set of scopes, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Scopes(u8);

impl Scopes {
    const ALL: Scopes = Scopes(63);

    fn of(names: &[String], whose: &str) -> Result<Self, ConfigError> {
        let mut scopes = 0;
        for name in names {
            let scope = Scope::ALL.into_iter().find(|scope| scope.name() == name).ok_or_else(|| {
                let known = Scope::ALL.map(Scope::name).join(", ");
                ConfigError::new(format!("{whose} has the scope {name:?}, which does not exist: give some of {known}"))
            })?;
            scopes |= scope as u8;
        }
        Ok(Scopes(scopes))
    }

    fn has(self, scope: Scope) -> bool {
        self.0 & (scope as u8 | Scope::Admin as u8) != 0
    }
}

/// The rights of one caller, until the access ends.
#[derive(Debug)]
pub(crate) struct Access {
    rights: Rights,
    /// Whether a reload changed or removed the token.
    is_ended: watch::Sender<bool>,
}

/// What one caller may do.
#[derive(Debug, PartialEq, Eq)]
struct Rights {
    name: String,
    scopes: Scopes,
    schemes: Option<Vec<String>>,
    namespaces: Option<Vec<String>>,
    /// Namespaces of the schemes that the token is not for. They count if `namespaces` is `None`.
    of_others: Vec<String>,
    expires: Option<Timestamp>,
}

impl Access {
    #[cfg(test)]
    pub(crate) fn until(expires: Option<Timestamp>) -> Self {
        Access::from(Rights { expires, ..Rights::all("a test") })
    }

    /// Ends open streams of the caller, because a reload changed or removed the token.
    pub(crate) fn end(&self) {
        self.is_ended.send_replace(true);
    }

    /// Waits until the access ends, and returns the reason: the token expired, or a reload changed
    /// or removed it.
    pub(crate) async fn ended(&self) -> Problem {
        let mut is_ended = self.is_ended.subscribe();
        loop {
            // A token without an expiry is checked again after a day. The loop also handles a clock
            // that was set back during the wait.
            let left = self.good_for().unwrap_or(Duration::from_secs(86_400));
            let _ = timeout(left, is_ended.wait_for(|is_ended| *is_ended)).await;
            if let Err(problem) = self.check_end() {
                return problem;
            }
        }
    }

    /// Returns the name of the token, for logs.
    pub(crate) fn name(&self) -> &str {
        &self.rights.name
    }

    pub(crate) fn has(&self, scope: Scope) -> bool {
        self.rights.scopes.has(scope)
    }

    /// Returns the time until the token expires, or `None` if it never does.
    pub(crate) fn good_for(&self) -> Option<Duration> {
        let left = self.rights.expires?.duration_since(Timestamp::now());
        Some(Duration::try_from(left).unwrap_or(Duration::ZERO))
    }

    /// Checks that the token is still valid. Streams, which last longer than a request, call this.
    ///
    /// # Errors
    /// `UNAUTHENTICATED`: the token expired, or a reload changed or removed it.
    pub(crate) fn check_end(&self) -> Result<(), Problem> {
        if *self.is_ended.borrow() {
            let what = format!("{} was changed or removed: try again with a valid token", self.shown());
            return Err(Problem::new(Code::Unauthenticated, what));
        }
        self.check_expiry()
    }

    fn check_expiry(&self) -> Result<(), Problem> {
        match self.rights.expires {
            Some(expires) if expires <= Timestamp::now() => {
                let what = format!("{} expired at {expires}: request a new one", self.shown());
                Err(Problem::new(Code::Unauthenticated, what))
            }
            _ => Ok(()),
        }
    }

    /// Checks that the caller has the scope.
    ///
    /// # Errors
    /// `PERMISSION_DENIED`.
    pub(crate) fn check(&self, scope: Scope) -> Result<(), Problem> {
        if self.has(scope) {
            return Ok(());
        }
        Err(denied(format!(
            "{} lacks the scope {}, which this request needs: use another token, or give it the scope",
            self.shown(),
            scope.name()
        )))
    }

    /// Checks that the caller has at least one of the scopes.
    ///
    /// # Errors
    /// `PERMISSION_DENIED`.
    pub(crate) fn check_any(&self, scopes: &[Scope]) -> Result<(), Problem> {
        match scopes.iter().any(|scope| self.has(*scope)) {
            true => Ok(()),
            false => {
                let names = scopes.iter().map(|scope| scope.name()).collect::<Vec<_>>().join(" or ");
                Err(denied(format!("{} lacks the scope {names}, which this needs", self.shown())))
            }
        }
    }

    /// Checks that the caller has the scope, and that the token is for the scheme.
    ///
    /// # Errors
    /// `PERMISSION_DENIED`.
    pub(crate) fn check_scheme(&self, scope: Scope, scheme: &str) -> Result<(), Problem> {
        self.check(scope)?;
        self.check_known(scheme)
    }

    /// Checks that the token is for the scheme, so that its name and layout may be revealed.
    ///
    /// # Errors
    /// `PERMISSION_DENIED`.
    pub(crate) fn check_known(&self, scheme: &str) -> Result<(), Problem> {
        match &self.rights.schemes {
            Some(schemes) if !schemes.iter().any(|one| one == scheme) => {
                Err(denied(format!("{} is not for this scheme: use another token", self.shown())))
            }
            _ => Ok(()),
        }
    }

    /// Checks that the caller has the scope, and that the token is for the namespace.
    ///
    /// # Errors
    /// `PERMISSION_DENIED`.
    pub(crate) fn check_namespace(&self, scope: Scope, namespace: &str) -> Result<(), Problem> {
        self.check(scope)?;
        let has = |names: &[String]| names.iter().any(|one| one == namespace);
        let is_for_it = self.rights.namespaces.as_deref().map_or_else(|| !has(&self.rights.of_others), has);
        match is_for_it {
            true => Ok(()),
            false => Err(denied(format!("{} is not for this namespace: use another token", self.shown()))),
        }
    }

    fn shown(&self) -> String {
        format!("the token of {:?}", self.rights.name)
    }
}

impl Rights {
    fn all(name: &str) -> Self {
        Rights {
            name: name.into(),
            scopes: Scopes::ALL,
            schemes: None,
            namespaces: None,
            of_others: Vec::new(),
            expires: None,
        }
    }
}

impl From<Rights> for Access {
    fn from(rights: Rights) -> Self {
        Access { rights, is_ended: watch::Sender::new(false) }
    }
}

/// Returns the namespaces of all schemes except `own`. A token that is for some schemes only must
/// not reveal the nodes of the others.
fn namespaces_of_others(config: &Config, own: &[String]) -> Vec<String> {
    let own_namespaces: Vec<_> = own.iter().map(|name| config.namespace_of(name)).collect();
    let others = config.schemes.keys().filter(|name| !own.contains(name)).map(|name| config.namespace_of(name));
    others.filter(|namespace| !own_namespaces.contains(namespace)).collect()
}

fn denied(message: String) -> Problem {
    Problem::new(Code::PermissionDenied, message)
}

saiban::named_enum! {
    /// Why a request was denied, for metrics and logs.
    pub(crate) enum Reason {
        None "no_token",
        Unknown "unknown_token",
        Expired "expired_token",
        /// The token is valid, but lacks the scope, or is not for this scheme or namespace.
        Scope "scope",
        /// A web page of another site sent the request.
        Origin "origin",
        /// The request names another host than this machine, while no tokens are configured.
        Host "host",
        /// A proxy forwarded the request, while no tokens are configured.
        Proxy "proxy",
    }
}

impl Reason {
    /// Returns whether a valid token would have helped. Paths that need no token are then served
    /// without one.
    pub(crate) const fn is_of_token(self) -> bool {
        matches!(self, Reason::None | Reason::Unknown | Reason::Expired)
    }
}

/// The configured tokens, and the rights of callers without a token.
pub(crate) struct Auth {
    /// Access by the SHA-256 of the token. The map neither contains a token nor leaks one by the
    /// time of a comparison.
    tokens: HashMap<[u8; 32], Arc<Access>>,
    /// The access of callers without a token, if neither tokens nor `tls.client_scopes` are
    /// configured.
    open: Option<Arc<Access>>,
    /// The access of callers without a token, on a connection whose client certificate was verified
    /// by these authorities (see `Tls::client_ca`).
    certified: Option<([u8; 32], Arc<Access>)>,
}

/// The minimum length of a token, in characters.
const SHORTEST: usize = 16;

impl Auth {
    /// Reads the configured tokens and the files that contain them. `client_ca` identifies the
    /// authorities of client certificates, as in `Tls::client_ca`.
    ///
    /// # Errors
    /// An unknown scope, a token without scopes, two equal tokens, or a token that cannot be read.
    pub(crate) fn of(config: &Config, client_ca: Option<[u8; 32]>) -> Result<Self, ConfigError> {
        let mut known = HashMap::new();
        for token in &config.tokens {
            let whose = format!("the token of {:?}", token.name);
            let scopes = Scopes::of(&token.scopes, &whose)?;
            if scopes == Scopes::default() {
                return Err(ConfigError::new(format!("{whose} has no scopes, so it permits nothing: give it some")));
            }
            let TokenConfig { name, schemes, namespaces, expires, .. } = token.clone();
            let of_others = schemes.as_deref().map(|own| namespaces_of_others(config, own)).unwrap_or_default();
            let rights = Rights { name, scopes, schemes, namespaces, of_others, expires };
            if known.insert(hash_of(token, &whose)?, Arc::new(Access::from(rights))).is_some() {
                return Err(ConfigError::new(format!("{whose} is used twice: give each entry a different token")));
            }
        }
        let certified = match &config.tls {
            Some(TlsConfig { client_scopes, .. }) if !client_scopes.is_empty() => {
                let Some(client_ca) = client_ca else {
                    let what = "tls.client_scopes is for clients with certificates: give tls.client_ca_file too";
                    return Err(ConfigError::new(what));
                };
                let scopes = Scopes::of(client_scopes, "tls.client_scopes")?;
                Some((client_ca, Arc::new(Access::from(Rights { scopes, ..Rights::all("a certificate") }))))
            }
            _ => None,
        };
        let is_open = known.is_empty() && certified.is_none();
        Ok(Auth { tokens: known, open: is_open.then(|| Arc::new(Rights::all("anybody").into())), certified })
    }

    /// Returns whether every caller may do everything.
    pub(crate) fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Keeps each access of `before` that is unchanged, so that its open streams continue.
    pub(crate) fn keep(&mut self, before: &Auth) {
        let keep = |access: &mut Arc<Access>, known: Option<&Arc<Access>>| {
            if let Some(known) = known.filter(|known| known.rights == access.rights) {
                *access = Arc::clone(known);
            }
        };
        self.tokens.iter_mut().for_each(|(hash, access)| keep(access, before.tokens.get(hash)));
        self.open.iter_mut().for_each(|access| keep(access, before.open.as_ref()));
        if let Some((client_ca, access)) = &mut self.certified {
            let of_ca = before.certified.as_ref().filter(|(known, _)| known == client_ca);
            keep(access, of_ca.map(|(_, access)| access));
        }
    }

    /// Ends the streams of callers whose access `now` has changed or removed.
    pub(crate) fn end_others(&self, now: &Auth) {
        let is_kept = |access: &&Arc<Access>| now.all().any(|kept| Arc::ptr_eq(kept, access));
        self.all().filter(|access| !is_kept(access)).for_each(|access| access.end());
    }

    fn all(&self) -> impl Iterator<Item = &Arc<Access>> {
        self.tokens.values().chain(&self.open).chain(self.certified.iter().map(|(_, access)| access))
    }

    /// Returns the names of tokens that were added, changed or removed.
    pub(crate) fn changed_names(&self, now: &Auth) -> BTreeSet<String> {
        let of = |auth: &Auth, other: &Auth| -> Vec<String> {
            let is_same = |(hash, access): &(&[u8; 32], &Arc<Access>)| {
                other.tokens.get(*hash).is_some_and(|known| known.rights == access.rights)
            };
            auth.tokens.iter().filter(|token| !is_same(token)).map(|(_, access)| access.name().to_owned()).collect()
        };
        [of(self, now), of(now, self)].into_iter().flatten().collect()
    }

    /// Returns the access of a request with these headers. `client_ca` identifies the authorities
    /// that verified the client certificate of the connection.
    ///
    /// # Errors
    /// The reason, and `UNAUTHENTICATED`: the token is missing, unknown or expired.
    pub(crate) fn access(
        &self,
        headers: &HeaderMap,
        client_ca: Option<[u8; 32]>,
    ) -> Result<Arc<Access>, (Reason, Problem)> {
        if let Some(open) = &self.open {
            return Ok(Arc::clone(open));
        }
        let Some(header) = headers.get(AUTHORIZATION) else {
            let no_token =
                || unauthenticated(Reason::None, "this needs a token: send the header Authorization: Bearer TOKEN");
            // Connections from before a reload may have been verified by other authorities, or by
            // none.
            let certified = self.certified.as_ref().filter(|(needed, _)| Some(*needed) == client_ca);
            return certified.map(|(_, access)| Arc::clone(access)).ok_or_else(no_token);
        };
        let unknown =
            || unauthenticated(Reason::Unknown, "the token is unknown: check that it is correct, and for this service");
        let token = token_of(header.as_bytes()).ok_or_else(unknown)?;
        let access = self.tokens.get(&<[u8; 32]>::from(Sha256::digest(&token))).ok_or_else(unknown)?;
        access.check_expiry().map_err(|problem| (Reason::Expired, problem))?;
        Ok(Arc::clone(access))
    }
}

fn unauthenticated(reason: Reason, message: &str) -> (Reason, Problem) {
    (reason, Problem::new(Code::Unauthenticated, message))
}

/// Returns the token of an `Authorization` header: a bearer token, or the password that a browser
/// asked its user for.
fn token_of(header: &[u8]) -> Option<Vec<u8>> {
    let at = header.iter().position(|byte| *byte == b' ')?;
    let (kind, rest) = (&header[..at], header[at..].trim_ascii());
    if kind.eq_ignore_ascii_case(b"bearer") {
        return Some(rest.to_vec());
    }
    if !kind.eq_ignore_ascii_case(b"basic") {
        return None;
    }
    let login = BASE64_STANDARD.decode(rest).ok()?;
    let colon = login.iter().position(|byte| *byte == b':')?;
    Some(login[colon + 1..].to_vec())
}

/// Returns the SHA-256 of a token, from its file or from the configuration.
fn hash_of(token: &TokenConfig, whose: &str) -> Result<[u8; 32], ConfigError> {
    match (&token.token_file, &token.token_sha256) {
        (Some(path), None) => {
            let text = std::fs::read_to_string(path).map_err(|error| {
                ConfigError::new(format!("{whose} cannot be read from {}: {error}", path.display()))
            })?;
            let text = text.trim();
            if text.len() < SHORTEST || text.contains(|character: char| !character.is_ascii_graphic()) {
                return Err(ConfigError::new(format!(
                    "{whose}, in {}, is shorter than {SHORTEST} characters, or has characters other than visible \
                     ASCII: make one, for example with saiban secret",
                    path.display()
                )));
            }
            Ok(Sha256::digest(text).into())
        }
        (None, Some(digits)) => {
            let wrong = || {
                ConfigError::new(format!(
                    "{whose}: token_sha256 is not 64 hexadecimal digits: give what sha256sum prints"
                ))
            };
            let mut hash = [0; 32];
            if digits.len() != 64 || !digits.is_ascii() {
                return Err(wrong());
            }
            for (byte, index) in hash.iter_mut().zip((0..64).step_by(2)) {
                *byte = u8::from_str_radix(&digits[index..index + 2], 16).map_err(|_| wrong())?;
            }
            Ok(hash)
        }
        _ => Err(ConfigError::new(format!("{whose} needs one of token_file and token_sha256"))),
    }
}
