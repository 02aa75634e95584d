//! Every form of the results: as it is written, against its published schema, and for what a
//! student must not see.

mod book;
mod class;
mod consumers;
mod matrix;
mod schemas;
mod secrets;
mod shapes;

use idemlab::gradebook::Gradebook;
use idemlab::model::Pack;
use idemlab::report::grade::{Audience, Format, write};

/// The shipped pack, read once.
fn pack() -> &'static Pack {
    static PACK: std::sync::OnceLock<Pack> = std::sync::OnceLock::new();
    PACK.get_or_init(|| idemlab::pack::shipped().unwrap())
}

/// Writes results for those who read them by default.
fn text(book: &Gradebook, format: Format) -> String {
    write(book, format, format.audience(), pack()).unwrap()
}

/// Writes results for students.
fn for_student(book: &Gradebook, format: Format) -> String {
    write(book, format, Audience::Student, pack()).unwrap()
}
