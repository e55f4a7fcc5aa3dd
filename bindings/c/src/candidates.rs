//! Inspection of IDs of unknown origin and any width, with reasons.

use crate::ffi::{Buffer, Chars, Fill, Nothing, Out, Slice, ffi};
use crate::given::{NOT_GIVEN, given};
use crate::inspect::{inspector, of_scheme};
use crate::layout::Layout;
use crate::parts::{SAIBAN_SCHEME_ANY, WideParts};
use crate::versioned::{Defaults, Given, Versioned, unknown_size};
use saiban::inspect::{Candidate, Reason};
use saiban::{Encoding, Error, Inspector};
use std::ptr;

/// A buffer of this many bytes holds every candidate's reasons, with their NUL.
pub const SAIBAN_REASONS_CAPACITY: usize = 1024;

/// What to consider. Begin with SAIBAN_INSPECT_OPTIONS_INIT (or saiban_inspect_options_init), then
/// change what you need.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct InspectOptions {
    /// The size of this struct as the program was compiled with: leave it as it is.
    pub size: usize,
    /// The only scheme to consider, SAIBAN_SCHEME_UUID for UUIDs of every version; by default
    /// SAIBAN_SCHEME_ANY.
    pub scheme: i64,
    /// The secret of Randflake IDs, or NULL.
    pub secret: *const u8,
    /// How many bytes the secret has: 16.
    pub secret_len: usize,
    /// Earlier secrets, at most 7, one after another, or NULL. There is one candidate for each
    /// secret, whose secret_index is the secret's position: 0 for secret, 1 and up for these. Any
    /// number is an ID under any secret, so the most plausible time comes first, which is not
    /// proof.
    pub old_secrets: *const u8,
    /// How many bytes they have together: 16 each.
    pub old_secrets_len: usize,
    /// Layouts to consider too, at most 4, or NULL. An ID whose time would be plausible is taken
    /// for one of them.
    pub layouts: *const *const Layout,
    /// How many there are.
    pub layouts_len: usize,
    /// The epoch from which presets and Ulid-Flake are counted, Unix milliseconds, in place of
    /// their own.
    pub epoch_ms: i64,
}

impl Defaults for InspectOptions {
    const NONE: InspectOptions = InspectOptions {
        size: size_of::<InspectOptions>(),
        scheme: SAIBAN_SCHEME_ANY as i64,
        secret: ptr::null(),
        secret_len: 0,
        old_secrets: ptr::null(),
        old_secrets_len: 0,
        layouts: ptr::null(),
        layouts_len: 0,
        epoch_ms: NOT_GIVEN,
    };
}

impl Versioned for InspectOptions {
    const UNKNOWN_SIZE: &'static str = unknown_size!(init "SAIBAN_INSPECT_OPTIONS_INIT");
}

impl InspectOptions {
    fn inspector(&self) -> Result<Inspector, Error> {
        let secret = (Slice::new(self.secret), self.secret_len);
        let old_secrets = (Slice::new(self.old_secrets), self.old_secrets_len);
        let mut inspector = inspector(secret, old_secrets)?;
        // A number of more than 32 bits becomes -1, which no scheme has.
        inspector = of_scheme(inspector, i32::try_from(self.scheme).unwrap_or(-1))?;
        if let Some(layouts) = Slice::new(self.layouts) {
            for layout in layouts.get(self.layouts_len)? {
                // SAFETY: NULL, or a layout that the caller has not freed.
                let layout = unsafe { layout.as_ref() };
                inspector =
                    inspector.layout(&layout.ok_or(Error::InvalidArgument { what: "a layout is NULL" })?.core)?;
            }
        }
        match given(self.epoch_ms) {
            Some(epoch_ms) => inspector.epoch_ms(epoch_ms),
            None => Ok(inspector),
        }
    }
}

/// What an ID can be, the most likely first: see saiban_inspect_wide. It never changes; any thread
/// may use it.
pub struct Candidates(saiban::inspect::Candidates);

impl Candidates {
    fn at(&self, index: usize) -> Result<&Candidate, Error> {
        let what =
            "there is no candidate with this index: saiban_candidates_count returns how many there are, counted from 0";
        self.0.ranked().nth(index).ok_or(Error::InvalidArgument { what })
    }
}

fn joined(candidate: &Candidate, between: &str, of: fn(Reason) -> String) -> String {
    candidate.reasons().map(of).collect::<Vec<_>>().join(between)
}

