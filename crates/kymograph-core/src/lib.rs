//! Event files into columns, in the order in which the bytes travel. A module uses only those
//! above it in this list.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod types;
pub mod storage;
pub mod crc;
pub mod record;
pub mod protobuf;
pub mod event;
pub mod series;
