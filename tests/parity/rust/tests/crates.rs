//! Compares 100,000 random IDs a format in both directions, and lets the crates read IDs of
//! saiban's generators. `SAIBAN_PARITY_SEED` chooses other IDs.

use data_encoding::{BASE32HEX_NOPAD, BASE64URL_NOPAD, HEXLOWER, Specification};
use saiban::encoding::{UuidForm, uuid_from_guid_bytes, uuid_to_guid_bytes};
use saiban::{
    ComposeParts, Encoding, Generator, Leniency, ObjectIdGenerator, UlidGenerator, UuidGenerator, XidGenerator,
};
use std::time::{Duration, SystemTime};

const IDS: usize = 100_000;

/// Returns random IDs with this many bits, and the lowest and highest ones.
fn random_ids(bits: u32) -> impl Iterator<Item = u128> {
    let seed = std::env::var("SAIBAN_PARITY_SEED").map_or(20_261_121, |seed| seed.parse().expect("a number"));
    let mut random = fastrand::Rng::with_seed(seed);
    let all = u128::MAX >> (128 - bits);
    let edges = (0..bits).flat_map(|bit| [1 << bit, (1 << bit) - 1]).chain([0, all]);
    edges.chain((0..IDS).map(move |_| random.u128(..) & all))
}

fn bytes<const N: usize>(id: u128) -> [u8; N] {
    id.to_be_bytes()[16 - N..].try_into().expect("the low bytes")
}

#[test]
fn uuids_of_any_bits_have_the_texts_and_bytes_of_the_crate_uuid() {
    for id in random_ids(128) {
        let theirs = uuid::Uuid::from_u128(id);
        assert_eq!(UuidForm::Hyphenated.encode(id), theirs.hyphenated().to_string().as_str());
        assert_eq!(UuidForm::Simple.encode(id), theirs.simple().to_string().as_str());
        assert_eq!(UuidForm::Braced.encode(id), theirs.braced().to_string().as_str());
        assert_eq!(UuidForm::Urn.encode(id), theirs.urn().to_string().as_str());
        for form in UuidForm::ALL {
            let text = form.encode(id);
            assert_eq!(form.decode(&text, Leniency::Strict), Ok(id));
            assert_eq!(uuid::Uuid::try_parse(&text), Ok(theirs));
            assert_eq!(UuidForm::read_any(&text.to_uppercase()), Ok(id));
        }
        assert_eq!(uuid_to_guid_bytes(id), theirs.to_bytes_le());
        assert_eq!(uuid_from_guid_bytes(theirs.to_bytes_le()), id);
    }
}

#[test]
fn uuids_that_we_make_are_read_by_the_crate_uuid_as_we_read_them() {
    for (ids, version) in [(UuidGenerator::v1(), 1), (UuidGenerator::v4(), 4), (UuidGenerator::v7(), 7)] {
        let ids = ids.expect("a generator");
        let made = ids.generate_many(IDS).expect("IDs");
        for id in made {
            let theirs = uuid::Uuid::from_u128(id);
            assert_eq!((theirs.get_version_num(), theirs.get_variant()), (version, uuid::Variant::RFC4122));
            let parts = ids.inspect(id).expect("a UUID of its version");
            let time_ms = theirs.get_timestamp().map(|timestamp| {
                let (seconds, nanoseconds) = timestamp.to_unix();
                seconds as i64 * 1_000 + i64::from(nanoseconds) / 1_000_000
            });
            assert_eq!(parts.timestamp_ms, time_ms);
            if version == 1 {
                let node = theirs.get_node_id().expect("a node");
                assert_eq!(
                    parts.node,
                    Some(u64::from_be_bytes([&[0, 0], node.as_slice()].concat().try_into().expect("8")))
                );
                assert_eq!(node[0] & 1, 1, "a multicast address");
            }
        }
    }
}

#[test]
fn ulids_have_the_texts_times_and_random_parts_of_the_crate_ulid() {
    let ids = UlidGenerator::new().expect("a generator");
    for id in random_ids(128).chain(ids.generate_many(IDS).expect("IDs")) {
        let theirs = ulid::Ulid(id);
        let text = ids.to_text(id).expect("any 128 bits are a ULID");
        assert_eq!(text, theirs.to_string().as_str());
        assert_eq!(ulid::Ulid::from_string(&text), Ok(theirs));
        assert_eq!(ids.from_text(&text.to_lowercase()), Ok(id));
        let parts = ids.inspect(id).expect("any 128 bits are a ULID");
        assert_eq!(parts.timestamp_ms, Some(theirs.timestamp_ms() as i64));
        assert_eq!(parts.random, Some(theirs.random()));
        assert_eq!(ids.compose(&ComposeParts::at_ms(theirs.timestamp_ms() as i64).random(theirs.random())), Ok(id));
    }
}

