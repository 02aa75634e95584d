//! Where results go: into a file, whole or not at all, or to standard output.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::ser::{Serialize, SerializeStruct as _, Serializer};

use super::super::Exit;
use super::super::print::complain;
use super::Ending;
use crate::cli::GradeReport;
use crate::grade::SessionError;
use crate::gradebook::{Gradebook, Submission};
use crate::model::Pack;
use crate::pack::nearest;
use crate::report::grade::{Audience, Format, write};

/// Where results go, in which form, for whom.
pub struct Output {
    format: Format,
    audience: Audience,
    file: Option<PathBuf>,
}

impl Output {
    /// Reads what the command line says of it.
    pub fn choose(report: &GradeReport) -> Result<Self, Exit> {
        let format = Format::parse(&report.format)
            .ok_or_else(|| unknown("format", &report.format, &Format::ALL.map(Format::id)))?;
        let audience = match &report.audience {
            None => format.audience(),
            Some(name) => Audience::parse(name)
                .ok_or_else(|| unknown("audience", name, &Audience::ALL.map(Audience::id)))?,
        };
        Ok(Self {
            format,
            audience,
            file: report.out.clone(),
        })
    }

    /// Refuses, before anything is run, to put many submissions into a form that holds one.
    pub fn fits(&self, submissions: usize) -> Result<(), Exit> {
        if self.format.holds_one() && submissions != 1 {
            complain(&format!(
                "format {} holds one submission, and there are {submissions}",
                self.format.id()
            ));
            return Err(Exit::Usage);
        }
        Ok(())
    }

    /// Writes the results; those of the project's own form are never all in memory.
    pub fn write(
        &self,
        head: Gradebook,
        results: impl Iterator<Item = Result<Submission, SessionError>>,
        pack: &Pack,
    ) -> Result<Exit, Exit> {
        let mut ending = Ending::default();
        let results = results.inspect(|result| {
            if let Ok(submission) = result {
                ending.see(submission);
            }
        });
        let written = if (self.format, self.audience) == (Format::Json, Audience::Staff) {
            let stream = Stream {
                head: &head,
                results: RefCell::new(results),
            };
            self.put(|to| {
                serde_json::to_writer_pretty(&mut *to, &stream).map_err(io::Error::from)?;
                to.write_all(b"\n")
            })
        } else {
            let submissions = results.collect::<Result<Vec<_>, _>>().map_err(fault)?;
            let book = Gradebook {
                submissions,
                ..head
            };
            let text = write(&book, self.format, self.audience, pack).map_err(fault)?;
            self.put(|to| to.write_all(text.as_bytes()))
        };
        written?;
        Ok(ending.exit())
    }

    fn put(&self, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Exit> {
        let Some(file) = &self.file else {
            let mut output = BufWriter::new(io::stdout().lock());
            return match fill(&mut output).and_then(|()| output.flush()) {
                // A closed pipe is the reader's right.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
                Err(error) => Err(fault(format!("failed to write the results: {error}"))),
                Ok(()) => Ok(()),
            };
        };
        let failed =
            |error: io::Error| fault(format!("failed to write {}: {error}", file.display()));
        let folder = match file.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let mut part = tempfile::Builder::new()
            .prefix(".idemlab-")
            .tempfile_in(folder)
            .map_err(failed)?;
        {
            let mut output = BufWriter::new(part.as_file_mut());
            fill(&mut output)
                .and_then(|()| output.flush())
                .map_err(failed)?;
        }
        part.as_file().sync_all().map_err(failed)?;
        readable(part.as_file()).map_err(failed)?;
        part.persist(file).map_err(|error| failed(error.error))?;
        Ok(())
    }
}

/// Gives a new file the rights that any file has: a temporary one is its owner's alone.
#[cfg(unix)]
fn readable(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn readable(_: &File) -> io::Result<()> {
    Ok(())
}

#[expect(clippy::needless_pass_by_value, reason = "it is passed to map_err")]
fn fault(error: impl ToString) -> Exit {
    complain(&error.to_string());
    Exit::Fault
}

fn unknown(what: &str, name: &str, known: &[&str]) -> Exit {
    let hint = match nearest(name, known, 1)[..] {
        [near, ..] => format!("did you mean {near}?"),
        [] => format!("there are: {}", known.join(", ")),
    };
    complain(&format!("there is no {what} named `{name}`; {hint}"));
    Exit::Usage
}

/// A gradebook whose submissions are read while they are written.
struct Stream<'a, I> {
    head: &'a Gradebook,
    results: RefCell<I>,
}

impl<I: Iterator<Item = Result<Submission, SessionError>>> Serialize for Stream<'_, I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let head = self.head;
        let fields = 4 + usize::from(head.shard.is_some());
        let mut form = serializer.serialize_struct("Gradebook", fields)?;
        form.serialize_field("version", &head.version)?;
        form.serialize_field("complete", &head.complete)?;
        form.serialize_field("pack", &head.pack)?;
        if let Some(shard) = &head.shard {
            form.serialize_field("shard", shard)?;
        }
        form.serialize_field("submissions", &Submissions(&self.results))?;
        form.end()
    }
}

struct Submissions<'a, I>(&'a RefCell<I>);

impl<I: Iterator<Item = Result<Submission, SessionError>>> Serialize for Submissions<'_, I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::{Error as _, SerializeSeq as _};
        let mut list = serializer.serialize_seq(None)?;
        for result in self.0.borrow_mut().by_ref() {
            list.serialize_element(&result.map_err(S::Error::custom)?)?;
        }
        list.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gradebook::{Shard, VERSION};

    #[test]
    fn what_is_written_piece_by_piece_is_the_form_itself() {
        for shard in [None, Some(1)] {
            let head = Gradebook {
                version: VERSION,
                complete: true,
                pack: "p".to_owned(),
                shard: shard.map(|number| Shard {
                    number,
                    of: 2,
                    roll: vec!["a".to_owned()],
                }),
                submissions: Vec::new(),
            };
            let stream = Stream {
                head: &head,
                results: RefCell::new(std::iter::empty()),
            };
            assert_eq!(
                serde_json::to_string_pretty(&stream).unwrap(),
                serde_json::to_string_pretty(&head).unwrap()
            );
        }
    }
}
