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
        match self {
            Code::Kind(kind) => kind.name(),
            Code::Unauthenticated => "UNAUTHENTICATED",
            Code::PermissionDenied => "PERMISSION_DENIED",
            Code::NotFound => "NOT_FOUND",
            Code::UnknownScheme => ErrorKind::UnknownName.name(),
            Code::MethodNotAllowed => "METHOD_NOT_ALLOWED",
            Code::TooLarge => "TOO_LARGE",
            Code::UnsupportedMediaType => "UNSUPPORTED_MEDIA_TYPE",
            Code::Overloaded => "OVERLOADED",
            Code::Timeout | Code::Late => "TIMEOUT",
        }
    }

    /// Returns the HTTP status.
    #[must_use]
    pub const fn status(self) -> StatusCode {
        match self {
            Code::Kind(kind) => class(kind).status(),
            Code::Unauthenticated => StatusCode::UNAUTHORIZED,
            Code::PermissionDenied => StatusCode::FORBIDDEN,
            Code::NotFound | Code::UnknownScheme => StatusCode::NOT_FOUND,
            Code::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Code::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Code::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Code::Overloaded | Code::Late => StatusCode::SERVICE_UNAVAILABLE,
            Code::Timeout => StatusCode::REQUEST_TIMEOUT,
        }
    }

    /// Returns the gRPC status.
    #[must_use]
    pub const fn grpc(self) -> GrpcCode {
        match self {
            Code::Kind(kind) => class(kind).grpc(),
            Code::Unauthenticated => GrpcCode::Unauthenticated,
            Code::PermissionDenied => GrpcCode::PermissionDenied,
            Code::NotFound | Code::MethodNotAllowed => GrpcCode::Unimplemented,
            Code::UnknownScheme => GrpcCode::NotFound,
            Code::TooLarge | Code::Overloaded => GrpcCode::ResourceExhausted,
            Code::UnsupportedMediaType => GrpcCode::InvalidArgument,
            Code::Timeout | Code::Late => GrpcCode::DeadlineExceeded,
        }
    }
}

/// Classes of errors with one status each.
enum Class {
    /// The request is invalid.
    Input,
    /// The request names something that does not exist.
    Unknown,
    /// The request is valid, but conflicts with the current state.
    Conflict,
    /// The service cannot respond now. A retry, or another instance, may succeed.
    Unavailable,
    /// An operator must repair something.
    Broken,
}

impl Class {
    const fn status(self) -> StatusCode {
        match self {
            Class::Input => StatusCode::BAD_REQUEST,
            Class::Unknown => StatusCode::NOT_FOUND,
            Class::Conflict => StatusCode::CONFLICT,
            Class::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
            Class::Broken => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    const fn grpc(self) -> GrpcCode {
        match self {
            Class::Input => GrpcCode::InvalidArgument,
            Class::Unknown => GrpcCode::NotFound,
            Class::Conflict => GrpcCode::FailedPrecondition,
            Class::Unavailable => GrpcCode::Unavailable,
            Class::Broken => GrpcCode::Internal,
        }
    }
}

const fn class(kind: ErrorKind) -> Class {
    match kind {
        ErrorKind::NamespaceUnknown => Class::Unknown,
        ErrorKind::LeaseLost
        | ErrorKind::NamespaceMismatch
        | ErrorKind::NamespaceFull
        | ErrorKind::NamespaceQuarantined
        | ErrorKind::ClockSkew => Class::Conflict,
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
        | ErrorKind::EntropyUnavailable => Class::Unavailable,
        ErrorKind::StoreCorrupt | ErrorKind::StoreUnsupported | ErrorKind::Internal | ErrorKind::Forked => {
            Class::Broken
        }
        _ => Class::Input,
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
