//! HTTP server with two routes, the upper bounds of what the framework can answer on this machine.
//!
//! `quire-bare` prints its port. `PUT /body` replaces the body that `GET /body` returns. `PUT /database` sets the URL
//! of a database; `GET /statement` executes one prepared statement there, and returns the same body. It has no log and
//! no token.

#![allow(clippy::print_stdout, reason = "the parent process reads the port")]

use std::cell::RefCell;
use std::sync::RwLock;

use actix_web::web::{Bytes, Data, PayloadConfig};
use actix_web::{App, HttpResponse, HttpServer, web};
use diesel::prelude::*;
use diesel::result::QueryResult;

/// Threads that execute statements, each with a connection of its own: as many as the connections of wrk.
const THREADS: usize = 16;

diesel::table! {
    /// A table that is looked up by its key.
    organizations (id) {
        /// The key.
        id -> Uuid,
    }
}

#[derive(Default)]
struct Answers {
    body: RwLock<Bytes>,
    database: RwLock<String>,
}

thread_local! {
    static CONNECTION: RefCell<Option<PgConnection>> = const { RefCell::new(None) };
}

#[actix_web::main]
async fn main() -> std::io::Result<()> {
    let answers = Data::new(Answers::default());
    let processors = std::thread::available_parallelism()?.get();
    let server = HttpServer::new(move || {
        App::new()
            .app_data(answers.clone())
            .app_data(PayloadConfig::new(64 << 20))
            .service(web::resource("/body").get(body).put(put_body))
            .service(web::resource("/database").put(put_database))
            .service(web::resource("/statement").get(statement))
    })
    .workers(processors)
    .worker_max_blocking_threads(THREADS.div_ceil(processors))
    .bind(("127.0.0.1", 0))?;
    for address in server.addrs() {
        println!("{}", address.port());
    }
    server.run().await
}

async fn body(answers: Data<Answers>) -> HttpResponse {
    match answers.body.read() {
        Ok(bytes) => HttpResponse::Ok().content_type("application/json").body(bytes.clone()),
        Err(_) => HttpResponse::InternalServerError().finish(),
    }
}

async fn put_body(answers: Data<Answers>, bytes: Bytes) -> HttpResponse {
    put(&answers.body, bytes)
}

async fn put_database(answers: Data<Answers>, url: String) -> HttpResponse {
    put(&answers.database, url)
}

fn put<T>(place: &RwLock<T>, value: T) -> HttpResponse {
    match place.write() {
        Ok(mut current) => {
            *current = value;
            HttpResponse::NoContent().finish()
        }
        Err(_) => HttpResponse::InternalServerError().finish(),
    }
}

#[expect(clippy::disallowed_methods, reason = "a bare route has no door before the database")]
async fn statement(answers: Data<Answers>) -> HttpResponse {
    let shared = answers.clone();
    match web::block(move || look_up(&shared)).await {
        Ok(Ok(())) => body(answers).await,
        _ => HttpResponse::InternalServerError().finish(),
    }
}

/// Executes the statement on the connection of this thread.
fn look_up(answers: &Answers) -> QueryResult<()> {
    CONNECTION.with_borrow_mut(|connection| {
        if connection.is_none() {
            let url = answers.database.read().map(|url| url.clone()).unwrap_or_default();
            *connection = PgConnection::establish(&url).ok();
        }
        let connection = connection.as_mut().ok_or(diesel::result::Error::BrokenTransactionManager)?;
        let found =
            organizations::table.filter(organizations::id.eq(uuid::Uuid::nil())).select(organizations::id);
        found.first::<uuid::Uuid>(connection).optional().map(|_| ())
    })
}
