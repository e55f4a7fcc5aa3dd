//! The README's lines of Rust, as a program.

#[rustfmt::skip]
pub fn readme() -> Result<(), saiban::Error> {
    use saiban::{Generator, Snowflake};

    let ids = Snowflake::new(7)?;              // node 7, which must be ours alone
    let id = ids.generate()?;                  // i64
    println!("{id} {} {:?}", ids.to_text(id)?, ids.inspect(id)?.timestamp_ms);
    Ok(())
}
