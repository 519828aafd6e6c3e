//! Event files into columns, in the order in which the bytes travel.
