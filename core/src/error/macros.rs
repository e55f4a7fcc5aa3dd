//! The macros that turn the table of errors (`table.rs`) into an enum with kinds and messages.

/// Defines [`Error`](super::Error): each row of the table becomes a variant with a kind and a
/// message.
///
/// A row consists of the variant's doc, name and fields, `=>`, its kind, and its message. The
/// message is a format string with arguments for `write!`, or a block. `|$f, $m|` names the
/// formatter and the [`Numbers`](super::message::Numbers) that messages use. A field without a doc
/// gets the doc that `field_doc` has for its name.
macro_rules! errors {
    (
        |$f:ident, $m:ident|
        $(
            $( #[doc = $doc:literal] )+
            $variant:ident $( { $( $( #[doc = $field_doc:literal] )* $field:ident: $type:ty ),+ $(,)? } )?
                => $kind:expr, $message:tt $(, $argument:expr )*;
        )+
    ) => {
        /// An error of the core: what was wrong, with the value and the limits.
        ///
        /// `Display` writes the message that every language shows: what was wrong, the value, the
        /// limits, and what to do. A message never contains a secret. The type is small and `Copy`,
        /// and needs no allocator.
        ///
        /// ```
        /// use saiban::{Error, ErrorKind, SnowflakeGenerator};
        /// let error = SnowflakeGenerator::new(1024).unwrap_err();
        /// assert_eq!(error, Error::NodeOutOfRange { node: 1024, max: 1023 });
        /// assert_eq!(error.kind(), ErrorKind::NodeOutOfRange); // equal in every language
        /// assert!(error.to_string().contains("1023"));
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Error {
            $(
                $( #[doc = $doc] )+
                $variant $( { $( #[doc = field_doc!($field $( $field_doc )*)] $field: $type, )+ } )?,
            )+
        }

        impl Error {
            /// Returns the kind of this error. Compare kinds, not messages: messages may change.
            ///
            /// ```
            /// use saiban::{Error, ErrorKind};
            /// assert_eq!(Error::NodeRequired { max: 1023 }.kind(), ErrorKind::NodeRequired);
            /// ```
            #[must_use]
            #[allow(unused_variables, reason = "few kinds depend on a field")]
            pub const fn kind(&self) -> ErrorKind {
                match *self { $( Error::$variant $( { $( $field ),+ } )? => $kind, )+ }
            }

            /// Writes the message, with the numbers as the caller wrote them.
            pub(super) fn write_message(&self, $f: &mut fmt::Formatter<'_>, $m: Numbers<'_>) -> fmt::Result {
                match *self {
                    $( Error::$variant $( { $( $field ),+ } )? => message!($f, $message $(, $argument )*), )+
                }
            }
        }
    };
}

/// Expands to the doc of a field: its own doc, or the default doc for its name.
macro_rules! field_doc {
    ($field:ident $( $doc:literal )+) => { concat!($( $doc ),+) };
    (ahead_ns) => { "How far ahead, in nanoseconds." };
    (behind_ns) => { "How far the clock is behind, in nanoseconds." };
    (bits) => { "The width, in bits." };
    (character) => { "The character." };
    (encoding) => { "The name of the encoding." };
    (end) => { "The end of the nodes, not included." };
    (end_ms) => { "The end, Unix milliseconds." };
    (entropy_size) => { "The number of bytes that was given." };
    (epoch_ms) => { "The epoch, Unix milliseconds." };
    (fault) => { "What is wrong with the text." };
    (first) => { "The first node." };
    (form) => { "What the text looks like." };
    (kind) => { "The kind of the maker's error." };
    (known) => { "The names that there are, separated by commas." };
    (last_ms) => { "The layout's last time, Unix milliseconds." };
    (length) => { "How many characters the text has." };
    (max) => { "The largest number allowed." };
    (max_jump_ns) => { "The longest jump allowed, in nanoseconds." };
    (max_wait_ns) => { "The longest wait allowed, in nanoseconds." };
    (min) => { "The smallest number allowed." };
    (most) => { "How many nodes one generator can have." };
    (name) => { "The name that was given." };
    (node) => { "The node that was given." };
    (odd) => { "The first character that no ID has, and its position, counted from 0." };
    (option) => { "The name of the option." };
    (os_error) => { "The number of the operating system's error." };
    (part) => { "The name of the part." };
    (path) => { "The path." };
    (position) => { "Where, counted in characters from 0." };
    (prefix) => { "The prefix." };
    (problem) => { "What is wrong with the file." };
    (process) => { "The id of the process." };
    (random) => { "The random part that was given." };
    (reason) => { "What is wrong with the layout." };
    (rollback) => { "The number of steps back that was given." };
    (scheme) => { "The name of the scheme." };
    (sequence) => { "The sequence that was given." };
    (shards) => { "The number of shards that was given." };
    (start) => { "The start that was given." };
    (start_ms) => { "The start, Unix milliseconds." };
    (step) => { "The step." };
    (timestamp_ms) => { "The time, Unix milliseconds." };
    (turn_ms) => { "The time of the first negative IDs, Unix milliseconds." };
    (value) => { "The number that was given." };
    (version) => { "The UUID's version; 0 is the nil UUID and 15 the max UUID." };
    (wait_ns) => { "How long the wait would be, in nanoseconds." };
    (what) => { "The message." };
    (why) => { "Why, and what to do." };
    (width) => { "The width that was asked for, in characters." };
}
