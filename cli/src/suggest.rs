//! Suggests a command for a word that is not a subcommand.

use saiban::Scheme;

/// Words from other programs and from saiban's libraries, and the subcommand for each.
const WORDS: [(&str, &str); 16] = [
    ("generate", "new"),
    ("gen", "new"),
    ("make", "new"),
    ("create", "new"),
    ("guid", "new uuid-v4"),
    ("typeid", "new uuid-v7 --prefix"),
    ("decode", "inspect"),
    ("parse", "inspect"),
    ("read", "inspect"),
    ("info", "inspect"),
    ("explain", "inspect"),
    ("encode", "convert"),
    ("duplicates", "check"),
    ("draw", "plot"),
    ("postgres", "sql"),
    ("redis", "lua"),
];

/// Returns the command that a user may mean by this word in place of a subcommand.
pub(crate) fn command(word: &str) -> Option<String> {
    let word = plain(word);
    if let Some((_, command)) = WORDS.iter().find(|(other, _)| *other == word) {
        return Some((*command).to_owned());
    }
    // The scheme of new UUIDs is uuid-v7.
    Scheme::ALL
        .into_iter()
        .find(|scheme| plain(scheme.name()) == word)
        .map(|scheme| format!("new {}", scheme.generated()))
}

/// Returns the word in lower case, without hyphens and the v of UUIDs: uuid7 equals uuid-v7.
fn plain(word: &str) -> String {
    word.to_lowercase().replace(['-', '_'], "").replace("uuidv", "uuid")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::Arguments;
    use clap::CommandFactory as _;

    #[test]
    fn every_suggestion_is_a_command() {
        let program = Arguments::command();
        for (word, command) in WORDS {
            assert!(program.find_subcommand(word).is_none(), "{word}");
            let subcommand = command.split(' ').next().expect("a word");
            assert!(program.find_subcommand(subcommand).is_some(), "{command}");
        }
    }

    #[test]
    fn a_scheme_is_recognised_however_it_is_written() {
        for (word, suggested) in [
            ("uuid7", "new uuid-v7"),
            ("UUIDv4", "new uuid-v4"),
            ("uuid", "new uuid-v7"),
            ("snowflake", "new snowflake"),
            ("object_id", "new objectid"),
            ("ulidflake", "new ulid-flake"),
        ] {
            assert_eq!(command(word).as_deref(), Some(suggested), "{word}");
        }
        assert_eq!(command("inspekt"), None);
    }
}
