//! Reads a stream of IDs: text, one ID a line, or binary. `check` and `plot` read their IDs with
//! it.

use crate::args::{Ids, Width};
use crate::duplicates::Record;
use crate::failure::Failure;
use crate::progress::Progress;
use saiban::{AnyId, Encoding, Error, ErrorKind, IdValue, Leniency};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

const BUFFER: usize = 1 << 20;

/// The longest line that is read, in bytes. Even the texts that a lenient reader accepts are
/// shorter. The limit keeps a file without line breaks out of memory.
const LONGEST_LINE: u64 = 1 << 10;

/// The hint for an ID that is too long.
pub(crate) const WIDER: &str =
    "IDs have 64 bits, decimal ones a sign, unless --bits says otherwise: 128 for a ULID, 96 for an ObjectId";

/// The hint for the text of a tick ID.
const TICKS: &str =
    "the text of a tick ID is not a number; saiban new tick-id --format decimal writes its number, of 77 bits";

/// Returns the default width of IDs in bits: 128 if an encoding is a form of a UUID, else 64.
pub(crate) fn default_bits(encodings: &[Encoding]) -> u32 {
    let is_uuid = encodings.iter().any(|encoding| Encoding::UUID_FORMS.contains(encoding));
    if is_uuid { u128::BITS } else { u64::BITS }
}

/// The width of the IDs, and how they are written.
#[derive(Clone, Copy)]
pub(crate) struct Form {
    /// The width in bits.
    pub(crate) bits: u32,
    /// Whether `bits` is the default, because no width was given.
    is_usual: bool,
    /// The form of the text. `None` for binary IDs: little-endian, 8 or 16 bytes each.
    text: Option<TextForm>,
}

#[derive(Clone, Copy)]
struct TextForm {
    encoding: Encoding,
    width: Option<i64>,
    leniency: Leniency,
}

impl Form {
    pub(crate) fn of(arguments: &Ids, size: Width) -> Result<Self, Failure> {
        if arguments.raw {
            return match size.bits.unwrap_or(u64::BITS) {
                bits @ (u64::BITS | u128::BITS) => Ok(Form { bits, is_usual: size.bits.is_none(), text: None }),
                bits => Err(Failure::Arguments(format!("--raw reads IDs of 64 or 128 bits: not --bits {bits}"))),
            };
        }
        let name = arguments.format.as_deref().unwrap_or(Encoding::DECIMAL.name());
        let encoding = Encoding::from_name(name).map_err(Failure::of("--format"))?;
        let bits = size.bits.unwrap_or_else(|| default_bits(&[encoding]));
        encoding.full_width_of(bits).map_err(Failure::of("--bits"))?;
        encoding.encode_wide_as(0, bits, size.width).map_err(Failure::of("--width"))?;
        let leniency = Leniency::lenient_if(arguments.lenient);
        let text = Some(TextForm { encoding, width: size.width, leniency });
        Ok(Form { bits, is_usual: size.bits.is_none(), text })
    }

    /// Returns the text of an ID in the requested width. If the ID is too large for this width,
    /// which a lenient reader allows, the text has the encoding's default width.
    pub(crate) fn write(self, id: AnyId) -> String {
        let (encoding, width) = self.text.map_or((Encoding::DECIMAL, None), |text| (text.encoding, text.width));
        let text = id.encode_as(encoding, width).or_else(|_| id.encode(encoding));
        // Every ID that was read has a text. The number is only a fallback.
        text.map_or_else(|_| id.to_string(), |text| text.to_string())
    }
}

impl TextForm {
    fn read<I: IdValue>(self, text: &str, bits: u32) -> Result<I, Error> {
        I::decode(self.encoding, text, bits, self.width, self.leniency)
    }

    /// Returns the hint for a text that cannot be read, if there is one.
    fn hint(self, text: &str, error: &Error, is_usual: bool) -> Option<&'static str> {
        let is_ticks = |(ticks, random): (&str, &str)| is_digits(ticks) && is_digits(random);
        if self.encoding == Encoding::DECIMAL && text.split_once('_').is_some_and(is_ticks) {
            return Some(TICKS);
        }
        let is_long = is_too_long(self.encoding, text, error);
        (is_long && is_usual && default_bits(&[self.encoding]) == u64::BITS).then_some(WIDER)
    }
}

