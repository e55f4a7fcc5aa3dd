//! axum and sqlx with Randflake keys, by hand and with `saiban::serde`: both behave alike.
//! docs/frameworks.md has the number of the lines that are marked `counted`.

use crate::{ID, through_javascript};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode, header};
use saiban::{Encoding, Secret};
use sqlx::sqlite::{SqlitePool, SqlitePoolOptions};
use tower::ServiceExt;

const SECRET: Secret = Secret::new(*b"a secret of test");

mod by_hand {
    use super::SECRET;
    use axum::extract::{Path, State};
    use axum::routing::{get, post};
    use axum::{Json, Router};
    use saiban::{Encoding, Generator, RandflakeGenerator};
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use sqlx::sqlite::SqlitePool;
    use std::sync::LazyLock;

    // counted: axum, key, by hand
    static IDS: LazyLock<RandflakeGenerator> = LazyLock::new(|| RandflakeGenerator::new(&SECRET, 7).expect("a node"));
    // end of count

    // counted: axum, API, by hand
    #[derive(Clone, Copy, sqlx::Type)]
    #[sqlx(transparent)]
    struct OrderId(i64);

    impl Serialize for OrderId {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_str(&Encoding::BASE32HEX.encode(self.0))
        }
    }

    impl<'de> Deserialize<'de> for OrderId {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let text = String::deserialize(deserializer)?;
            Encoding::BASE32HEX.decode(&text).map(Self).map_err(D::Error::custom)
        }
    }
    // end of count

    #[derive(Serialize, sqlx::FromRow)]
    struct Order {
        // counted: axum, key, by hand
        id: OrderId,
        parent: Option<OrderId>,
        // end of count
    }

    #[derive(Deserialize)]
    struct NewOrder {
        parent: Option<OrderId>, // counted: axum, API, by hand
    }

    async fn create(State(database): State<SqlitePool>, Json(new): Json<NewOrder>) -> Json<Order> {
        // counted: axum, key, by hand
        let id = OrderId(IDS.generate().expect("an ID"));
        let query = sqlx::query_as("INSERT INTO orders (id, parent) VALUES ($1, $2) RETURNING *").bind(id);
        // end of count
        Json(query.bind(new.parent).fetch_one(&database).await.expect("a new row"))
    }

    // counted: axum, API, by hand
    async fn read(State(database): State<SqlitePool>, Path(id): Path<OrderId>) -> Json<Order> {
        // end of count
        let query = sqlx::query_as("SELECT * FROM orders WHERE id = $1").bind(id);
        Json(query.fetch_one(&database).await.expect("a row"))
    }

    pub fn service(database: SqlitePool) -> Router {
        Router::new().route("/orders", post(create)).route("/orders/{id}", get(read)).with_state(database)
    }
}

mod with_saiban {
    use super::SECRET;
    use axum::extract::{Path, State};
    use axum::routing::{get, post};
    use axum::{Json, Router};
    use saiban::{Generator, RandflakeGenerator};
    use serde::{Deserialize, Serialize};
    use sqlx::sqlite::SqlitePool;
    use std::sync::LazyLock;

    // counted: axum, key, with saiban
    static IDS: LazyLock<RandflakeGenerator> = LazyLock::new(|| RandflakeGenerator::new(&SECRET, 7).expect("a node"));
    // end of count

