//! Makes include/saiban.h from the sources of the C binding.
//!
//! cbindgen does not read macros. So this program first writes the functions of every `ffi! { … }`
//! as plain declarations, with the types that arguments have in C. cbindgen makes the header from
//! these declarations, and from the constants and structs. The default options become one macro for
//! each struct.

mod defaults;
mod plain;

use std::error::Error;
use std::path::{Path, PathBuf};

/// The order of the header's parts.
const SOURCES: [&str; 26] = [
    "ffi",
    "names",
    "versioned",
    "error",
    "messages",
    "given",
    "clock",
    "layout",
    "properties",
    "node",
    "rollback",
    "scope",
    "lease",
    "options",
    "counter",
    "generator",
    "wide",
    "insert",
    "range",
    "stats",
    "parts",
    "schemes",
    "remote",
    "encoding",
    "inspect",
    "candidates",
];

fn main() -> Result<(), Box<dyn Error>> {
    let binding = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("the binding's folder")?.to_path_buf();
    let found = std::fs::read_dir(binding.join("src"))?.count();
    if found != SOURCES.len() + 1 {
        return Err(
            format!("{found} files in src, but lib.rs and {} others are listed in SOURCES", SOURCES.len()).into()
        );
    }
    let mut config = cbindgen::Config::from_file(binding.join("cbindgen.toml"))?;
    let (mut items, mut defaults) = (Vec::new(), config.after_includes.take().unwrap_or_default());
    for name in SOURCES {
        let path = binding.join("src").join(name).with_extension("rs");
        let file = syn::parse_file(&std::fs::read_to_string(&path)?)?;
        let of_file = |error| format!("{}: {error}", path.display());
        for none in defaults::of(&file).map_err(of_file)? {
            defaults.push_str(&none.initialiser(&config.export.rename)?);
        }
        items.extend(plain::items(file).map_err(of_file)?);
    }
    config.after_includes = Some(defaults);
    let work = Work::new()?;
    let plain_source = work.0.join("saiban.rs");
    std::fs::write(&plain_source, plain::print(&items))?;

    let mut header = Vec::new();
    cbindgen::Builder::new().with_config(config).with_src(&plain_source).generate()?.write(&mut header);
    let target = binding.join("../../include/saiban.h");
    // Fail if the header lacks a function.
    let functions = items.iter().filter(|item| matches!(item, syn::Item::Fn(_))).count();
    let text = String::from_utf8(header)?;
    for item in &items {
        if let syn::Item::Fn(function) = item {
            let name = &function.sig.ident;
            if !text.contains(&format!("{name}(")) {
                return Err(format!("{name} is missing from the header").into());
            }
        }
    }
    std::fs::create_dir_all(target.parent().ok_or("a folder")?)?;
    std::fs::write(&target, text)?;
    println!("include/saiban.h: {functions} functions");
    Ok(())
}

/// A temporary folder, which is removed when this value is dropped.
struct Work(PathBuf);

impl Work {
    fn new() -> std::io::Result<Self> {
        let path = std::env::temp_dir().join(format!("saiban-header-{}", std::process::id()));
        std::fs::create_dir_all(&path)?;
        Ok(Work(path))
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        // Files left in the system's temporary folder do no harm.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
