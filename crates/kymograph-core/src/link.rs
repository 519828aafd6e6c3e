//! The text that identifies a blob in requests, and which alone is enough to show it.
//!
//! ```text
//!   2-5-1f3a0-2c10-1a-2bf0     kind, file, record's offset, payload's length, value's offset and
//!                              length, in hexadecimal; kind: twice the dashboard, plus bare
//! ```

use std::fmt;

use crate::blob::{Address, FileNumber};
use crate::dashboards::Dashboard;

/// A blob and how it is to be understood. Files are known by the numbers of one store, so a link
/// means nothing to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Link {
    /// The dashboard that shows it.
    pub dashboard: Dashboard,
    /// Whether the bytes are the thing itself and not a `Summary.Value` around it.
    pub bare: bool,
    /// Where it is stored.
    pub address: Address,
}

impl Link {
    /// The first number of its text: twice the dashboard, plus one for bare ones.
    pub fn kind(&self) -> u8 {
        2 * self.dashboard as u8 + u8::from(self.bare)
    }

    /// The link that `text` is. Nothing when no link reads like it; a forged one may
    /// still lead nowhere, which is noticed when the blob is read.
    pub fn parse(text: &str) -> Option<Link> {
        let mut fields = text.split('-').map(|field| u64::from_str_radix(field, 16).ok());
        let mut next = || fields.next().flatten();
        let kind = next()?;
        let link = Link {
            dashboard: *Dashboard::ALL.get(usize::try_from(kind / 2).ok()?)?,
            bare: kind % 2 == 1,
            address: Address {
                file: FileNumber(u32::try_from(next()?).ok()?),
                record_offset: next()?,
                payload_len: u32::try_from(next()?).ok()?,
                value_offset: u32::try_from(next()?).ok()?,
                value_len: u32::try_from(next()?).ok()?,
            },
        };
        // Each blob has one link, so that what is kept under a link is kept once.
        (link.to_string() == text).then_some(link)
    }
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Address { file, record_offset, payload_len, value_offset, value_len } = self.address;
        let kind = self.kind();
        let file = file.0;
        write!(
            f,
            "{kind:x}-{file:x}-{record_offset:x}-{payload_len:x}-{value_offset:x}-{value_len:x}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINK: Link = Link {
        dashboard: Dashboard::Images,
        bare: false,
        address: Address {
            file: FileNumber(5),
            record_offset: 0x1f3a0,
            payload_len: 0x2c10,
            value_offset: 0x1a,
            value_len: 0x2bf0,
        },
    };

    #[test]
    fn links_lead_back_to_what_they_were_made_of() {
        assert_eq!(LINK.to_string(), "2-5-1f3a0-2c10-1a-2bf0");
        let greatest = Address {
            file: FileNumber(u32::MAX),
            record_offset: u64::MAX,
            payload_len: u32::MAX,
            value_offset: u32::MAX,
            value_len: u32::MAX,
        };
        for dashboard in Dashboard::ALL {
            for (bare, address) in [(false, LINK.address), (true, greatest)] {
                let link = Link { dashboard, bare, address };
                assert_eq!(Link::parse(&link.to_string()), Some(link));
            }
        }
    }

    #[test]
    fn nothing_else_is_a_link() {
        let wrong = [
            "",
            "-",
            "2",
            "2-5-1f3a0-2c10-1a",
            "2-5-1f3a0-2c10-1a-2bf0-0",
            "2-5-1f3a0-2c10-1a-2bf0-",
            "-2-5-1f3a0-2c10-1a-2bf0",
            "2-5-1F3A0-2c10-1a-2bf0",
            "2-05-1f3a0-2c10-1a-2bf0",
            "2-+5-1f3a0-2c10-1a-2bf0",
            " 2-5-1f3a0-2c10-1a-2bf0",
            "2-5-1f3a0-2c10-1a-2bf0\0",
            "18-5-1f3a0-2c10-1a-2bf0",
            "2-100000000-1f3a0-2c10-1a-2bf0",
            "2-5-10000000000000000-2c10-1a-2bf0",
            "2-5-1f3a0-100000000-1a-2bf0",
            "ffffffffffffffff-5-1f3a0-2c10-1a-2bf0",
            "../../etc/passwd",
            "٢-5-1f3a0-2c10-1a-2bf0",
        ];
        for text in wrong {
            assert_eq!(Link::parse(text), None, "{text:?}");
        }
    }
}
