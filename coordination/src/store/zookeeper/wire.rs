//! ZooKeeper's wire format: the few messages that leases need, as in the server's `zookeeper.jute`.
//! All numbers are big-endian.

/// A server's error code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Code(pub(super) i32);

impl Code {
    pub(super) const NO_NODE: Code = Code(-101);
    pub(super) const NO_AUTH: Code = Code(-102);
    pub(super) const BAD_VERSION: Code = Code(-103);
    pub(super) const NODE_EXISTS: Code = Code(-110);
    /// The code of the other operations of a multi request in which one failed.
    const NOT_DONE: Code = Code(-2);

    /// Returns a description for messages.
    pub(super) fn name(self) -> String {
        match self.0 {
            -101 => "no such node".into(),
            -102 => "not authorized".into(),
            -103 => "another version".into(),
            -110 => "the node exists".into(),
            -112 => "the session has expired".into(),
            -115 => "the user or password is refused".into(),
            -119 => "it is read-only now".into(),
            -122 => "it is overloaded".into(),
            -125 => "the quota is used up".into(),
            other => format!("error {other}"),
        }
    }
}

/// A request: its type, and its body.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) kind: i32,
    pub(super) body: Vec<u8>,
}

pub(super) const CLOSE: Request = Request { kind: -11, body: Vec::new() };
pub(super) const PING: Request = Request { kind: 11, body: Vec::new() };

const CREATE: i32 = 1;
const GET_DATA: i32 = 4;
const SET_DATA: i32 = 5;
const GET_CHILDREN: i32 = 8;
const CHECK: i32 = 13;
const MULTI: i32 = 14;
const ERROR: i32 = -1;

/// All permissions, for everybody or for the user who creates the node.
const ALL_RIGHTS: i32 = 31;

/// Matches any version.
pub(super) const ANY: i32 = -1;

/// Creates a persistent node, with all permissions for everybody, or for its creator only
/// (`is_own`).
pub(super) fn create(path: &str, data: &[u8], is_own: bool) -> Request {
    let (scheme, id) = if is_own { ("auth", "") } else { ("world", "anyone") };
    let body = Writer::new().text(path).bytes(data).int(1).int(ALL_RIGHTS).text(scheme).text(id).int(0).0;
    Request { kind: CREATE, body }
}

pub(super) fn set_data(path: &str, data: &[u8], version: i32) -> Request {
    Request { kind: SET_DATA, body: Writer::new().text(path).bytes(data).int(version).0 }
}

/// Checks a node's version. Fails if it differs.
pub(super) fn check(path: &str, version: i32) -> Request {
    Request { kind: CHECK, body: Writer::new().text(path).int(version).0 }
}

pub(super) fn get_data(path: &str) -> Request {
    Request { kind: GET_DATA, body: Writer::new().text(path).byte(0).0 }
}

pub(super) fn get_children(path: &str) -> Request {
    Request { kind: GET_CHILDREN, body: Writer::new().text(path).byte(0).0 }
}

/// Combines operations into one transaction.
pub(super) fn multi(parts: &[Request]) -> Request {
    let header = |writer: Writer, kind: i32, is_end: u8| writer.int(kind).byte(is_end).int(-1);
    let writer = parts.iter().fold(Writer::new(), |writer, part| {
        let mut writer = header(writer, part.kind, 0);
        writer.0.extend_from_slice(&part.body);
        writer
    });
    Request { kind: MULTI, body: header(writer, -1, 1).0 }
}

/// Returns the body that opens a session with this timeout.
pub(super) fn connect(timeout_ms: i32) -> Vec<u8> {
    // Protocol version, last known transaction, timeout, no session to resume, its password, and a
    // flag: a read-only server is not accepted.
    Writer::new().int(0).long(0).int(timeout_ms).long(0).bytes(&[0; 16]).byte(0).0
}

/// Returns the session's timeout, ms; 0 if the server refuses the session.
pub(super) fn connected(answer: &[u8]) -> Option<i32> {
    let mut reader = Reader(answer);
    reader.int()?;
    reader.int()
}

/// Returns the request that authenticates a user.
pub(super) fn login(user: &str, password: &str) -> Request {
    let body = Writer::new().int(0).text("digest").bytes(format!("{user}:{password}").as_bytes()).0;
    Request { kind: 100, body }
}

