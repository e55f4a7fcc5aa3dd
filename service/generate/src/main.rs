//! Writes `service/src/grpc/proto/` from `service/proto/`: the Rust code, and the descriptors for
//! reflection; and the names of schemes and encodings into `service/openapi.json`. All of it is
//! committed.

use prost::Message;
use saiban::{Encoding, Scheme};
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let service = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let out = service.join("src/grpc/proto");
    std::fs::create_dir_all(&out)?;
    let files = protox::compile(["saiban_id/v1/saiban.proto"], [service.join("proto")])?;
    let bytes = files.encode_to_vec();
    tonic_prost_build::configure()
        .build_client(true)
        .build_server(true)
        .bytes(".saiban_id.v1.GenerateResponse.wide_ids")
        .bytes(".saiban_id.v1.StreamResponse.wide_ids")
        .out_dir(&out)
        .compile_fds(files)?;
    std::fs::write(out.join("saiban_id.v1.bin"), bytes)?;
    let path = service.join("openapi.json");
    let document = std::fs::read_to_string(&path)?;
    let document = with_names(&document, "Family", Scheme::ALL.into_iter().map(Scheme::name))?;
    let document = with_names(&document, "Encoding", Encoding::every().map(|encoding| encoding.name()))?;
    std::fs::write(path, document)?;
    Ok(())
}

/// The document with these names in the list of this schema.
fn with_names(
    document: &str,
    schema: &str,
    names: impl Iterator<Item = &'static str>,
) -> Result<String, Box<dyn Error>> {
    let head = format!("\n      \"{schema}\": {{\n        \"type\": \"string\",\n        \"enum\": [\n");
    let (before, rest) = document.split_once(&head).ok_or_else(|| format!("there is no list of {schema}"))?;
    let (_, after) = rest.split_once("\n        ]").ok_or("the list has no end")?;
    let names: Vec<_> = names.map(|name| format!("          \"{name}\"")).collect();
    Ok(format!("{before}{head}{}\n        ]{after}", names.join(",\n")))
}
