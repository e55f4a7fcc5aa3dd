//! The errors of requests, with their HTTP and gRPC status. The whole service uses them.

use http::StatusCode;
use saiban::ErrorKind;
use tonic::Code as GrpcCode;

/// The code of an error: one of saiban's, which are equal in every language, or one of the service
/// alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    /// An error of the core or of leases.
    Kind(ErrorKind),
    /// The token is missing, unknown or expired.
    Unauthenticated,
    /// The token lacks a scope, or is not for this scheme or namespace.
    PermissionDenied,
    /// The path does not exist.
    NotFound,
    /// The scheme does not exist.
    UnknownScheme,
    /// The path does not support this method.
    MethodNotAllowed,
    /// The body or the message is larger than the limit.
    TooLarge,
    /// The content type of the body is not supported.
    UnsupportedMediaType,
    /// Too many requests are in flight.
    Overloaded,
    /// The request did not arrive within the time limit.
    Timeout,
    /// The service did not respond within the time limit.
    Late,
}

impl Code {
    /// Returns the name: `NAMESPACE_FULL`, `PERMISSION_DENIED`, …
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.row().0
    }

    /// Returns the HTTP status.
    #[must_use]
    pub const fn status(self) -> StatusCode {
        self.row().1.0
    }

    /// Returns the gRPC status.
    #[must_use]
    pub const fn grpc(self) -> GrpcCode {
        self.row().1.1
    }

    const fn row(self) -> (&'static str, Class) {
        match self {
            Code::Kind(kind) => (kind.name(), class(kind)),
            Code::Unauthenticated => ("UNAUTHENTICATED", (StatusCode::UNAUTHORIZED, GrpcCode::Unauthenticated)),
            Code::PermissionDenied => ("PERMISSION_DENIED", (StatusCode::FORBIDDEN, GrpcCode::PermissionDenied)),
            Code::NotFound => ("NOT_FOUND", (StatusCode::NOT_FOUND, GrpcCode::Unimplemented)),
            Code::UnknownScheme => (ErrorKind::UnknownName.name(), UNKNOWN),
            Code::MethodNotAllowed => ("METHOD_NOT_ALLOWED", (StatusCode::METHOD_NOT_ALLOWED, GrpcCode::Unimplemented)),
            Code::TooLarge => ("TOO_LARGE", (StatusCode::PAYLOAD_TOO_LARGE, GrpcCode::ResourceExhausted)),
            Code::UnsupportedMediaType => {
                ("UNSUPPORTED_MEDIA_TYPE", (StatusCode::UNSUPPORTED_MEDIA_TYPE, GrpcCode::InvalidArgument))
            }
            Code::Overloaded => ("OVERLOADED", (StatusCode::SERVICE_UNAVAILABLE, GrpcCode::ResourceExhausted)),
            Code::Timeout => ("TIMEOUT", (StatusCode::REQUEST_TIMEOUT, GrpcCode::DeadlineExceeded)),
            Code::Late => ("TIMEOUT", (StatusCode::SERVICE_UNAVAILABLE, GrpcCode::DeadlineExceeded)),
        }
    }
}

/// The HTTP and the gRPC status of a class of errors.
type Class = (StatusCode, GrpcCode);

/// The request is invalid.
const INPUT: Class = (StatusCode::BAD_REQUEST, GrpcCode::InvalidArgument);
/// The request names something that does not exist.
const UNKNOWN: Class = (StatusCode::NOT_FOUND, GrpcCode::NotFound);
/// The request is valid, but conflicts with the current state.
const CONFLICT: Class = (StatusCode::CONFLICT, GrpcCode::FailedPrecondition);
/// The service cannot respond now. A retry, or another instance, may succeed.
const UNAVAILABLE: Class = (StatusCode::SERVICE_UNAVAILABLE, GrpcCode::Unavailable);
/// An operator must repair something.
const BROKEN: Class = (StatusCode::INTERNAL_SERVER_ERROR, GrpcCode::Internal);

const fn class(kind: ErrorKind) -> Class {
    match kind {
        ErrorKind::NamespaceUnknown => UNKNOWN,
        ErrorKind::LeaseLost
        | ErrorKind::NamespaceMismatch
        | ErrorKind::NamespaceFull
        | ErrorKind::NamespaceQuarantined
        | ErrorKind::ClockSkew => CONFLICT,
        ErrorKind::StoreUnavailable
        | ErrorKind::ClockBackward
        | ErrorKind::ClockUnavailable
        | ErrorKind::ClockJumped
        | ErrorKind::WouldWait
        | ErrorKind::LeaseNotBegun
        | ErrorKind::LeaseExpired
        | ErrorKind::NodeInUse
        | ErrorKind::StateInUse
        | ErrorKind::StateMismatch
        | ErrorKind::StateUnavailable
        | ErrorKind::EntropyUnavailable => UNAVAILABLE,
        ErrorKind::StoreCorrupt | ErrorKind::StoreUnsupported | ErrorKind::Internal | ErrorKind::Forked => BROKEN,
        _ => INPUT,
    }
}

/// The error of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    code: Code,
    message: String,
    position: Option<usize>,
    is_permanent: bool,
}

impl Problem {
    /// Creates an error with this code.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Problem { code, message: message.into(), position: None, is_permanent: false }
    }

    /// Creates an error for an invalid request, `INVALID_ARGUMENT`.
    pub fn input(message: impl Into<String>) -> Self {
        Self::new(Code::Kind(ErrorKind::InvalidArgument), message)
    }

    /// Returns the code.
    #[must_use]
    pub fn code(&self) -> Code {
        self.code
    }

    /// Returns the message: what was wrong, the limits, and what to do.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns the index of the first wrong character in a text, from 0.
    #[must_use]
    pub fn position(&self) -> Option<usize> {
        self.position
    }

    /// Returns whether the error is one of the store that a retry does not solve.
    #[must_use]
    pub fn is_permanent(&self) -> bool {
        self.is_permanent
    }

    /// Converts an error of generating IDs. `LEASE_LOST` becomes `LEASE_EXPIRED`: the service lacks
    /// a lease, which is no conflict with the request, and another instance may have one.
    pub(crate) fn of_issuing(error: saiban_coordination::Error) -> Self {
        if error.kind() == ErrorKind::LeaseLost {
            return Self::new(Code::Kind(ErrorKind::LeaseExpired), error.to_string());
        }
        error.into()
    }
}

impl From<saiban::Error> for Problem {
    fn from(error: saiban::Error) -> Self {
        let (code, position) = (Code::Kind(error.kind()), error.position());
        Problem { position, ..Problem::new(code, error.to_string()) }
    }
}

impl From<saiban_coordination::Error> for Problem {
    fn from(error: saiban_coordination::Error) -> Self {
        let is_permanent = error.is_permanent();
        Problem { is_permanent, ..Problem::new(Code::Kind(error.kind()), error.to_string()) }
    }
}

impl From<Problem> for tonic::Status {
    fn from(problem: Problem) -> Self {
        let mut status = tonic::Status::new(problem.code.grpc(), problem.message);
        // Names contain only letters and underscores.
        status.metadata_mut().insert("saiban-error", tonic::metadata::MetadataValue::from_static(problem.code.name()));
        status
    }
}
