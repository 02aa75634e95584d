//! Submissions in Python that end badly: each in its own verdict.
