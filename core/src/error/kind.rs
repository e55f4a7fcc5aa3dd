//! The kinds of errors: numbers and names that are the same in every language.

use core::fmt;

macro_rules! error_kinds {
    ($( $(#[doc = $doc:literal])+ $number:literal $variant:ident $name:literal; )+) => {
        /// What went wrong, without the particulars: a number and a name that are the same in every
        /// language.
        ///
        /// ```
        /// use saiban::ErrorKind;
        /// assert_eq!(ErrorKind::ClockBackward.number(), 1);
        /// assert_eq!(ErrorKind::ClockBackward.name(), "CLOCK_BACKWARD");
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        #[repr(i32)]
        pub enum ErrorKind {
            $( $(#[doc = $doc])+ $variant = $number, )+
        }

        impl ErrorKind {
            /// Every kind, in the order of their numbers.
            pub const ALL: &'static [ErrorKind] = &[ $( ErrorKind::$variant, )+ ];

            /// The name in capitals, as Node's `err.code` has it and C's constants end:
            /// `CLOCK_BACKWARD`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $( ErrorKind::$variant => $name, )+ }
            }

            /// What the kind means, in a line.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self { $( ErrorKind::$variant => concat!($($doc),+).trim_ascii(), )+ }
            }
        }
    };
}

error_kinds! {
    /// The clock is further behind the last ID than the longest allowed wait.
    1 ClockBackward "CLOCK_BACKWARD";
    /// The clock cannot be read, or shows a time outside 1970-01-01 to 2554-07-21.
    2 ClockUnavailable "CLOCK_UNAVAILABLE";
    /// The time is before the layout's epoch.
    3 TimestampBeforeEpoch "TIMESTAMP_BEFORE_EPOCH";
    /// The time is after the last time that the layout can hold.
    4 TimestampOverflow "TIMESTAMP_OVERFLOW";
    /// The next ID needs a wait that the caller did not allow.
    5 WouldWait "WOULD_WAIT";
    /// The generator's window or lease has not begun.
    6 LeaseNotBegun "LEASE_NOT_BEGUN";
    /// The generator's window or lease has ended.
    7 LeaseExpired "LEASE_EXPIRED";
    /// The window is empty, or extends beyond the time of the layout.
    8 InvalidWindow "INVALID_WINDOW";
    /// The generator needs a node, and none was given.
    9 NodeRequired "NODE_REQUIRED";
    /// The node, or the range of nodes, does not fit the layout.
    10 NodeOutOfRange "NODE_OUT_OF_RANGE";
    /// The sequence number does not fit the layout.
    11 SequenceOutOfRange "SEQUENCE_OUT_OF_RANGE";
    /// The random part does not fit the layout.
    12 RandomOutOfRange "RANDOM_OUT_OF_RANGE";
    /// The number is not an ID of this scheme.
    13 IdOutOfRange "ID_OUT_OF_RANGE";
    /// The secret has the wrong length or form.
    14 InvalidSecret "INVALID_SECRET";
    /// The fields of a layout do not fit together.
    15 InvalidLayout "INVALID_LAYOUT";
    /// The entropy size of a Ulid-Flake generator is out of range.
    16 InvalidEntropySize "INVALID_ENTROPY_SIZE";
    /// The operating system returned no random bytes.
    17 EntropyUnavailable "ENTROPY_UNAVAILABLE";
    /// The text is too long or too short.
    18 TextLength "TEXT_LENGTH";
    /// The text has a character outside the alphabet.
    19 TextCharacter "TEXT_CHARACTER";
    /// The number in the text is too large.
    20 TextOverflow "TEXT_OVERFLOW";
    /// The text is not the canonical text of its number.
    21 TextNotCanonical "TEXT_NOT_CANONICAL";
    /// The number does not fit the width, or the encoding has no such width.
    22 WidthOutOfRange "WIDTH_OUT_OF_RANGE";
    /// No encoding, scheme or layout has this name.
    23 UnknownName "UNKNOWN_NAME";
    /// The buffer is too small for the text.
    24 BufferTooSmall "BUFFER_TOO_SMALL";
    /// An argument is missing or invalid.
    25 InvalidArgument "INVALID_ARGUMENT";
    /// An argument has the wrong type; only languages without static types report this.
    26 WrongType "WRONG_TYPE";
    /// A defect of saiban, caught before it could do harm.
    27 Internal "INTERNAL";
    /// Another generator of this machine issues IDs of some of these nodes.
    28 NodeInUse "NODE_IN_USE";
    /// The process was forked, and the generator belongs to the parent.
    29 Forked "FORKED";
    /// The clock jumped ahead by more than `max_jump` allows.
    30 ClockJumped "CLOCK_JUMPED";
    /// Another process or generator uses the state file.
    31 StateInUse "STATE_IN_USE";
    /// The state file or the cursor file is damaged, or of another scheme, layout, node range or
    /// version.
    32 StateMismatch "STATE_MISMATCH";
    /// The state file or the cursor file cannot be used, or the scope is not available.
    33 StateUnavailable "STATE_UNAVAILABLE";
    /// The number of clock steps back does not fit the layout.
    34 RollbackOutOfRange "ROLLBACK_OUT_OF_RANGE";
    /// IDs of this scheme do not sort by time, so an interval has no range of IDs.
    35 NotTimeOrdered "NOT_TIME_ORDERED";
    /// The store cannot be reached, or refuses the request.
    36 StoreUnavailable "STORE_UNAVAILABLE";
    /// The store contains data that saiban did not write.
    37 StoreCorrupt "STORE_CORRUPT";
    /// A newer version of saiban made the store, or its kind is not supported.
    38 StoreUnsupported "STORE_UNSUPPORTED";
    /// The store has no such namespace.
    39 NamespaceUnknown "NAMESPACE_UNKNOWN";
    /// The namespace is for another scheme, layout or secret.
    40 NamespaceMismatch "NAMESPACE_MISMATCH";
    /// All nodes of the namespace are leased.
    41 NamespaceFull "NAMESPACE_FULL";
    /// The namespace lost leases, and grants none until every lost lease has ended.
    42 NamespaceQuarantined "NAMESPACE_QUARANTINED";
    /// The clocks of the holder and of the store are too far apart.
    43 ClockSkew "CLOCK_SKEW";
    /// There is no lease: it was released, it ended, or another holder has it.
    44 LeaseLost "LEASE_LOST";
    /// The store has no such counter.
    45 CounterUnknown "COUNTER_UNKNOWN";
    /// The counter has another start, step or time zone.
    46 CounterMismatch "COUNTER_MISMATCH";
    /// The store lost numbers that the counter has issued.
    47 CounterBehind "COUNTER_BEHIND";
    /// The counter has no numbers left.
    48 CounterExhausted "COUNTER_EXHAUSTED";
}

impl ErrorKind {
    /// The number, as C's constants have it: 1 and up.
    #[must_use]
    pub const fn number(self) -> i32 {
        self as i32
    }

    /// The kind of this number.
    ///
    /// ```
    /// use saiban::ErrorKind;
    /// assert_eq!(ErrorKind::from_number(35), Some(ErrorKind::NotTimeOrdered));
    /// assert_eq!(ErrorKind::from_number(0), None);
    /// ```
    #[must_use]
    pub fn from_number(number: i32) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.number() == number)
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
