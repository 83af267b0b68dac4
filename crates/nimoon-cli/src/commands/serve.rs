//! `nimoon serve`.

use std::time::Duration;

use clap::Args;
use nimoon_web::{Limits, Origin, Server, Settings};

use crate::failure::Failure;
use crate::interrupt::Signals;
use crate::limits::bytes;
use crate::output::print_text;

/// The time for running requests after Ctrl-C, SIGTERM or SIGHUP.
const GRACE: Duration = Duration::from_secs(2);

#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// Listen on this port; 0 selects a free one.
    #[arg(long, default_value_t = Settings::PORT)]
    pub(crate) port: u16,

    /// Listen on this address; any address but 127.0.0.1 admits other machines.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub(crate) host: String,

    /// Also admit pages of this origin, such as `https://example.org`.
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) allow_origin: Vec<Origin>,

    /// Let other pages show this one in a frame, as slides do.
    #[arg(long)]
    pub(crate) allow_frames: bool,

    /// Stop a request after visiting this many positions.
    #[arg(long, value_name = "POSITIONS", default_value_t = Limits::default().positions)]
    pub(crate) budget: u64,

    /// Use at most this much memory for a request, such as 512M or 2G.
    #[arg(long, value_name = "BYTES", default_value = "1G", value_parser = bytes)]
    pub(crate) memory: u64,

    /// Stop a request after this many seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 10,
          value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub(crate) time: u64,
}

pub(crate) fn run(args: &ServeArgs) -> Result<(), Failure> {
    let settings = Settings {
        host: args.host.clone(),
        port: args.port,
        origins: args.allow_origin.clone(),
        frames: args.allow_frames,
        limits: Limits {
            positions: args.budget,
            bytes: args.memory,
            time: Duration::from_secs(args.time),
            ..Limits::default()
        },
    };
    let cannot = |what: &str, error: std::io::Error| Failure::other(format!("{what}: {error}"));
    let runtime = tokio::runtime::Runtime::new()
        .map_err(|error| cannot("no threads can be started", error))?;
    let served = runtime.block_on(async {
        let (host, port) = (&args.host, args.port);
        let server = Server::bind(settings).await.map_err(|error| {
            let advice = match error.kind() {
                std::io::ErrorKind::AddrInUse => " (choose another by --port)",
                _ => "",
            };
            Failure::other(format!("{host}:{port} cannot be listened on: {error}{advice}"))
        })?;
        let address =
            server.address().map_err(|error| cannot("the address is not known", error))?;
        let mut signals =
            Signals::new(true).map_err(|error| cannot("signals cannot be caught", error))?;
        print_text(&format!("http://{address}/\n"))?;
        let (asked, stopped) = tokio::sync::watch::channel(false);
        tokio::spawn(async move {
            signals.next().await;
            asked.send_replace(true);
        });
        let stop = |mut stopped: tokio::sync::watch::Receiver<bool>| async move {
            let _ = stopped.wait_for(|stop| *stop).await;
        };
        let patience = stop(stopped.clone());
        tokio::select! {
            ended = server.run(stop(stopped)) => {
                ended.map_err(|error| cannot("the server failed", error))
            }
            () = async {
                patience.await;
                tokio::time::sleep(GRACE).await;
            } => Ok(()),
        }
    });
    // Requests that still run end with the program.
    runtime.shutdown_background();
    served
}
