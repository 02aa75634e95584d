//! Points, exact to a hundredth.

use serde::{Deserialize, Serialize};

/// Points, in hundredths: sums stay exact, and a file says `7.5` or `8`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Points(pub u32);

impl Points {
    /// Makes so many whole points.
    #[must_use]
    pub const fn whole(points: u32) -> Self {
        Self(points * 100)
    }

    /// Returns the share `part` of `whole` of these points, rounded down to a hundredth; nothing
    /// of nothing.
    #[must_use]
    pub fn share(self, part: usize, whole: usize) -> Self {
        let share = u64::from(self.0) * part as u64 / (whole as u64).max(1);
        Self(u32::try_from(share).unwrap_or(self.0))
    }

    /// Returns the points as a number, for formats that know nothing else.
    #[must_use]
    pub fn as_f64(self) -> f64 {
        f64::from(self.0) / 100.0
    }
}

impl std::iter::Sum for Points {
    fn sum<I: Iterator<Item = Self>>(points: I) -> Self {
        Self(points.map(|points| points.0).sum())
    }
}

impl std::fmt::Display for Points {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (whole, rest) = (self.0 / 100, self.0 % 100);
        match rest {
            0 => write!(f, "{whole}"),
            rest if rest % 10 == 0 => write!(f, "{whole}.{}", rest / 10),
            rest => write!(f, "{whole}.{rest:02}"),
        }
    }
}

impl Serialize for Points {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_multiple_of(100) {
            serializer.serialize_u32(self.0 / 100)
        } else {
            serializer.serialize_f64(self.as_f64())
        }
    }
}

impl<'de> Deserialize<'de> for Points {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let points = f64::deserialize(deserializer)?;
        let hundredths = (points * 100.0).round();
        if !(0.0..=f64::from(u32::MAX)).contains(&hundredths) {
            return Err(serde::de::Error::custom("points must be zero or more"));
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the range was checked above"
        )]
        let hundredths = hundredths as u32;
        Ok(Self(hundredths))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_exact_and_written_as_short_as_they_are() {
        let third = Points::whole(8).share(1, 3);
        assert_eq!(third.to_string(), "2.66");
        assert_eq!(Points::whole(8).share(3, 3), Points::whole(8));
        assert_eq!(Points::whole(8).share(0, 0), Points(0));
        assert_eq!(Points(750).to_string(), "7.5");
        assert_eq!(serde_json::to_string(&Points(800)).unwrap(), "8");
        assert_eq!(serde_json::to_string(&Points(266)).unwrap(), "2.66");
    }

    #[test]
    fn points_are_read_as_they_are_written() {
        for hundredths in 0..3000 {
            let text = serde_json::to_string(&Points(hundredths)).unwrap();
            let read: Points = serde_json::from_str(&text).unwrap();
            assert_eq!(read, Points(hundredths));
        }
        assert!(serde_json::from_str::<Points>("-1").is_err());
    }
}
