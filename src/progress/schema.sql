-- What a learner said and saw. Version 1.
-- A prediction is written before its run and never changed; the first one about a mutant is
-- the one that counts, later ones are practice.

CREATE TABLE predictions(
  id          INTEGER PRIMARY KEY,
  lab         TEXT NOT NULL,
  track       TEXT NOT NULL,
  mutant      TEXT NOT NULL,
  step        INTEGER NOT NULL,
  attempt     INTEGER NOT NULL CHECK(attempt >= 1),
  observation TEXT NOT NULL,
  seen_in     TEXT,
  tests       TEXT NOT NULL CHECK(json_valid(tests)),
  sure        TEXT,
  unknown     INTEGER NOT NULL CHECK(unknown IN (0, 1)),
  made_at     TEXT NOT NULL,
  UNIQUE(lab, mutant, attempt)
) STRICT;

CREATE TRIGGER predictions_are_not_changed BEFORE UPDATE ON predictions
BEGIN SELECT RAISE(ABORT, 'a prediction is never changed'); END;
CREATE TRIGGER predictions_are_not_deleted BEFORE DELETE ON predictions
BEGIN SELECT RAISE(ABORT, 'a prediction is never deleted'); END;

-- What the run after a prediction showed.
CREATE TABLE runs(
  prediction INTEGER PRIMARY KEY REFERENCES predictions(id),
  verdict    TEXT NOT NULL,
  cells      TEXT NOT NULL CHECK(json_valid(cells)),
  ran_at     TEXT NOT NULL
) STRICT;

-- What the learner says they saw, in their own words.
CREATE TABLE sightings(
  prediction INTEGER PRIMARY KEY REFERENCES predictions(id),
  text       TEXT NOT NULL,
  written_at TEXT NOT NULL
) STRICT;

-- Where the learner stopped, lab by lab.
CREATE TABLE places(
  lab  TEXT PRIMARY KEY,
  step INTEGER NOT NULL,
  view TEXT NOT NULL
) STRICT;

-- Tests of the learner's own, written beside a prediction.
CREATE TABLE probes(
  id      INTEGER PRIMARY KEY,
  lab     TEXT NOT NULL,
  mutant  TEXT NOT NULL,
  step    INTEGER NOT NULL,
  source  TEXT NOT NULL,
  verdict TEXT NOT NULL CHECK(verdict IN ('catches', 'misses', 'invalid')),
  made_at TEXT NOT NULL
) STRICT;

-- Written answers, such as those of the closing tasks.
CREATE TABLE answers(
  lab        TEXT NOT NULL,
  task       TEXT NOT NULL,
  text       TEXT NOT NULL,
  written_at TEXT NOT NULL,
  PRIMARY KEY(lab, task)
) STRICT;

CREATE TABLE settings(
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;
