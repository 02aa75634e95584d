//! The labs that have a Rust track: the type of their functions, and the functions' names.
//!
//! `build.rs` and the workshop write code from this; nobody calls anything through it.

/// A lab's functions, by name.
#[derive(Debug, Clone, Copy)]
pub struct RustLab {
    /// Name of the lab.
    pub id: &'static str,
    /// Name of the type in `kit` that holds its functions.
    pub kind: &'static str,
    /// The functions, each a field of that type.
    pub functions: &'static [&'static str],
}

/// Every lab with a Rust track.
pub const RUST_LABS: [RustLab; 4] = [CHARGE, INBOX, INVOICE, RETENTION];

const CHARGE: RustLab = RustLab {
    id: "charge",
    kind: "Charge",
    functions: &["init_db", "handle_charge", "sweep"],
};

const INBOX: RustLab = RustLab {
    id: "inbox",
    kind: "Inbox",
    functions: &["create", "apply", "race", "purge"],
};

const INVOICE: RustLab = RustLab {
    id: "invoice",
    kind: "Invoice",
    functions: &["solve", "review"],
};

const RETENTION: RustLab = RustLab {
    id: "retention",
    kind: "Retention",
    functions: &[
        "init_db",
        "reserve",
        "finish",
        "fetch",
        "expired",
        "purge",
        "counts",
        "retention_cycle",
    ],
};

impl RustLab {
    /// Writes the value that holds the functions of module `module`.
    #[must_use]
    pub fn value(&self, kit: &str, module: &str) -> String {
        let fields: Vec<String> = self
            .functions
            .iter()
            .map(|function| format!("{function}: {module}::{function}"))
            .collect();
        format!("{kit}::{} {{ {} }}", self.kind, fields.join(", "))
    }
}
