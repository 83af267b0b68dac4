//! The page of nimoon, and the JSON API behind it.
//!
//! Thin, as the command line is: a request in, a library call, a writer out. Nothing here knows any mathematics.
//!
//! - [`Settings`]: where to listen, who may ask, and the limits of a request.
//! - [`Server`]: listens, and serves until it is told to stop; [`router`] is what it serves.
//! - `api`: what can be asked; the JSON is that of the command line.
//! - `work`: two lanes for the work, so that slow requests do not hold up quick ones.
//! - `guard`: who may ask, and the headers of every answer.
//! - `failure`: the errors and their statuses.
//! - `assets`: the page, which is part of the program.
//!
//! No path of the file system is reached: the page is in the program, and files that expressions name must come
//! with the request.

mod api;
mod assets;
mod failure;
mod guard;
mod listener;
mod settings;
mod work;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware;
use tokio::net::TcpListener;

use guard::Guard;
use listener::Limited;
use work::Work;

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
    /// When the address cannot be had.
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
        let work = Work::new(self.settings.limits);
        let stopping = work.clone();
        let stop = async move {
            stop.await;
            stopping.stop();
        };
        let app = routes(self.settings, work);
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
    let work = Work::new(settings.limits);
    routes(settings, work)
}

fn routes(settings: Settings, work: Work) -> Router {
    let body = settings.limits.body;
    let guard = Arc::new(Guard::new(settings));
    Router::new()
        .nest("/api", api::routes(work))
        .fallback(assets::serve)
        .layer(DefaultBodyLimit::max(body))
        .layer(middleware::from_fn_with_state(guard, guard::check))
}
