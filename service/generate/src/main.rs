//! Writes `service/src/grpc/proto/` from `service/proto/`: the Rust code, and the descriptors for reflection. Both are committed.

use prost::Message;
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
    Ok(())
}
