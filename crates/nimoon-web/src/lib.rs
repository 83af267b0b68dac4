//! The page of nimoon, and the JSON API behind it.
//!
//! Thin, as the command line is: a request in, a library call, a writer out. Nothing here knows any
//! mathematics.
//!
//! - [`Settings`]: where to listen, who may ask, and the limits of a request.
//! - [`Server`]: listens, and serves until it is stopped; [`router`] is what it serves.
//! - `api`: every question of `nimoon_session`, by `POST /api/NAME`.
//! - `lanes`: two lanes for the work, so that slow requests do not hold up quick ones.
//! - `guard`: who may ask, and the headers of every answer.
//! - `failure`: answers and errors as responses.
//! - `assets`: the page, which is part of the program.
//!
//! No path of the file system is reached: the page is in the program, and files that expressions
//! name must come with the request.
//!
//! # Why like this
//!
//! **The page knows no rules.** It draws positions from their notation, and finds the place of a
//! move on the board by the words of the move. A move that has no place there is still in the table
//! beside it; a test in the browser checks that none is missing on the boards there are.
//!
//! **Games are kept nowhere.** A request has the position at the start and the numbers of the moves
//! since then, and the server plays them again. So a game is an address that can be sent, undo is a
//! shorter list, and a restarted server continues every game. Only explorations are cached, for a
//! dozen of the last starts. The engine plans its moves again each time, and a win still comes to
//! its end: by search the remoteness falls with every ply, and a second plan by measure within a
//! turn leaves a measure that is at most that of the first.
//!
//! **Digraphs are drawn in the page and labelled by the server.** The page sends the digraph as
//! JSON whenever drawing rests for a tenth of a second. The answer (`output: "drawing"`) has
//! labels, rounds, arcs, cyclic zones and their exits, so the page finds out nothing about values
//! itself. A change makes the values pale at once and cancels the pending question. More than 250
//! nodes or 1,500 arcs are not edited: the page shows at most 60 nodes around one of them.
//!
//! **Two lanes.** Every request is tried with a budget of 20,000 positions and 200 ms. If it needs
//! more, it is done again in a slow lane, of half as many places as there are processors and a
//! queue of 16. The first attempt is lost work, at most a fiftieth of the budget, and it spares the
//! server from guessing which request is slow. A full queue is an answer (503). A request that is
//! out of time keeps its place until its work has stopped, so there is never more work at a time
//! than there are places. Its work ends a tenth before its time is over, to leave time for the
//! answer; a table then has the rows that were found.
//!
//! **Requests must be JSON.** A page of any origin can make a browser send requests to 127.0.0.1.
//! The content type of JSON makes a browser ask first; `guard` checks host and origin.

mod api;
mod assets;
mod failure;
mod guard;
mod lanes;
mod listener;
mod openapi;
mod settings;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware;
use tokio::net::TcpListener;

use guard::Guard;
use lanes::Lanes;
use listener::Limited;

pub use settings::{Limits, Origin, Settings, SettingsError};

/// A server that listens.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    settings: Settings,
}

impl Server {
    /// Listens where the settings say.
    ///
    /// # Errors
    /// When binding the address fails.
    pub async fn bind(settings: Settings) -> io::Result<Self> {
        let listener = TcpListener::bind((settings.host.as_str(), settings.port)).await?;
        Ok(Self { listener, settings })
    }

    /// Where it listens.
    ///
    /// # Errors
    /// When the system does not tell.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until `stop` is there, and then ends what is under way.
    ///
    /// # Errors
    /// When the connection to the network breaks.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
        /// How long a connection may be idle beyond the time of a request.
        const IDLE: Duration = Duration::from_mins(1);
        let Limits { connections, time, .. } = self.settings.limits;
        let lanes = Lanes::new(self.settings.limits);
        let stopping = lanes.clone();
        let stop = async move {
            stop.await;
            stopping.stop();
        };
        let app = routes(self.settings, lanes);
        let listener = Limited::new(self.listener, connections, time + IDLE);
        axum::serve(listener, app).with_graceful_shutdown(stop).await
    }
}

/// Everything that is served.
///
/// ```
/// let router = nimoon_web::router(nimoon_web::Settings::default());
/// # let _ = router;
/// ```
pub fn router(settings: Settings) -> Router {
    let lanes = Lanes::new(settings.limits);
    routes(settings, lanes)
}

fn routes(settings: Settings, lanes: Lanes) -> Router {
    let body = settings.limits.body;
    let guard = Arc::new(Guard::new(settings));
    Router::new()
        .nest("/api", api::routes(lanes))
        .fallback(assets::serve)
        .layer(DefaultBodyLimit::max(body))
        .layer(middleware::from_fn_with_state(guard, guard::check))
}
