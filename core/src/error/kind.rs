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
    /// The clock is behind the last ID by more than the longest wait allowed.
    1 ClockBackward "CLOCK_BACKWARD";
    /// The clock cannot be read, or shows a time outside 1970-01-01 to 2554-07-21.
    2 ClockUnavailable "CLOCK_UNAVAILABLE";
    /// The time is before the layout's epoch.
    3 TimestampBeforeEpoch "TIMESTAMP_BEFORE_EPOCH";
    /// The time is past the last one that the layout can hold.
    4 TimestampOverflow "TIMESTAMP_OVERFLOW";
    /// The next ID needs a wait that the caller did not allow.
    5 WouldWait "WOULD_WAIT";
    /// The window in which the generator may issue IDs has not begun.
    6 LeaseNotBegun "LEASE_NOT_BEGUN";
    /// The window in which the generator may issue IDs is over.
    7 LeaseExpired "LEASE_EXPIRED";
    /// The window is empty, or reaches outside the time that the layout can hold.
    8 InvalidWindow "INVALID_WINDOW";
    /// A generator was asked for without a node.
    9 NodeRequired "NODE_REQUIRED";
    /// The node id, or the range of them, does not fit the layout.
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
    /// The number of random bytes by which IDs grow is not possible.
    16 InvalidEntropySize "INVALID_ENTROPY_SIZE";
    /// The operating system gives no randomness.
    17 EntropyUnavailable "ENTROPY_UNAVAILABLE";
    /// The text is too long or too short.
    18 TextLength "TEXT_LENGTH";
    /// The text has a character outside the alphabet.
    19 TextCharacter "TEXT_CHARACTER";
    /// The text stands for a number that is too large.
    20 TextOverflow "TEXT_OVERFLOW";
    /// The text stands for a number that has another, canonical text.
    21 TextNotCanonical "TEXT_NOT_CANONICAL";
    /// The number does not fit the width, or the encoding has no such width.
    22 WidthOutOfRange "WIDTH_OUT_OF_RANGE";
    /// No encoding, scheme or layout has this name.
    23 UnknownName "UNKNOWN_NAME";
    /// The buffer is too small for the text.
    24 BufferTooSmall "BUFFER_TOO_SMALL";
    /// An argument is missing or makes no sense.
    25 InvalidArgument "INVALID_ARGUMENT";
    /// An argument is of the wrong type; only languages without static types can say so.
    26 WrongType "WRONG_TYPE";
    /// A defect of saiban itself, caught before it could do harm.
    27 Internal "INTERNAL";
    /// Another generator of this process, of its parent, or of another process of this machine
    /// issues IDs for some of these nodes.
    28 NodeInUse "NODE_IN_USE";
    /// The generator is a copy that fork made: its IDs would be the parent's.
    29 Forked "FORKED";
    /// The clock has jumped ahead by more than `max_jump` allows.
    30 ClockJumped "CLOCK_JUMPED";
    /// Another process, or another generator of this one, has the state file.
    31 StateInUse "STATE_IN_USE";
    /// The state file, or the file of scope `Machine`, is damaged, or another's: of another scheme,
    /// layout, nodes or version.
    32 StateMismatch "STATE_MISMATCH";
    /// The state file, or the file of scope `Machine`, cannot be used; or that scope cannot be had
    /// for the generator.
    33 StateUnavailable "STATE_UNAVAILABLE";
    /// The number of the clock's steps back does not fit the layout.
    34 RollbackOutOfRange "ROLLBACK_OUT_OF_RANGE";
    /// IDs of this scheme are not in the order of their times, so that no range of them belongs to
    /// an interval.
    35 NotTimeOrdered "NOT_TIME_ORDERED";
    /// The store of leases cannot be reached, or refuses what it is asked.
    36 StoreUnavailable "STORE_UNAVAILABLE";
    /// The store holds what saiban did not write, or cannot have written.
    37 StoreCorrupt "STORE_CORRUPT";
    /// The store was made by a newer saiban, or is of a kind that leases cannot be kept in.
    38 StoreUnsupported "STORE_UNSUPPORTED";
    /// The store has no such namespace.
    39 NamespaceUnknown "NAMESPACE_UNKNOWN";
    /// The namespace is another scheme's, layout's or epoch's.
    40 NamespaceMismatch "NAMESPACE_MISMATCH";
    /// All nodes of the namespace are leased.
    41 NamespaceFull "NAMESPACE_FULL";
    /// The namespace has lost leases, and grants none until all that it can have lost are over.
    42 NamespaceQuarantined "NAMESPACE_QUARANTINED";
    /// The clocks of the holder and of the store are too far apart.
    43 ClockSkew "CLOCK_SKEW";
    /// The lease is another's by now, or was given back.
    44 LeaseLost "LEASE_LOST";
    /// The store has no such counter.
    45 CounterUnknown "COUNTER_UNKNOWN";
    /// The counter counts otherwise: from another start, by another step, or days of another time
    /// zone.
    46 CounterMismatch "COUNTER_MISMATCH";
    /// The store has lost numbers that the counter has handed out.
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
