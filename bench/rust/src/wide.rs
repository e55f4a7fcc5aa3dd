//! IDs of more than 64 bits.

use crate::failure::Failure;
use crate::rounds::{Case, SAIBAN, case, made};
use ferroid::generator::BasicMonoUlidGenerator;
use ferroid::id::ULID;
use ferroid::rand::ThreadRandom;
use ferroid::time::MonotonicClock;
use saiban::cursor::LocalCursor;
use saiban::{Generator, ObjectIdGenerator, Options, PooledEntropy, TickingClock, UlidGenerator, UuidGenerator};

pub fn cases() -> Result<Vec<Case>, Failure> {
    let (ulids, filled) = (UlidGenerator::new()?, UlidGenerator::new()?);
    let [basic, ticking] =
        [0; 2].map(|_| BasicMonoUlidGenerator::<ULID, _, _>::new(MonotonicClock::<1>::default(), ThreadRandom));
    let (options, entropy) = (Options::default(), PooledEntropy);
    let owned = UlidGenerator::<_, _, LocalCursor<u128>>::with_cursor(&options, TickingClock::start()?, entropy)?;
    let mut monotonic = ulid::Generator::new();
    let (v4, v7, many) = (UuidGenerator::v4()?, UuidGenerator::v7()?, UuidGenerator::v7()?);
    let objects = ObjectIdGenerator::new()?;
    let (mut ids, mut more) = (vec![0; 1_024], vec![0; 1_024]);
    Ok(vec![
        case("rust.ulid.generate.monotonic", SAIBAN, 1, move || made(ulids.generate())),
        case("rust.ulid.generate.monotonic", "ferroid, BasicMono, its clock on a thread", 1, move || {
            basic.next_id(|_| ())
        }),
        case("rust.ulid.generate.monotonic", "ulid", 1, move || made(monotonic.generate())),
        case("rust.ulid.generate.ticking", SAIBAN, 1, move || made(owned.generate())),
        case("rust.ulid.generate.ticking", "ferroid, BasicMono", 1, move || ticking.next_id(|_| ())),
        case("rust.ulid.fill", SAIBAN, 1_024, move || made(filled.fill(&mut ids))),
        case("rust.uuid4.generate", SAIBAN, 1, move || made(v4.generate())),
        case("rust.uuid4.generate", "uuid, fast-rng", 1, uuid::Uuid::new_v4),
        case("rust.uuid7.generate", SAIBAN, 1, move || made(v7.generate())),
        case("rust.uuid7.generate", "uuid, fast-rng", 1, uuid::Uuid::now_v7),
        case("rust.uuid7.fill", SAIBAN, 1_024, move || made(many.fill(&mut more))),
        case("rust.objectid.generate", SAIBAN, 1, move || made(objects.generate())),
        case("rust.objectid.generate", "bson", 1, bson::oid::ObjectId::new),
    ])
}
