//! The HTTP client for instances of saiban's service: chooses the instance, sends the token, and
//! converts errors. Used by the store `saiban://` and by remote generators.

use crate::Error;
use crate::store::StoreUrl;
use crate::store::endpoints::{Cluster, Form};
use crate::store::errors::{refused, unavailable};
use crate::store::members::{self, Members};
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, StatusCode};
use saiban::ErrorKind;
use serde_json::Value;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// The service's default port.
const PORT: u16 = 7_609;

const FORM: Form = Form {
    port: PORT,
    is_tls: false,
    has_token: true,
    text: "saiban://[:TOKEN@]host[:port][,host[:port]…], or saibans:// for TLS with ca=, cert= and key= (files); \
           token_file= has the token of either",
};

/// The response header that marks a permanent error: a retry cannot succeed.
const PERMANENT: HeaderName = HeaderName::from_static("saiban-permanent");

/// The maximum length of a service's message in saiban's errors, in characters.
const LONGEST_MESSAGE: usize = 2_000;

/// The instances of one service.
pub(crate) struct Gateway {
    url: StoreUrl,
    members: Members,
    token: Token,
}

/// A request to a service.
pub(crate) struct Question<'a> {
    pub(crate) method: Method,
    /// The path and the query.
    pub(crate) path: &'a str,
    pub(crate) body: Option<String>,
    pub(crate) accept: &'static str,
    /// A header in addition to the standard ones.
    pub(crate) header: Option<(HeaderName, HeaderValue)>,
    /// Whether the request is not idempotent, and must not be retried. All other requests may be
    /// sent, and processed, twice.
    pub(crate) is_once: bool,
}

impl<'a> Question<'a> {
    /// Makes a request without a body, which accepts JSON.
    pub(crate) fn new(method: Method, path: &'a str) -> Self {
        Question { method, path, body: None, accept: "application/json", header: None, is_once: false }
    }
}

/// A successful response of a service.
pub(crate) struct Answer {
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

/// The bearer token that authenticates this program.
struct Token {
    /// The file to read the token from again, when the service rejects the current one.
    file: Option<PathBuf>,
    now: Mutex<Option<HeaderValue>>,
}

/// The response of an instance that could be reached.
enum Said {
    Answer(Answer),
    /// The service does not accept the token (401).
    Unknown(Error),
    Refused(Error),
}

impl Token {
    fn now(&self) -> Option<HeaderValue> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Reads the file again. Returns its token if that differs from `old`.
    fn newer(&self, old: Option<&HeaderValue>) -> Option<HeaderValue> {
        let text = std::fs::read_to_string(self.file.as_ref()?).ok()?;
        let new = bearer(&text).ok().filter(|new| Some(new) != old)?;
        *self.now.lock().unwrap_or_else(PoisonError::into_inner) = Some(new.clone());
        Some(new)
    }
}

impl Gateway {
    /// Reads the URL and the files that it names. Opens no connection.
    ///
    /// # Errors
    /// `InvalidArgument` for a URL of another form, and for a file that cannot be read.
    pub(crate) fn open(url: &StoreUrl) -> Result<Self, Error> {
        let is_tls = url.kind() == "saibans";
        let cluster = Cluster::new(url, &Form { is_tls, ..FORM })?;
        let invalid = |what: &str| Error::new(ErrorKind::InvalidArgument, format!("{url}: {what}"));
        let text = match (&cluster.login, &cluster.token_file) {
            (Some((_, token)), _) => Some(token.clone()),
            (None, Some(file)) => Some(std::fs::read_to_string(file).map_err(|error| {
                invalid(&format!(
                    "token_file cannot be read from {file:?} ({error}): give a file that has the token, \
                                  and nothing else"
                ))
            })?),
            (None, None) => None,
        };
        let now = text.map(|text| bearer(&text).map_err(invalid)).transpose()?;
        let token = Token { file: cluster.token_file.clone(), now: Mutex::new(now) };
        Ok(Gateway { url: url.clone(), members: Members::new(url, &cluster, is_tls)?, token })
    }

    /// Sends a request to one instance after the other until one responds. If the token is
    /// rejected, reads its file and tries once more.
    ///
    /// # Errors
    /// The service's error, with its kind; `StoreUnavailable` when no instance responds; a
    /// permanent `StoreUnavailable` when the service rejects the token, or the token lacks the
    /// right.
    pub(crate) async fn ask(&self, question: &Question<'_>) -> Result<Answer, Error> {
        let token = self.token.now();
        let said = match self.ask_as(question, token.as_ref()).await? {
            Said::Unknown(error) => match self.token.newer(token.as_ref()) {
                Some(token) => self.ask_as(question, Some(&token)).await?,
                None => Said::Unknown(error),
            },
            said => said,
        };
        match said {
            Said::Answer(answer) => Ok(answer),
            Said::Unknown(error) | Said::Refused(error) => Err(error),
        }
    }

