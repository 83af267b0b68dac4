//! Where to listen, who may ask, and how much.

use std::time::Duration;

use thiserror::Error;

/// How a server is set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The address to listen on.
    pub host: String,
    /// The port; 0 for any that is free.
    pub port: u16,
    /// Pages of other origins that may ask, as in `https://example.org`.
    pub origins: Vec<Origin>,
    /// Whether any page may show this one in a frame, as slides do.
    pub frames: bool,
    /// The limits of requests.
    pub limits: Limits,
}

impl Settings {
    /// The default port.
    pub const PORT: u16 = 6174;
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            host: "127.0.0.1".to_owned(),
            port: Self::PORT,
            origins: Vec::new(),
            frames: false,
            limits: Limits::default(),
        }
    }
}

/// The origin of a page: scheme, host and port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin(String);

/// Why settings make no sense.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SettingsError {
    /// The text is not an origin.
    #[error(
        "invalid origin `{text}`: expected a scheme and a host, as in https://example.org or \
         http://localhost:8000"
    )]
    NoOrigin {
        /// The text.
        text: String,
    },
}

impl Origin {
    /// As a browser sends it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::str::FromStr for Origin {
    type Err = SettingsError;

    /// Reads an origin.
    ///
    /// ```
    /// use nimoon_web::Origin;
    /// assert!("https://example.org".parse::<Origin>().is_ok());
    /// assert!("*".parse::<Origin>().is_err());
    /// ```
    fn from_str(text: &str) -> Result<Self, SettingsError> {
        let wrong = || SettingsError::NoOrigin { text: text.to_owned() };
        let text = text.trim_end_matches('/').to_ascii_lowercase();
        let (scheme, host) = text.split_once("://").ok_or_else(wrong)?;
        let host_is_plain = !host.is_empty()
            && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-.:[]".contains(&byte));
        if matches!(scheme, "http" | "https") && host_is_plain {
            Ok(Self(text))
        } else {
            Err(wrong())
        }
    }
}

/// How much a request may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most bytes of a request.
    pub body: usize,
    /// The longest time for a request.
    pub time: Duration,
    /// The most positions that a request may visit.
    pub positions: u64,
    /// The most bytes that a request may allocate, beside its own contents.
    pub bytes: u64,
    /// How many slow requests are worked on at the same time.
    pub slow: usize,
    /// How many slow requests may wait.
    pub waiting: usize,
    /// The most connections at the same time.
    pub connections: usize,
}

impl Default for Limits {
    fn default() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            body: 1 << 20,
            time: Duration::from_secs(10),
            positions: 1_000_000,
            bytes: 1 << 30,
            slow: (processors / 2).max(1),
            waiting: 16,
            connections: 512,
        }
    }
}