    // counted: axum, API, with saiban
    #[derive(Clone, Copy, Serialize, Deserialize, sqlx::Type)]
    #[sqlx(transparent)]
    struct OrderId(#[serde(with = "saiban::serde::base32hex")] i64);
    // end of count

    #[derive(Serialize, sqlx::FromRow)]
    struct Order {
        // counted: axum, key, with saiban
        id: OrderId,
        parent: Option<OrderId>,
        // end of count
    }

    #[derive(Deserialize)]
    struct NewOrder {
        parent: Option<OrderId>, // counted: axum, API, with saiban
    }

    async fn create(State(database): State<SqlitePool>, Json(new): Json<NewOrder>) -> Json<Order> {
        // counted: axum, key, with saiban
        let id = OrderId(IDS.generate().expect("an ID"));
        let query = sqlx::query_as("INSERT INTO orders (id, parent) VALUES ($1, $2) RETURNING *").bind(id);
        // end of count
        Json(query.bind(new.parent).fetch_one(&database).await.expect("a new row"))
    }

    // counted: axum, API, with saiban
    async fn read(State(database): State<SqlitePool>, Path(id): Path<OrderId>) -> Json<Order> {
        // end of count
        let query = sqlx::query_as("SELECT * FROM orders WHERE id = $1").bind(id);
        Json(query.fetch_one(&database).await.expect("a row"))
    }

    pub fn service(database: SqlitePool) -> Router {
        Router::new().route("/orders", post(create)).route("/orders/{id}", get(read)).with_state(database)
    }
}

/// Returns an empty table of orders, and the web service of each program.
async fn open() -> (SqlitePool, [Router; 2]) {
    // Each connection to a database in memory has a database of its own.
    let pool = SqlitePoolOptions::new().max_connections(1);
    let database = pool.connect("sqlite::memory:").await.expect("SQLite");
    let table = "CREATE TABLE orders (id BIGINT PRIMARY KEY, parent BIGINT REFERENCES orders)";
    sqlx::query(table).execute(&database).await.expect("a table");
    (database.clone(), [by_hand::service(database.clone()), with_saiban::service(database)])
}

/// Sends a request with this JSON, or without any. Returns the status and the body.
async fn send(service: &Router, path: &str, json: Option<&str>) -> (StatusCode, String) {
    let request = Request::builder().uri(path).header(header::CONTENT_TYPE, "application/json");
    let request = match json {
        Some(json) => request.method("POST").body(Body::from(json.to_owned())),
        None => request.body(Body::empty()),
    };
    let response = service.clone().oneshot(request.expect("a request")).await.expect("a response");
    let status = response.status();
    let body = to_bytes(response.into_body(), 10_000).await.expect("a body");
    (status, String::from_utf8(body.to_vec()).expect("UTF-8"))
}

#[tokio::test]
async fn an_id_goes_from_the_database_to_javascript_and_back() {
    let (database, services) = open().await;
    for (service, id) in services.iter().flat_map(|service| [(service, ID), (service, -ID), (service, i64::MIN)]) {
        sqlx::query("DELETE FROM orders").execute(&database).await.expect("no rows");
        sqlx::query("INSERT INTO orders (id) VALUES ($1)").bind(id).execute(&database).await.expect("a row");
        let text = Encoding::BASE32HEX.encode(id);
        let (status, json) = send(service, &format!("/orders/{text}"), None).await;
        assert_eq!(status, StatusCode::OK, "{json}");
        assert_eq!(json, format!(r#"{{"id":"{text}","parent":null}}"#));

        let returned: serde_json::Value = serde_json::from_str(&through_javascript(&json)).expect("JSON");
        let (status, json) = send(service, "/orders", Some(&format!(r#"{{"parent":{}}}"#, returned["id"]))).await;
        assert_eq!(status, StatusCode::OK, "{json}");
        let query = sqlx::query_scalar::<_, i64>("SELECT id FROM orders WHERE parent = $1").bind(id);
        let child = Encoding::BASE32HEX.encode(query.fetch_one(&database).await.expect("a child"));
        assert_eq!(json, format!(r#"{{"id":"{child}","parent":"{text}"}}"#));
    }
}

#[tokio::test]
async fn invalid_ids_are_refused_with_the_reason() {
    let (_database, services) = open().await;
    for service in services {
        for (text, reason) in [("3f-5", "'-'"), ("vvvvvvvvvvvvv", "does not fit")] {
            let (status, body) = send(&service, &format!("/orders/{text}"), None).await;
            assert_eq!(status, StatusCode::BAD_REQUEST);
            assert!(body.contains(reason), "{body}");
            let (status, body) = send(&service, "/orders", Some(&format!(r#"{{"parent":"{text}"}}"#))).await;
            assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
            assert!(body.contains(reason), "{body}");
        }
        let (status, body) = send(&service, "/orders", Some(&format!(r#"{{"parent":{ID}}}"#))).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(body.contains("invalid type: integer"), "{body}");
    }
}