    /// Returns the error for a response that saiban's service does not send.
    pub(crate) fn odd(&self, why: &str) -> Error {
        unavailable(&self.url, &format!("its answer is not one of saiban serve's ({why})"))
    }

    async fn ask_as(&self, question: &Question<'_>, token: Option<&HeaderValue>) -> Result<Said, Error> {
        let ask = |member| self.ask_member(member, question, token);
        self.members.in_turn(ask).await.map_err(|whys| {
            let mut kinds = whys.iter().map(Error::kind);
            // If the instances fail with different kinds of errors, the result is
            // `StoreUnavailable`.
            let kind = kinds.next().filter(|kind| kinds.all(|other| other == *kind));
            match kind {
                Some(kind) if kind != ErrorKind::StoreUnavailable => {
                    Error::new(kind, format!("the service {} says: {whys}", self.url))
                }
                _ => unavailable(&self.url, &whys.to_string()),
            }
        })
    }

    /// Sends a request to this instance.
    ///
    /// # Errors
    /// The reason why the instance cannot process the request now. The next instance is asked.
    async fn ask_member(
        &self,
        member: String,
        question: &Question<'_>,
        token: Option<&HeaderValue>,
    ) -> Result<Said, Error> {
        let failed = |why| Error::new(ErrorKind::StoreUnavailable, why);
        let Question { method, path, body, accept, header, is_once } = question;
        let mut request =
            self.members.client().request(method.clone(), format!("{member}{path}")).header(ACCEPT, *accept);
        if let Some(body) = body {
            request = request.header(CONTENT_TYPE, "application/json").body(body.clone());
        }
        if let Some((name, value)) = header {
            request = request.header(name, value);
        }
        if let Some(token) = token {
            request = request.header(AUTHORIZATION, token);
        }
        let sent = if *is_once { members::send_once(request).await } else { members::send(request).await };
        let response = sent.map_err(failed)?;
        let (status, headers) = (response.status(), response.headers().clone());
        let body = response.bytes().await.map_err(|error| failed(members::failed(error)))?.to_vec();
        if status.is_success() {
            return Ok(Said::Answer(Answer { headers, body }));
        }
        let (code, message) = reason(&body);
        let why = format!("{message} (HTTP {})", status.as_u16());
        let kind = code.as_deref().and_then(|code| ErrorKind::ALL.iter().copied().find(|kind| kind.name() == code));
        let is_permanent = headers.get(PERMANENT).is_some_and(|value| value == "true");
        let says = |kind| Error::new(kind, format!("the service {} says: {message}", self.url));
        Ok(match (status, kind) {
            (StatusCode::UNAUTHORIZED, _) => Said::Unknown(refused(
                &self.url,
                &format!("{why}: give its token, saiban://:TOKEN@host or token_file="),
            )),
            (StatusCode::FORBIDDEN, _) => Said::Refused(refused(&self.url, &why)),
            (_, Some(ErrorKind::StoreUnavailable)) if is_permanent => Said::Refused(refused(&self.url, &why)),
            // Another instance may be available.
            (StatusCode::SERVICE_UNAVAILABLE, Some(kind)) => return Err(Error::new(kind, message)),
            (_, Some(kind)) => Said::Refused(says(kind)),
            (StatusCode::PAYLOAD_TOO_LARGE, None) => Said::Refused(says(ErrorKind::InvalidArgument)),
            (StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_MANY_REQUESTS, None) => return Err(failed(why)),
            (status, None) if status.is_server_error() => return Err(failed(why)),
            // The service does not have this path, or the server is not saiban's service.
            (_, None) => Said::Refused(refused(&self.url, &why)),
        })
    }
}

/// Returns the `Authorization` header for a token.
fn bearer(text: &str) -> Result<HeaderValue, &'static str> {
    let token = text.trim_end_matches(['\n', '\r']);
    let is_token = !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_graphic());
    let value = is_token.then(|| HeaderValue::from_str(&format!("Bearer {token}")).ok()).flatten();
    let mut value = value
        .ok_or("its token is empty, or has others than visible ASCII characters: give it as the service has it")?;
    value.set_sensitive(true);
    Ok(value)
}

/// Returns the code and the message of an error's body.
fn reason(body: &[u8]) -> (Option<String>, String) {
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    let text =
        |name: &str| body["error"][name].as_str().map(|text| text.chars().take(LONGEST_MESSAGE).collect::<String>());
    (text("code"), text("message").unwrap_or_else(|| "it does not seem to be saiban serve".into()))
}
