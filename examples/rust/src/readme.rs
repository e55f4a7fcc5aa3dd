//! The README's lines of Rust, as a program.

use std::error::Error;

#[rustfmt::skip]
pub fn readme() -> Result<(), Box<dyn Error>> {
    use saiban::{Generator, SnowflakeGenerator};

    let ids = SnowflakeGenerator::new(7)?;     // node 7, which no other machine has
    let id = ids.generate()?;                  // i64
    println!("{id} {} {:?}", ids.to_text(id)?, ids.inspect(id)?.timestamp_ms);

    let folder = std::env::temp_dir().join(format!("saiban-{}", std::process::id()));
    std::fs::create_dir(&folder)?;
    std::env::set_current_dir(&folder)?;
    leased()?;
    Ok(std::fs::remove_dir_all(folder)?)
}

#[rustfmt::skip]
fn leased() -> Result<(), Box<dyn Error>> {
    use saiban::{GeneratorSpec, Scheme};
    use saiban_coordination::{Issuer, StoreNodes};

    let store = StoreNodes::new("sqlite:ids.db");  // a node that no other process of this machine has
    let ids = Issuer::<i64>::with_store(&GeneratorSpec::new(Scheme::Snowflake), &store)?;
    let lease = ids.lease().ok_or("no lease")?;
    println!("{} {:?}", ids.generate()?, lease.grant()?.nodes());
    lease.release()?;
    Ok(())
}
