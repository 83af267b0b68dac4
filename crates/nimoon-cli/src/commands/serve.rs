//! `nimoon serve`.

use std::time::Duration;

use clap::Args;
use nimoon_web::{Limits, Origin, Server, Settings};

use crate::failure::Failure;
use crate::limits::bytes;
use crate::output::print_text;

/// How long answers that are under way may take after Ctrl-C.
const GRACE: Duration = Duration::from_secs(2);

#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// The port to listen on; 0 takes any that is free.
    #[arg(long, default_value_t = Settings::PORT)]
    pub(crate) port: u16,

    /// The address to listen on; anything but 127.0.0.1 lets other machines ask.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub(crate) host: String,

    /// Pages of this origin may ask too, as in `https://example.org`.
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) allow_origin: Vec<Origin>,

    /// How many positions may be looked at for a request.
    #[arg(long, value_name = "POSITIONS", default_value_t = Limits::default().positions)]
    pub(crate) budget: u64,

    /// How much memory may be held for a request, as in 512M or 2G.
    #[arg(long, value_name = "BYTES", default_value = "1G", value_parser = bytes)]
    pub(crate) memory: u64,

    /// The longest time for a request, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 10,
          value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub(crate) time: u64,
}

pub(crate) fn run(args: &ServeArgs) -> Result<(), Failure> {
    let settings = Settings {
        host: args.host.clone(),
        port: args.port,
        origins: args.allow_origin.clone(),
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
        print_text(&format!("http://{address}/\n"))?;
        let (asked, stopped) = tokio::sync::watch::channel(false);
        tokio::spawn(async move {
            interrupted().await;
            asked.send_replace(true);
        });
        // The channel is closed when Ctrl-C cannot be caught any more, which is an end too.
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
    // What is still being worked on ends with the program.
    runtime.shutdown_background();
    served
}

/// Waits for Ctrl-C, or for the system to ask for the end.
async fn interrupted() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    // Without a handler Ctrl-C ends the program, as everywhere.
    let _ = tokio::signal::ctrl_c().await;
}
