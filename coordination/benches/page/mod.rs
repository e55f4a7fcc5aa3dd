//! Common parts of the benchmarks: their arguments, and the page for their tables.

use saiban_coordination::Error;
use std::time::Duration;

/// The text after the tables in the page.
const END: &str = "<!-- the end of the table -->\n";

/// Measures the kinds of stores that the command line names, or all of them, for `--seconds` each,
/// and prints the tables. With `--write PAGE`, also writes them into the page, after the mark of
/// this make target.
pub fn run(
    target: &str,
    known: &[&'static str],
    mut seconds: u64,
    tables: impl FnOnce(&[&'static str], Duration) -> Result<String, Error>,
) -> Result<(), Error> {
    let (mut page, mut kinds) = (None, Vec::new());
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            // Cargo passes this flag.
            "--bench" => {}
            "--seconds" => seconds = words.next().and_then(|word| word.parse().ok()).unwrap_or(seconds),
            "--write" => page = words.next(),
            kind => kinds.extend(known.iter().filter(|known| **known == kind)),
        }
    }
    if kinds.is_empty() {
        kinds = known.to_vec();
    }
    let tables = tables(&kinds, Duration::from_secs(seconds))?;
    println!("{tables}");
    if let Some(page) = page {
        let begin = format!("<!-- the table: make {target} -->\n");
        let text = std::fs::read_to_string(&page).expect("the page");
        let (head, rest) = text.split_once(&begin).expect("the mark before the table");
        let (_, tail) = rest.split_once(END).expect("the mark after the table");
        std::fs::write(&page, format!("{head}{begin}\n{tables}\n{END}{tail}")).expect("the page is written");
    }
    Ok(())
}
