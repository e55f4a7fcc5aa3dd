//! The README's lines of Rust, as a program.

use std::error::Error;

#[rustfmt::skip]
pub fn readme() -> Result<(), Box<dyn Error>> {
    use saiban::{Generator, Snowflake};

    let ids = Snowflake::new(7)?;              // node 7, which no other machine has
    let id = ids.generate()?;                  // i64
    println!("{id} {} {:?}", ids.to_text(id)?, ids.inspect(id)?.timestamp_ms);

    let folder = std::env::temp_dir().join(format!("saiban-{}", std::process::id()));
    std::fs::create_dir(&folder)?;
    std::env::set_current_dir(&folder)?;
    leased()?;
    Ok(std::fs::remove_dir_all(folder)?)
}

fn leased() -> Result<(), Box<dyn Error>> {
    use saiban::{Generator, Layout, Options, Snowflake, SystemClock};
    use saiban_coordination::{Issuer, Lease, LeaseOptions};

    // A node that no other process of this machine has.
    let lease = Lease::acquire("sqlite:ids.db", &LeaseOptions::default())?;
    let ids = Issuer::new(Some(&lease), Options::default(), |options| {
        Snowflake::<_>::build(Layout::TWITTER, options, SystemClock)
    })?;
    println!("{} {:?}", ids.generate()?, lease.grant()?.nodes());
    lease.release()?;
    Ok(())
}
