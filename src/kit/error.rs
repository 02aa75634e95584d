//! The error of a store function.

use super::CallbackError;

/// What can go wrong in a store function.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// An argument is refused, with the reason.
    #[error("{0}")]
    BadArgument(String),
    /// The key is in use for another request.
    #[error("{0}")]
    Conflict(String),
    /// The first request under the key is still running.
    #[error("{0}")]
    InProgress(String),
    /// A function of the lab has failed: the provider of a charge, say.
    #[error("{0}")]
    Callback(#[from] CallbackError),
    /// SQLite says no.
    #[error("{0}")]
    Sqlite(#[from] rusqlite::Error),
    /// A text is not JSON, or a value cannot be written as JSON.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
}

impl StoreError {
    /// Refuses an argument.
    pub fn bad_argument(reason: impl Into<String>) -> Self {
        Self::BadArgument(reason.into())
    }

    /// Says what went wrong in one line; SQLite's own words without the whole statement.
    #[must_use]
    pub fn message(&self) -> String {
        match self {
            Self::Sqlite(rusqlite::Error::SqlInputError { msg, .. }) => msg.clone(),
            other => other.to_string(),
        }
    }

    /// Names the kind of the error, as the protocol sends it.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::BadArgument(_) => "BadArgument",
            Self::Conflict(_) => "Conflict",
            Self::InProgress(_) => "InProgress",
            Self::Callback(_) => "CallbackError",
            Self::Sqlite(rusqlite::Error::SqliteFailure(cause, _))
                if matches!(
                    cause.code,
                    rusqlite::ErrorCode::DatabaseBusy | rusqlite::ErrorCode::DatabaseLocked
                ) =>
            {
                "Locked"
            }
            Self::Sqlite(_) => "Sqlite",
            Self::Json(_) => "Json",
        }
    }
}