/// Returns a request with its number (xid), in the form to send.
pub(super) fn framed(number: i32, request: &Request) -> Vec<u8> {
    let mut body = Writer::new().int(number).int(request.kind).0;
    body.extend_from_slice(&request.body);
    frame(&body)
}

/// Returns a message with its length in front.
pub(super) fn frame(body: &[u8]) -> Vec<u8> {
    Writer::new().bytes(body).0
}

/// Parses a response: the number of its request, and the result.
pub(super) fn answer(message: &[u8]) -> Option<(i32, Result<Vec<u8>, Code>)> {
    let mut reader = Reader(message);
    let number = reader.int()?;
    reader.long()?;
    Some((
        number,
        match reader.int()? {
            0 => Ok(reader.0.to_vec()),
            code => Err(Code(code)),
        },
    ))
}

/// Parses a node's data and version.
pub(super) fn data(answer: &[u8]) -> Option<(Vec<u8>, i32)> {
    let mut reader = Reader(answer);
    let data = reader.bytes()?.to_vec();
    Some((data, reader.stat()?.version))
}

/// Returns the time of a write from its response, Unix ms by the clock of the cluster's leader.
pub(super) fn written_ms(answer: &[u8]) -> Option<i64> {
    Some(Reader(answer).stat()?.mtime_ms)
}

pub(super) fn children(answer: &[u8]) -> Option<Vec<String>> {
    let mut reader = Reader(answer);
    let count = reader.int()?;
    (0..count).map(|_| String::from_utf8(reader.bytes()?.to_vec()).ok()).collect()
}

/// Parses the response to a multi request. `Some(None)` means success; the inner code is why it
/// failed.
pub(super) fn multi_failure(answer: &[u8]) -> Option<Option<Code>> {
    let mut reader = Reader(answer);
    let mut failure = None;
    loop {
        let (kind, is_end, _) = (reader.int()?, reader.byte()?, reader.int()?);
        if is_end != 0 {
            return Some(failure);
        }
        match kind {
            CREATE => reader.bytes().map(drop)?,
            SET_DATA => reader.stat().map(drop)?,
            CHECK => {}
            ERROR => {
                let code = Code(reader.int()?);
                if code.0 != 0 && (failure.is_none() || failure == Some(Code::NOT_DONE)) {
                    failure = Some(code);
                }
            }
            _ => return None,
        }
    }
}

/// The part of a node's metadata that saiban uses.
struct Stat {
    mtime_ms: i64,
    version: i32,
}

struct Writer(Vec<u8>);

impl Writer {
    fn new() -> Self {
        Writer(Vec::new())
    }

    fn byte(mut self, byte: u8) -> Self {
        self.0.push(byte);
        self
    }

    fn int(mut self, int: i32) -> Self {
        self.0.extend_from_slice(&int.to_be_bytes());
        self
    }

    fn long(mut self, long: i64) -> Self {
        self.0.extend_from_slice(&long.to_be_bytes());
        self
    }

    fn bytes(self, bytes: &[u8]) -> Self {
        let mut writer = self.int(i32::try_from(bytes.len()).unwrap_or(i32::MAX));
        writer.0.extend_from_slice(bytes);
        writer
    }

    fn text(self, text: &str) -> Self {
        self.bytes(text.as_bytes())
    }
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn int(&mut self) -> Option<i32> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(i32::from_be_bytes(*first))
    }

    fn long(&mut self) -> Option<i64> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(i64::from_be_bytes(*first))
    }

    fn bytes(&mut self) -> Option<&'a [u8]> {
        // A length of -1 stands for null.
        let length = usize::try_from(self.int()?.max(0)).ok()?;
        let (first, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(first)
    }

    fn stat(&mut self) -> Option<Stat> {
        for _ in ["czxid", "mzxid", "ctime"] {
            self.long()?;
        }
        let (mtime_ms, version) = (self.long()?, self.int()?);
        for _ in ["cversion", "aversion"] {
            self.int()?;
        }
        self.long()?;
        for _ in ["dataLength", "numChildren"] {
            self.int()?;
        }
        self.long()?;
        Some(Stat { mtime_ms, version })
    }
}
