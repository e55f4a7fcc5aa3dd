//! Invalid URLs are refused, and a possible password in them is never shown.

use saiban::Scheme;
use saiban_coordination::lease::Terms;
use saiban_coordination::store::{StoreUrl, open};
use saiban_coordination::{Error, ErrorKind, Lease, LeaseOptions};

/// Returns the kinds of servers that this build supports.
fn servers() -> impl Iterator<Item = &'static str> {
    let all = [
        ("postgres", cfg!(feature = "postgres")),
        ("postgresql", cfg!(feature = "postgres")),
        ("mysql", cfg!(feature = "mysql")),
        ("mariadb", cfg!(feature = "mysql")),
        ("redis", cfg!(feature = "redis")),
        ("rediss", cfg!(feature = "redis")),
        ("etcd", cfg!(feature = "etcd")),
        ("etcds", cfg!(feature = "etcd")),
        ("zookeeper", cfg!(feature = "zookeeper")),
        ("zookeepers", cfg!(feature = "zookeeper")),
        ("saiban", cfg!(feature = "coordinator")),
        ("saibans", cfg!(feature = "coordinator")),
    ];
    all.into_iter().filter_map(|(kind, is_there)| is_there.then_some(kind))
}

/// Returns everything that is shown of this URL.
fn everything_shown(url: &str) -> Result<String, Error> {
    let url = StoreUrl::new(url)?;
    let shown = format!("{url} {url:?}");
    Ok(match open(&url) {
        Ok(_) => shown,
        Err(error) => format!("{shown} {error} {error:?}"),
    })
}

#[test]
fn urls_of_servers_that_may_have_a_piece_of_a_password_in_them_are_refused_and_not_shown() {
    for kind in servers() {
        for rest in [
            "://shop:12#s3cret@db/shop",
            "://shop:12/s3cret@db/shop",
            "://shop:12?s3cret@db/shop",
            "://shop:12?s3cret=x@db/shop",
            "://shop:12?x=s3cret@db/shop",
            "://shop:s3cret#12@db/shop",
            "://shop:s3cret/12@db/shop",
            "://shop:s3cret?12@db/shop",
            "://shop:/s3cret@db",
            "://shop/s3cret@db",
            "://:/s3cret@db",
            "://shop:1,2/s3cret@db,db2",
            "://shop:1,2#s3cret@db,db2",
            "://shop:1,2?s3cret@db,db2",
            "://db/shop#s3cret",
            "://shop:p@db/shop?password=s3cret@",
            ":///shop:s3cret@db/shop",
            ":////shop:s3cret@db/shop",
            ":shop:s3cret@db/shop",
            ":/shop:s3cret@db/shop",
            ":shop:s3cret@db",
            ":s3cret",
            ":/s3cret",
            ":s3cret#",
            ":?s3cret",
            "://shop:s3cret%40db/shop",
        ] {
            let url = format!("{kind}{rest}");
            let error = everything_shown(&url).expect_err(&url);
            let text = format!("{error} {error:?}");
            assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{url}: {text}");
            assert!(
                !text.contains("s3cret") && text.contains("write # / ? @ in a user or password as %23 %2F"),
                "{url}: {text}"
            );
            // This is the first call of a user.
            let error = Lease::acquire(&url, &LeaseOptions::default()).expect_err(&url);
            assert!(!error.to_string().contains("s3cret"), "{url}: {error}");
        }
    }
}

#[test]
fn passwords_in_urls_that_can_be_read_are_not_shown() {
    for kind in servers() {
        for rest in [
            "://shop:s3cret@db/shop",
            "://shop:%23s3cret%2F@db/shop",
            "://shop:x@s3cret@db/shop",
            "://shop:x\\s3cret@db/shop",
            "://shop:x s3cret@db/shop",
            "://shop%3As3cret@db/shop",
            "://shop%3as3cret:s3cret@db/shop",
            "://:s3cret@db/shop",
            "://db/shop?password=s3cret",
            "://db/shop?s3cret%40db=1",
        ] {
            let url = format!("{kind}{rest}");
            let text = everything_shown(&url).unwrap_or_else(|error| error.to_string());
            assert!(!text.contains("s3cret") && !text.contains("xs3"), "{url}: {text}");
        }
    }
    // A name without a password is a user in databases, and may be a password elsewhere.
    for kind in servers().filter(|kind| !kind.contains("sql") && !kind.contains("postgres") && *kind != "mariadb") {
        let text = everything_shown(&format!("{kind}://s3cret@db")).unwrap_or_else(|error| error.to_string());
        assert!(!text.contains("s3cret"), "{text}");
    }
}

#[test]
fn urls_of_no_store_are_not_shown() {
    for url in [
        "postgre://shop:s3cret@db/shop",
        "jdbc:postgresql://shop:s3cret@db/shop",
        "postgresql+psycopg2://shop:s3cret@db/shop",
        "s3cret:shop@db",
        "shop:s3cret@db/shop",
        "//shop:s3cret@db/shop",
        "s3cret@db/shop",
        "host=db user=shop password=s3cret",
        "postgres//shop:s3cret@db",
        "ftp://shop:s3cret@[db/shop",
        "",
    ] {
        let error = everything_shown(url).expect_err(url);
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{url}: {error}");
        assert!(!format!("{error} {error:?}").contains("s3cret"), "{url}: {error}");
    }
}

#[test]
fn a_url_in_the_place_of_a_name_is_not_shown() {
    let layout = Terms::layout(Scheme::Snowflake, None, None).expect("a layout");
    for url in ["postgres://shop:s3cret@db/shop", "redis:shop:s3cret@db", "s3cret@db", "redis://s3cret"] {
        let error = Terms::new(url, Scheme::Snowflake, &layout, None, 60).expect_err(url);
        assert!(!error.to_string().contains("s3cret") && error.to_string().contains("cannot name"), "{error}");
        let error = Scheme::from_name(url).expect_err(url);
        assert!(!format!("{error} {error:?}").contains("s3cret") && error.to_string().contains("no scheme"), "{error}");
    }
    let error = Terms::new("or ders", Scheme::Snowflake, &layout, None, 60).expect_err("a space");
    assert!(error.to_string().contains("\"or ders\""), "{error}");
}

#[test]
fn the_error_of_an_invalid_url_names_the_fault() {
    for kind in servers() {
        let error = everything_shown(&format!("{kind}://127.0.0.1:99999/db")).expect_err("no port");
        assert!(error.to_string().contains("port") && error.to_string().contains("65535"), "{error}");
        assert!(!error.to_string().contains("begins with"), "{error}");
    }
}
