//! Reading a stream of IDs: text, one a line, or binary.

use crate::args::Ids;
use crate::failure::Failure;
use crate::progress::Progress;
use saiban::{Encoding, Leniency};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

const BUFFER: usize = 1 << 20;

/// Longer than any text that a lenient reader looks at: what has no line breaks is not read into memory.
const LONGEST_LINE: u64 = 1 << 10;

/// How IDs are written.
#[derive(Clone, Copy)]
pub(crate) enum Form {
    Text(Encoding, Leniency),
    /// 64 bits, little-endian.
    Raw,
}

impl Form {
    pub(crate) fn of(arguments: &Ids) -> Result<Self, Failure> {
        if arguments.raw {
            return Ok(Form::Raw);
        }
        let name = arguments.format.as_deref().unwrap_or(Encoding::DECIMAL.name());
        let encoding = Encoding::from_name(name).map_err(Failure::of("--format"))?;
        Ok(Form::Text(encoding, Leniency::lenient_if(arguments.lenient)))
    }

    /// The encoding in which IDs are shown.
    pub(crate) fn encoding(self) -> Encoding {
        match self {
            Form::Text(encoding, _) => encoding,
            Form::Raw => Encoding::DECIMAL,
        }
    }
}

/// Hands every ID of the files, or of stdin where none is given, to `take`, in their order.
pub(crate) fn each(
    arguments: &Ids,
    form: Form,
    progress: &Progress,
    mut take: impl FnMut(i64) -> Result<(), Failure>,
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

fn stream(
    name: Option<&str>,
    source: impl Read,
    form: Form,
    take: impl FnMut(i64) -> Result<(), Failure>,
) -> Result<(), Failure> {
    match form {
        Form::Text(encoding, leniency) => {
            let source = BufReader::with_capacity(BUFFER, source);
            lines(name, source, |text| encoding.decode_as(text, None, leniency), take)
        }
        Form::Raw => words(name.unwrap_or("stdin"), source, take),
    }
}

fn lines(
    name: Option<&str>,
    mut source: impl BufRead,
    decode: impl Fn(&str) -> Result<i64, saiban::Error>,
    mut take: impl FnMut(i64) -> Result<(), Failure>,
) -> Result<(), Failure> {
    // The text itself is not shown: position and character are enough, and who gives the wrong file may give a secret's.
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
            return Err(Failure::Input { place: place(number), problem: "no text (UTF-8); --raw reads binary IDs" });
        };
        take(decode(text).map_err(|error| Failure::Id { subject: Some(place(number)), error })?)?;
    }
    Ok(())
}

fn words(name: &str, mut source: impl Read, mut take: impl FnMut(i64) -> Result<(), Failure>) -> Result<(), Failure> {
    let mut buffer = vec![0; BUFFER];
    // What the last read left of an ID stands at the front.
    let mut rest = 0;
    loop {
        let read = match source.read(&mut buffer[rest..]) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read.map_err(Failure::io(name))?,
        };
        if read == 0 && rest > 0 {
            return Err(Failure::Input { place: name.into(), problem: "ends within an ID: each has 8 bytes" });
        }
        if read == 0 {
            return Ok(());
        }
        let (words, _) = buffer[..rest + read].as_chunks();
        for &word in words {
            take(i64::from_le_bytes(word))?;
        }
        let left = words.len() * 8..rest + read;
        rest = left.len();
        buffer.copy_within(left, 0);
    }
}
