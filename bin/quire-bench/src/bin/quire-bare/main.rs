//! HTTP server with one route, the upper bound of what the framework can answer on this machine.
//!
//! `quire-bare` prints its port, `PUT /body` replaces the body, `GET /body` returns it. It has no log, no token and no
//! database.

#![allow(clippy::print_stdout, reason = "the parent process reads the port")]

use std::sync::RwLock;

use actix_web::web::{Bytes, Data, PayloadConfig};
use actix_web::{App, HttpResponse, HttpServer, web};

type Body = Data<RwLock<Bytes>>;

#[actix_web::main]
async fn main() -> std::io::Result<()> {
    let body: Body = Data::new(RwLock::new(Bytes::new()));
    let server = HttpServer::new(move || {
        let route = web::resource("/body").get(answer).put(replace);
        App::new().app_data(body.clone()).app_data(PayloadConfig::new(64 << 20)).service(route)
    })
    .bind(("127.0.0.1", 0))?;
    for address in server.addrs() {
        println!("{}", address.port());
    }
    server.run().await
}

async fn answer(body: Body) -> HttpResponse {
    match body.read() {
        Ok(bytes) => HttpResponse::Ok().content_type("application/json").body(bytes.clone()),
        Err(_) => HttpResponse::InternalServerError().finish(),
    }
}

async fn replace(body: Body, bytes: Bytes) -> HttpResponse {
    match body.write() {
        Ok(mut current) => {
            *current = bytes;
            HttpResponse::NoContent().finish()
        }
        Err(_) => HttpResponse::InternalServerError().finish(),
    }
}
