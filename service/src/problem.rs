//! Why a request fails: one code, one status of HTTP, one of gRPC.

use http::StatusCode;
use saiban::ErrorKind;
use tonic::Code as GrpcCode;

/// What went wrong: a kind of saiban's, the same in every language, or one that only a service has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    /// One of saiban's.
    Kind(ErrorKind),
    /// No token, or one that is unknown or expired.
    Unauthenticated,
    /// The token lacks a scope, or is not for this scheme or name space.
    PermissionDenied,
    /// There is no such path.
    NotFound,
    /// There is no scheme of this name.
    UnknownScheme,
    /// The path is there, for another method.
    MethodNotAllowed,
    /// The body, or the batch, is larger than the limit.
    TooLarge,
    /// The body is of no type that is read here.
    UnsupportedMediaType,
    /// More requests are in flight than the limit.
    Overloaded,
    /// The request took longer than the limit to arrive.
    Timeout,
    /// It took longer to be answered.
    Late,
}

impl Code {
    /// The name: `NAMESPACE_FULL`, `PERMISSION_DENIED`, …
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

    /// The status of HTTP.
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

    /// The status of gRPC.
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

/// Whose fault it is, and whether asking again helps.
enum Class {
    /// The request is wrong.
    Input,
    /// What it names is not there.
    Unknown,
    /// It is right, and the state of things is against it.
    Conflict,
    /// Later, or elsewhere, it may be answered.
    Unavailable,
    /// Somebody has to mend something.
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

/// Why a request fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    code: Code,
    message: String,
    position: Option<usize>,
    is_permanent: bool,
}

impl Problem {
    /// A problem of this code.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Problem { code, message: message.into(), position: None, is_permanent: false }
    }

    /// A request that cannot be.
    pub fn input(message: impl Into<String>) -> Self {
        Self::new(Code::Kind(ErrorKind::InvalidArgument), message)
    }

    /// The code.
    #[must_use]
    pub fn code(&self) -> Code {
        self.code
    }

    /// What was wrong, the limits, and what to do.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Where a text is wrong: its first bad character, counted from 0.
    #[must_use]
    pub fn position(&self) -> Option<usize> {
        self.position
    }

    /// Whether it is a store that asking again does not mend.
    #[must_use]
    pub fn is_permanent(&self) -> bool {
        self.is_permanent
    }

    /// While there is no lease its loss is the service's, not the request's: another instance may have one.
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
        // Names are letters and underscores.
        status.metadata_mut().insert("saiban-error", tonic::metadata::MetadataValue::from_static(problem.code.name()));
        status
    }
}
