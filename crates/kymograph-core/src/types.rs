//! The words of the domain that carry a rule: run names, tags, wall times.

use std::fmt;
use std::sync::Arc;

/// A run: the path of its directory relative to the logdir, `.` for the logdir itself.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunName(Arc<str>);

/// The name under which a series of values was logged.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tag(Arc<str>);

/// The step of a point, as logged: negative and repeated steps are legal.
pub type Step = i64;

/// Seconds since the epoch; finite wherever the core stores one.
pub type WallTime = f64;

macro_rules! name {
    ($name:ident) => {
        impl $name {
            /// The name as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// From bytes that should be UTF-8; what is not is replaced, never refused.
            pub fn from_bytes(bytes: &[u8]) -> Self {
                Self(String::from_utf8_lossy(bytes).into())
            }
        }

        impl From<&str> for $name {
            fn from(name: &str) -> Self {
                Self(name.into())
            }
        }

        impl From<String> for $name {
            fn from(name: String) -> Self {
                Self(name.into())
            }
        }

        impl std::borrow::Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{:?}", &*self.0)
            }
        }
    };
}

name!(RunName);
name!(Tag);
