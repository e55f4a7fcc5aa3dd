//! A session with a ZooKeeper server. All calls share one connection: requests are sent in turn,
//! and their responses are awaited concurrently.

use super::wire::{self, Code, Request};
use std::collections::VecDeque;
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

/// The requested session timeout, ms. Pings keep the session alive, and nothing in the store
/// depends on it.
const SILENCE_MS: i32 = 10_000;

/// The maximum length of a message, bytes: more than a namespace of a hundred thousand slots needs.
const LONGEST: usize = 16 << 20;

/// The numbers (xids) of pings and of logins.
const PING: i32 = -2;
const LOGIN: i32 = -4;

/// A connection with or without TLS.
pub(super) trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}
impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

/// The reason why a request has no result.
#[derive(Clone, Debug)]
pub(super) enum Failure {
    /// The connection was lost. The server may have processed the request.
    Lost(String),
    Refused(Code),
}

type Answer = Result<Vec<u8>, Failure>;

/// The pending requests, in the order in which they were sent: the server responds in this order.
/// `None` once the connection is lost.
type Waiting = Arc<Mutex<Option<VecDeque<(i32, oneshot::Sender<Answer>)>>>>;

/// A handle to a session. Clones share the session, which closes when the last one is dropped.
#[derive(Clone)]
pub(super) struct Session {
    requests: mpsc::UnboundedSender<(Request, oneshot::Sender<Answer>)>,
}

impl Session {
    /// Opens a session on a connection.
    ///
    /// # Errors
    /// The reason, as text.
    pub(super) async fn open(mut stream: Box<dyn Stream>, login: Option<&(String, String)>) -> Result<Self, String> {
        write(&mut stream, &wire::frame(&wire::connect(SILENCE_MS))).await?;
        let silence_ms = wire::connected(&read(&mut stream).await?).ok_or("its answer is not one of ZooKeeper's")?;
        let silence = match u64::try_from(silence_ms) {
            Ok(silence_ms @ 1..) => Duration::from_millis(silence_ms),
            _ => return Err("it refuses a session".into()),
        };
        if let Some((user, password)) = login {
            write(&mut stream, &wire::framed(LOGIN, &wire::login(user, password))).await?;
            match wire::answer(&read(&mut stream).await?) {
                Some((LOGIN, Ok(_))) => {}
                Some((_, Err(code))) => return Err(code.name()),
                _ => return Err("its answer to the login is not one of ZooKeeper's".into()),
            }
        }
        let (input, output) = tokio::io::split(stream);
        let (requests, to_send) = mpsc::unbounded_channel();
        let waiting = Waiting::new(Mutex::new(Some(VecDeque::new())));
        tokio::spawn(send(output, to_send, Arc::clone(&waiting), silence / 3));
        tokio::spawn(receive(input, waiting, silence));
        Ok(Session { requests })
    }

    /// Sends a request at once. The future waits for the response.
    pub(super) fn ask(&self, request: Request) -> impl Future<Output = Answer> + Send + use<> {
        let (sender, receiver) = oneshot::channel();
        // If the sending task has ended, the sender is dropped, and the receiver returns an error.
        let _ = self.requests.send((request, sender));
        async { receiver.await.unwrap_or_else(|_| Err(Failure::Lost("the connection was lost".into()))) }
    }
}

/// Sends requests, and pings when idle, until the connection is lost or all handles are dropped.
async fn send(
    mut output: impl AsyncWrite + Unpin,
    mut requests: mpsc::UnboundedReceiver<(Request, oneshot::Sender<Answer>)>,
    waiting: Waiting,
    pause: Duration,
) {
    let mut number = 0_i32;
    loop {
        let message = match timeout(pause, requests.recv()).await {
            Err(_) => wire::framed(PING, &wire::PING),
            Ok(None) => break,
            Ok(Some((request, sender))) => {
                number = number.checked_add(1).unwrap_or(1);
                let mut waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
                let Some(waiting) = waiting.as_mut() else { return };
                waiting.push_back((number, sender));
                wire::framed(number, &request)
            }
        };
        let is_lost = waiting.lock().unwrap_or_else(PoisonError::into_inner).is_none();
        if is_lost || write(&mut output, &message).await.is_err() {
            return;
        }
    }
    // All handles are dropped. Closing frees the session on the server before it expires.
    if write(&mut output, &wire::framed(number.wrapping_add(1), &wire::CLOSE)).await.is_ok() {
        let _ = output.shutdown().await;
    }
}

/// Passes responses to their requests until the connection is lost.
async fn receive(mut input: impl AsyncRead + Unpin, waiting: Waiting, silence: Duration) {
    let why = loop {
        // A live server responds at least to pings.
        let message = match timeout(silence, read(&mut input)).await {
            Err(_) => break format!("it has been silent for {silence:?}"),
            Ok(Err(why)) => break why,
            Ok(Ok(message)) => message,
        };
        let Some((number, result)) = wire::answer(&message) else {
            break "its answer is not one of ZooKeeper's".into();
        };
        if number < 0 {
            continue;
        }
        let first = waiting.lock().unwrap_or_else(PoisonError::into_inner).as_mut().and_then(VecDeque::pop_front);
        match first {
            Some((asked, sender)) if asked == number => drop(sender.send(result.map_err(Failure::Refused))),
            _ => break "it replies to a request that was not sent".into(),
        }
    };
    let left = waiting.lock().unwrap_or_else(PoisonError::into_inner).take();
    for (_, sender) in left.into_iter().flatten() {
        let _ = sender.send(Err(Failure::Lost(why.clone())));
    }
}

async fn write(output: &mut (impl AsyncWrite + Unpin), message: &[u8]) -> Result<(), String> {
    output.write_all(message).await.map_err(|error| error.to_string())?;
    output.flush().await.map_err(|error| error.to_string())
}

/// Reads one message, without its length.
async fn read(input: &mut (impl AsyncRead + Unpin)) -> Result<Vec<u8>, String> {
    let closed = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::UnexpectedEof => "it closed the connection".to_owned(),
        _ => error.to_string(),
    };
    let length = usize::try_from(input.read_i32().await.map_err(closed)?).unwrap_or(usize::MAX);
    if length > LONGEST {
        return Err("its answer is not one of ZooKeeper's".into());
    }
    let mut message = vec![0; length];
    input.read_exact(&mut message).await.map_err(closed)?;
    Ok(message)
}
