//! axum and sqlx: a web service with a table of orders, in an SQLite database.

use crate::{ID, through_javascript};
use axum::body::{Body, to_bytes};
use axum::extract::{Path, State};
use axum::http::{Request, StatusCode, header};
use axum::routing::{get, post};
use axum::{Json, Router};
use saiban::{Encoding, Generator, RandflakeGenerator, Secret};
use serde::{Deserialize, Serialize};
use sqlx::sqlite::{SqlitePool, SqlitePoolOptions};
use std::sync::Arc;
use tower::ServiceExt;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, sqlx::Type)]
#[sqlx(transparent)]
struct OrderId(#[serde(with = "saiban::serde::base32hex")] i64);

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, sqlx::FromRow)]
struct Order {
    id: OrderId,
    parent: Option<OrderId>,
}

#[derive(Deserialize)]
struct NewOrder {
    parent: Option<OrderId>,
}

#[derive(Clone)]
struct Shop {
    database: SqlitePool,
    ids: Arc<RandflakeGenerator>,
}

async fn create(State(shop): State<Shop>, Json(new): Json<NewOrder>) -> Json<Order> {
    let id = OrderId(shop.ids.generate().expect("an ID"));
    let order = Order { id, parent: new.parent };
    insert(&shop, &order).await;
    Json(order)
}

async fn read(State(shop): State<Shop>, Path(id): Path<OrderId>) -> Result<Json<Order>, StatusCode> {
    let query = sqlx::query_as("SELECT id, parent FROM orders WHERE id = $1").bind(id);
    query.fetch_optional(&shop.database).await.expect("a query").map(Json).ok_or(StatusCode::NOT_FOUND)
}

async fn insert(shop: &Shop, order: &Order) {
    let query = sqlx::query("INSERT INTO orders (id, parent) VALUES ($1, $2)").bind(order.id).bind(order.parent);
    query.execute(&shop.database).await.expect("a new row");
}

/// Returns an empty shop, and its web service.
async fn open() -> (Shop, Router) {
    // Each connection to a database in memory has a database of its own.
    let pool = SqlitePoolOptions::new().max_connections(1);
    let database = pool.connect("sqlite::memory:").await.expect("SQLite");
    let table = "CREATE TABLE orders (id BIGINT PRIMARY KEY, parent BIGINT REFERENCES orders)";
    sqlx::query(table).execute(&database).await.expect("a table");
    let secret = Secret::new(*b"a secret of test");
    let ids = Arc::new(RandflakeGenerator::new(&secret, 7).expect("a generator"));
    let shop = Shop { database, ids };
    let service = Router::new().route("/orders", post(create)).route("/orders/{id}", get(read));
    (shop.clone(), service.with_state(shop))
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
    let (shop, service) = open().await;
    for id in [ID, -ID, i64::MIN, i64::MAX] {
        let order = Order { id: OrderId(id), parent: None };
        insert(&shop, &order).await;
        let path = format!("/orders/{}", Encoding::BASE32HEX.encode(id));
        let (status, json) = send(&service, &path, None).await;
        assert_eq!(status, StatusCode::OK, "{json}");

        let returned = through_javascript(&json);
        assert_eq!(serde_json::from_str::<Order>(&returned).expect("an order"), order);
        // The ID that JavaScript returned is the parent of a new order.
        let returned: serde_json::Value = serde_json::from_str(&returned).expect("JSON");
        let new = format!(r#"{{"parent":{}}}"#, returned["id"]);
        let (status, json) = send(&service, "/orders", Some(&new)).await;
        assert_eq!(status, StatusCode::OK, "{json}");
        let child: Order = serde_json::from_str(&through_javascript(&json)).expect("an order");
        assert_eq!(child.parent, Some(order.id));
        let query = sqlx::query_as("SELECT id, parent FROM orders WHERE parent = $1").bind(id);
        assert_eq!(query.fetch_one(&shop.database).await.ok(), Some(child));
    }
}

#[tokio::test]
async fn invalid_ids_are_refused_with_the_reason() {
    let (_shop, service) = open().await;
    let (status, body) = send(&service, "/orders/3f-5", None).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert!(body.contains("base32hex") && body.contains("'-'"), "{body}");

    let (status, body) = send(&service, "/orders", Some(r#"{"parent":"3f-5"}"#)).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(body.contains("base32hex") && body.contains("'-'"), "{body}");

    let (status, body) = send(&service, "/orders", Some(&format!(r#"{{"parent":{ID}}}"#))).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(body.contains("expected the text of an ID"), "{body}");
}