ffi! {
    /// Sets all options to their defaults: SAIBAN_INSPECT_OPTIONS_INIT for languages without the
    /// macro.
    ///
    /// - options, size: the struct, and its sizeof as the program was compiled with.
    ///
    /// Errors: INVALID_ARGUMENT for a size that this library does not know.
    fn saiban_inspect_options_init(options: Fill<InspectOptions>, size: usize) {
        options.write_version(size, || Ok(InspectOptions { size, ..InspectOptions::NONE }))?;
    }

    /// Tells what a number can be: all formats that it fits, the most likely first, and why. Give
    /// the candidates back with saiban_candidates_free.
    ///
    /// - id: SAIBAN_WIDE_ID_SIZE bytes.
    /// - bits: how many it has, 16 to 128: 128 (ULID, UUID), 96 (ObjectId), 77 (tick ID), up to 64,
    ///   or as many as a layout given has.
    /// - options: what to consider. NULL means the defaults.
    ///
    /// Errors: ID_OUT_OF_RANGE for a number of more bits; INVALID_ARGUMENT for other widths, for
    /// more secrets or layouts, or old secrets only; UNKNOWN_NAME, INVALID_SECRET, INVALID_LAYOUT
    /// for the epoch, CLOCK_UNAVAILABLE.
    fn saiban_inspect_wide(
        id: Slice<u8>, bits: u32, options: Option<Given<InspectOptions>>, found: Out<*mut Candidates>,
    ) {
        let (id, options) = (id.wide()?, Given::or_default(options)?);
        // The encoders check the number of bits.
        Encoding::HEX.encode_wide(id, bits)?;
        found.give(Candidates(options.inspector()?.inspect_wide(id, bits)));
    }

    /// Tells what a text can be: what a scheme writes, a decimal number of up to 128 bits, a UUID
    /// in any of its forms, letters in either case; after 0x a hexadecimal number; and, less
    /// likely, a number in any other encoding, where its time would be plausible. The rest as
    /// saiban_inspect_wide.
    ///
    /// Errors: as saiban_inspect_wide; when no scheme reads the text, the error of the form that
    /// the text is most like (TEXT_…).
    fn saiban_inspect_text_wide(
        text: Chars, text_len: usize, options: Option<Given<InspectOptions>>, found: Out<*mut Candidates>,
    ) {
        let inspector = Given::or_default(options)?.inspector()?;
        found.give(Candidates(inspector.inspect_text(&text.get(text_len)?)?));
    }

    /// Returns the number of candidates, at most SAIBAN_CANDIDATES_MAX; 0 if nothing fits.
    fn saiban_candidates_count(candidates: &Candidates, count: Out<usize>) {
        count.set(candidates.0.len());
    }

    /// Reads what the ID holds if it is this.
    ///
    /// - index: 0 for the most likely.
    /// - parts, size: the struct, and its sizeof as the program was compiled with.
    ///
    /// Errors: INVALID_ARGUMENT for an index past the last, or a size that this library does not
    /// know.
    fn saiban_candidates_parts(candidates: &Candidates, index: usize, parts: Fill<WideParts>, size: usize) {
        parts.write_version(size, || Ok((*candidates.at(index)?.parts()).into()))?;
    }

    /// Reads how much speaks for a candidate.
    ///
    /// - score: a point more makes it twice as likely. It compares the candidates of one ID, and
    ///   may change with every version.
    /// - is_plausible: whether its time is in the past and not before the format existed, or it has
    ///   none. May be NULL.
    /// - layout_index: which of the layouts given it is, from 0; -1 for none. May be NULL.
    ///
    /// Errors: INVALID_ARGUMENT for an index past the last.
    fn saiban_candidates_score(
        candidates: &Candidates, index: usize, score: Out<i32>, is_plausible: Option<Out<bool>>,
        layout_index: Option<Out<i64>>,
    ) {
        let candidate = candidates.at(index)?;
        score.set(candidate.score());
        if let Some(is_plausible) = is_plausible {
            is_plausible.set(candidate.is_plausible());
        }
        if let Some(layout_index) = layout_index {
            layout_index.set(candidate.layout_index().and_then(|index| i64::try_from(index).ok()).unwrap_or(-1));
        }
    }

    /// Writes the text that a candidate's scheme has for the ID; of a layout of one's own the
    /// decimal number.
    ///
    /// - buffer, capacity, len: as for saiban_encode.
    ///
    /// Errors: INVALID_ARGUMENT for an index past the last; BUFFER_TOO_SMALL.
    fn saiban_candidates_text(
        candidates: &Candidates, index: usize, buffer: Buffer, capacity: usize, len: Option<Out<usize>>,
    ) {
        buffer.write_len(capacity, &candidates.at(index)?.text(), len)?;
    }

    /// Writes the reasons for a candidate's rank, for people: "canonical text; time is plausible:
    /// 9 years ago".
    ///
    /// - buffer, capacity, len: as for saiban_encode; SAIBAN_REASONS_CAPACITY is always enough.
    ///
    /// Errors: INVALID_ARGUMENT for an index past the last; BUFFER_TOO_SMALL.
    fn saiban_candidates_why(
        candidates: &Candidates, index: usize, buffer: Buffer, capacity: usize, len: Option<Out<usize>>,
    ) {
        buffer.write_len(capacity, &joined(candidates.at(index)?, "; ", |reason| reason.to_string()), len)?;
    }

    /// Writes the same for programs, names with a space between two: "canonical_text
    /// time_plausible".
    ///
    /// - buffer, capacity, len: as for saiban_encode; SAIBAN_REASONS_CAPACITY is always enough.
    ///
    /// Errors: INVALID_ARGUMENT for an index past the last; BUFFER_TOO_SMALL.
    fn saiban_candidates_reasons(
        candidates: &Candidates, index: usize, buffer: Buffer, capacity: usize, len: Option<Out<usize>>,
    ) {
        buffer.write_len(capacity, &joined(candidates.at(index)?, " ", |reason| reason.name().to_owned()), len)?;
    }

    /// Gives the candidates back. NULL is allowed.
    fn saiban_candidates_free(candidates: Option<Box<Candidates>>) -> Nothing {
        drop(candidates);
        Nothing
    }
}