/// Returns whether a text was refused because it has more than 64 bits.
pub(crate) fn is_too_long(encoding: Encoding, text: &str, error: &Error) -> bool {
    match error.kind() {
        ErrorKind::TextLength => text.len() > encoding.full_width(),
        kind => kind == ErrorKind::TextOverflow,
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Calls `take` with every ID of the files, in their order. Without files, or for the file `-`, it
/// reads stdin.
pub(crate) fn each<I: Record>(
    arguments: &Ids,
    form: Form,
    progress: &Progress,
    mut take: impl FnMut(I) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut read = 0_u64;
    let mut take = |id| {
        read += 1;
        if read.is_multiple_of(1 << 16) {
            progress.at(read);
        }
        take(id)
    };
    if arguments.files.is_empty() {
        return stream(None, io::stdin().lock(), form, &mut take);
    }
    arguments.files.iter().try_for_each(|path| {
        if path == Path::new("-") {
            return stream(None, io::stdin().lock(), form, &mut take);
        }
        let file = File::open(path).map_err(Failure::file(path))?;
        stream(Some(&path.display().to_string()), file, form, &mut take)
    })
}

fn stream<I: Record>(
    name: Option<&str>,
    source: impl Read,
    form: Form,
    take: impl FnMut(I) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let Some(text) = form.text else {
        return words(name.unwrap_or("stdin"), source, take);
    };
    let source = BufReader::with_capacity(BUFFER, source);
    lines(name, source, |line| text.read(line, form.bits), |line, error| text.hint(line, error, form.is_usual), take)
}

fn lines<I>(
    name: Option<&str>,
    mut source: impl BufRead,
    decode: impl Fn(&str) -> Result<I, Error>,
    hint: impl Fn(&str, &Error) -> Option<&'static str>,
    mut take: impl FnMut(I) -> Result<(), Failure>,
) -> Result<(), Failure> {
    // The message does not quote the text: line and position are enough, and a file given by
    // mistake may contain a secret.
    let place = |number: u64| match name {
        Some(name) => format!("{name}, line {number}"),
        None => format!("line {number}"),
    };
    let mut line = Vec::with_capacity(LONGEST_LINE as usize);
    for number in 1.. {
        line.clear();
        let mut limited = source.by_ref().take(LONGEST_LINE);
        if limited.read_until(b'\n', &mut line).map_err(Failure::io(name.unwrap_or("stdin")))? == 0 {
            break;
        }
        let text = line.strip_suffix(b"\n").unwrap_or(&line);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        if text.len() == LONGEST_LINE as usize {
            return Err(Failure::Input { place: place(number), problem: "longer than any ID: one ID a line" });
        }
        let Ok(text) = str::from_utf8(text) else {
            return Err(Failure::Input { place: place(number), problem: "not text (UTF-8); --raw reads binary IDs" });
        };
        let id = decode(text).map_err(|error| {
            let helps = hint(text, &error);
            let failure = Failure::Id { subject: Some(place(number)), error };
            if let Some(hint) = helps { failure.hinting(hint) } else { failure }
        })?;
        take(id)?;
    }
    Ok(())
}

fn words<I: Record>(
    name: &str,
    mut source: impl Read,
    mut take: impl FnMut(I) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut buffer = vec![0; BUFFER];
    let mut ids = Vec::with_capacity(BUFFER / I::BYTES);
    // The number of bytes of an incomplete ID that the last read left at the front of `buffer`.
    let mut rest = 0;
    loop {
        let read = match source.read(&mut buffer[rest..]) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read.map_err(Failure::io(name))?,
        };
        if read == 0 && rest > 0 {
            let problem = match I::BYTES {
                8 => "ends within an ID: each has 8 bytes",
                _ => "ends within an ID: each has 16 bytes",
            };
            return Err(Failure::Input { place: name.into(), problem });
        }
        if read == 0 {
            return Ok(());
        }
        ids.clear();
        I::read(&buffer[..rest + read], &mut ids);
        ids.iter().try_for_each(|&id| take(id))?;
        let left = ids.len() * I::BYTES..rest + read;
        rest = left.len();
        buffer.copy_within(left, 0);
    }
}
