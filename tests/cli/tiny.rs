//! A small pack: two steps of lab `retention` over the shipped reference, so that its source,
//! and the sources of the shipped mutants, are compiled into the program.

use super::lab::Lab;

const LAB: &str = "\
format: 1
id: retention
title: Two steps only
question: Which of them?
idea: A small pack for a test.
tables:
  keys:
    columns: [id, fingerprint, status, response, expires]
    create: |-
      CREATE TABLE keys(id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL,
        status TEXT NOT NULL, response TEXT, expires REAL NOT NULL)
    order_by: id
references:
  rust: rust/reference.rs
steps:
  - step: 1
    function: init_db
    title: Set up
    signatures: {rust: 'pub fn init_db(path: &Path) -> Result<(), StoreError>'}
    promises: [{id: init, text: It makes the table.}]
    judge_by: There is a table.
  - step: 2
    function: reserve
    title: Reserve
    arguments:
      - {name: key, kind: text}
      - {name: digest, kind: text}
      - {name: expires, kind: number}
    answers: truth
    signatures: {rust: 'pub fn reserve(…)'}
    promises: [{id: reserve, text: A missing key is reserved.}]
    judge_by: One row a key.
";

const REFERENCE: &str = include_str!("../../exercises/retention/rust/reference.rs");

/// A test that passes.
pub const GREEN: &str = "\
- id: new-key
  step: 2
  title: A new key is reserved
  success: true
  script:
    - call: reserve
      with: {key: k, digest: v1, expires: 10}
      returns: true
";

/// A test that contradicts the contract, so that the reference fails it.
pub const WRONG: &str = "\
- id: new-key
  step: 2
  title: A new key is refused
  script:
    - call: reserve
      with: {key: k, digest: v1, expires: 10}
      returns: false
";

/// A test in which a call never comes to an end: SQLite counts for ever inside a trigger.
pub const ENDLESS: &str = "\
- id: endless
  step: 2
  title: A new key is reserved while a trigger counts for ever
  script:
    - sql: |-
        CREATE TRIGGER endless BEFORE INSERT ON keys BEGIN
          SELECT (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n)
            SELECT count(*) FROM n); END
    - call: reserve
      with: {key: k, digest: v1, expires: 10}
      returns: true
";

/// The same, for a mutant that inserts a row where the reference leaves one alone.
pub const ENDLESS_IF_REPLACED: &str = "\
- id: endless-if-replaced
  step: 2
  title: A key that is there is left alone
  given:
    keys:
      - [k, v1, pending, null, 10]
  script:
    - sql: |-
        CREATE TRIGGER endless AFTER INSERT ON keys BEGIN
          SELECT (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n)
            SELECT count(*) FROM n); END
    - call: reserve
      with: {key: k, digest: v2, expires: 20}
      returns: false
";

/// A test in which a statement of the lab itself never comes to an end.
pub const ENDLESS_SQL: &str = "\
- id: endless-sql
  step: 2
  title: The lab counts for ever
  script:
    - call: reserve
      with: {key: k, digest: v1, expires: 10}
    - query: WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT count(*) FROM n
      gives: [[0]]
";

/// A mutant that is compiled into the program.
pub const REPLACES: &str = "\
lab: retention
step: 2
title: Reserve replaces
origin: craft
belief: The newest request is right.
edits:
  - find: INSERT OR IGNORE INTO keys
    replace: INSERT OR REPLACE INTO keys
lesson: It is not.
";

/// Begins a run with a pack of these tests and one mutant, `replaces`.
pub fn lab(arguments: &str, tests: &str) -> Lab {
    Lab::new(arguments)
        .file("pack/exercises/retention/lab.yaml", LAB)
        .file("pack/exercises/retention/rust/reference.rs", REFERENCE)
        .file("pack/exercises/retention/tests/all.yaml", tests)
        .file("pack/mutants/retention/replaces.yaml", REPLACES)
        .argument("--pack")
        .argument("pack")
}
