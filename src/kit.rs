//! What a Rust subject is given: its error type, and the loop that answers the lab.
//!
//! The same files are compiled into the program (for the embedded subjects) and, as a copy,
//! into the crate that builds a source found nowhere in the table. So this module imports
//! nothing of the program, and never knows what is being tested or why.

mod callback;
mod charge;
mod error;
mod inbox;
mod invoice;
mod labs;
mod output;
mod retention;
mod serve;

pub use callback::{Ask, CallbackError, ask};
pub use charge::{Answer, Charge, HandleCharge, ProcessCharge, sha256};
pub use error::StoreError;
pub use inbox::{Applied, Inbox, Outcome, Purged};
pub use invoice::{Event, Invoice, Refusal};
pub use labs::{RUST_LABS, RustLab};
pub use output::private_output;
pub use retention::Retention;
pub use serve::{Arguments, Functions, call, serve};