#[test]
fn object_ids_have_the_texts_and_times_of_the_crate_bson() {
    let ids = ObjectIdGenerator::new().expect("a generator");
    for id in random_ids(96).chain(ids.generate_many(IDS).expect("IDs")) {
        let theirs = bson::oid::ObjectId::from_bytes(bytes(id));
        // The text has 24 digits even if the number has fewer.
        let text = ids.to_text(id).expect("any 96 bits are an ObjectId");
        assert_eq!(text, theirs.to_hex().as_str());
        assert_eq!(ids.from_text(&text), Ok(id));
        let since_1970 =
            SystemTime::from(theirs.timestamp()).duration_since(SystemTime::UNIX_EPOCH).expect("not before");
        let time_ms = ids.inspect(id).expect("any 96 bits are an ObjectId").timestamp_ms.expect("a time");
        assert_eq!(Duration::from_millis(time_ms as u64), since_1970);
    }
}

#[test]
fn xids_have_the_texts_of_the_crate_data_encoding() {
    let ids = XidGenerator::new().expect("a generator");
    for id in random_ids(96).chain(ids.generate_many(IDS).expect("IDs")) {
        let bytes: [u8; 12] = bytes(id);
        let text = ids.to_text(id).expect("any 96 bits are an XID");
        assert_eq!(text, BASE32HEX_NOPAD.encode(&bytes).to_lowercase().as_str());
        assert_eq!(ids.from_text(&text), Ok(id));
        let seconds = u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        let time_ms = ids.inspect(id).expect("any 96 bits are an XID").timestamp_ms;
        assert_eq!(time_ms, Some(i64::from(seconds) * 1_000));
    }
}

#[test]
fn hex_base64url_binary_and_base32hex_are_those_of_the_crate_data_encoding() {
    let mut binary = Specification::new();
    binary.symbols.push_str("01");
    let binary = binary.encoding().expect("an encoding");
    for id in random_ids(128) {
        let bytes: [u8; 16] = bytes(id);
        let fixed = |encoding: Encoding, width| encoding.encode_wide_width(id, 128, width).expect("it fits");
        assert_eq!(fixed(Encoding::HEX, 32), HEXLOWER.encode(&bytes).as_str());
        assert_eq!(fixed(Encoding::BINARY, 128), binary.encode(&bytes).as_str());
        let text = Encoding::BASE64URL.encode_wide(id, 128).expect("it fits");
        assert_eq!(text, BASE64URL_NOPAD.encode(&bytes).as_str());
        assert_eq!(Encoding::BASE64URL.decode_wide(&text, 128), Ok(id));
        let id = id >> 32;
        assert_eq!(
            Encoding::BASE64URL.encode_wide(id, 96),
            Ok(Encoding::BASE64URL.encode_wide(id, 96).expect("it fits"))
        );
        assert_eq!(
            Encoding::BASE64URL.encode_wide(id, 96).expect("it fits"),
            BASE64URL_NOPAD.encode(&self::bytes::<12>(id)).as_str()
        );
    }
    // saiban encodes a number and the crate encodes bytes. They agree where neither needs padding.
    for id in random_ids(80) {
        let text = Encoding::BASE32HEX.encode_wide_width(id, 80, 16).expect("it fits");
        assert_eq!(text.to_uppercase(), BASE32HEX_NOPAD.encode(&bytes::<10>(id)));
    }
}

#[test]
fn base58_is_that_of_the_crate_bs58() {
    for id in random_ids(128).filter(|id| *id > 0) {
        // bs58 writes a digit for each leading zero byte; saiban encodes only the number.
        let bytes = id.to_be_bytes();
        let first = bytes.iter().position(|byte| *byte != 0).expect("a number above 0");
        let text = Encoding::BASE58.encode_wide(id, 128).expect("it fits");
        assert_eq!(text, bs58::encode(&bytes[first..]).into_string().as_str());
        assert_eq!(Encoding::BASE58.decode_wide(&text, 128), Ok(id));
    }
}
