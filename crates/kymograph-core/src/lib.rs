//! Event files into columns, in the order in which the bytes travel. A module uses only those
//! above it in this list.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod types;
pub mod storage;
pub mod logdir;
pub mod crc;
pub mod record;
pub mod protobuf;
pub mod event;
pub mod peek;
pub mod compat;
pub mod blob;
pub mod series;
pub mod lod;
pub mod pattern;
pub mod dashboards;
pub mod decoded;
pub mod link;
pub mod file;
pub mod run;
pub mod store;
pub mod load;
pub mod follow;
pub mod bins;
pub mod pixels;
pub mod writer;
