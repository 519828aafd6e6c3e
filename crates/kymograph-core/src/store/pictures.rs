//! Pictures looked at: what each is, and small copies of them, of which the last ones are kept.

use std::num::NonZeroUsize;
use std::sync::Arc;

use hashbrown::HashMap;
use lru::LruCache;

use super::fetch::{FetchError, in_parallel};
use super::{Store, unpoisoned};
use crate::dashboards::images::picture::{self, Picture, Small};
use crate::dashboards::images::{self, Images};
use crate::decoded::DecodeError;
use crate::event::Value;
use crate::link::Link;

/// A small copy of a picture.
pub type Thumbnail = Small;

/// One picture of a blob.
#[derive(Debug)]
pub struct Look {
    /// How many pictures the blob has.
    pub items: usize,
    /// Encoded bytes of this one.
    pub bytes: usize,
    /// What it is, or a sentence that says why it cannot be shown.
    pub picture: Result<Picture, String>,
    /// If one was requested, and the picture can be shown.
    pub thumbnail: Option<Thumbnail>,
}

/// A link, the number of a picture in it, and the size of the copy; 0 without one.
type Key = (Link, u32, u32);

/// The last ones, up to [`MAX_KEPT_BYTES`].
pub(super) struct Looks {
    kept: LruCache<Key, Arc<Look>>,
    bytes: usize,
}

/// Of small copies that are kept.
const MAX_KEPT_BYTES: usize = 24 << 20;
/// What an entry takes beside the copy itself.
const ENTRY_BYTES: usize = 512;
const MAX_KEPT: NonZeroUsize = match NonZeroUsize::new(MAX_KEPT_BYTES / ENTRY_BYTES) {
    Some(count) => count,
    None => NonZeroUsize::MIN,
};

impl Default for Looks {
    fn default() -> Self {
        Self { kept: LruCache::new(MAX_KEPT), bytes: 0 }
    }
}

fn weight(look: &Look) -> usize {
    ENTRY_BYTES + look.thumbnail.as_ref().map_or(0, |copy| copy.bytes.capacity())
}

impl Looks {
    fn keep(&mut self, key: Key, look: Arc<Look>) {
        self.bytes += weight(&look);
        if let Some((_, old)) = self.kept.push(key, look) {
            self.bytes -= weight(&old);
        }
        while self.bytes > MAX_KEPT_BYTES
            && let Some((_, old)) = self.kept.pop_lru()
        {
            self.bytes -= weight(&old);
        }
    }
}

impl Store {
    /// What these pictures are, each named by its blob and its number there, and with a size, copies that are at most so
    /// many pixels wide and high. In parallel; each blob is read once. What cannot be shown says why.
    pub fn look_at_pictures(&self, pictures: &[(Link, u32)], size: Option<u32>) -> Vec<Arc<Look>> {
        let size = size.unwrap_or(0);
        let mut found: Vec<Option<Arc<Look>>> = {
            let mut looks = unpoisoned(self.looks.lock());
            pictures
                .iter()
                .map(|(link, item)| looks.kept.get(&(*link, *item, size)).cloned())
                .collect()
        };
        let mut missing: HashMap<Link, Vec<u32>> = HashMap::new();
        for ((link, item), _) in pictures.iter().zip(&found).filter(|(_, look)| look.is_none()) {
            missing.entry(*link).or_default().push(*item);
        }
        let missing: Vec<(Link, Vec<u32>)> = missing.into_iter().collect();
        let looked = in_parallel(&missing, |(link, items)| self.look_into(link, items, size));
        let mut fresh: HashMap<(Link, u32), Arc<Look>> = HashMap::new();
        let mut looks = unpoisoned(self.looks.lock());
        for ((link, items), (lasts, looked)) in missing.iter().zip(looked) {
            for (item, look) in items.iter().zip(looked) {
                if lasts {
                    looks.keep((*link, *item, size), look.clone());
                }
                fresh.insert((*link, *item), look);
            }
        }
        drop(looks);
        for (picture, look) in pictures.iter().zip(&mut found) {
            if look.is_none() {
                *look = fresh.get(picture).cloned();
            }
        }
        found.into_iter().flatten().collect()
    }

    /// Some pictures of one blob, and whether that will be the same the next time.
    fn look_into(&self, link: &Link, items: &[u32], size: u32) -> (bool, Vec<Arc<Look>>) {
        match self.images_at(link) {
            Ok(images) => (true, in_parallel(items, |item| Arc::new(look(&images, *item, size)))),
            Err(error) => {
                let reason = error.to_string();
                let lost =
                    || Look { items: 0, bytes: 0, picture: Err(reason.clone()), thumbnail: None };
                (false, items.iter().map(|_| Arc::new(lost())).collect())
            }
        }
    }

    fn images_at(&self, link: &Link) -> Result<Images, FetchError> {
        let bytes = self.read_blob(&link.address)?;
        if link.bare {
            return Ok(Images::default());
        }
        let value = Value::parse(&bytes).map_err(DecodeError::from)?;
        Ok(images::decode(&value).map_err(DecodeError::from)?)
    }
}

fn look(images: &Images, item: u32, size: u32) -> Look {
    let items = images.items.len();
    let Some(bytes) = usize::try_from(item).ok().and_then(|at| images.items.get(at)) else {
        let reason = match items {
            0 => "Not an image".to_owned(),
            _ => format!("No item {item}: {items} were logged"),
        };
        return Look { items, bytes: 0, picture: Err(reason), thumbnail: None };
    };
    let (picture, thumbnail) = if size == 0 {
        (picture::describe(bytes), None)
    } else {
        match picture::shrink(bytes, size) {
            Ok((picture, small)) => (Ok(picture), Some(small)),
            Err(error) => (Err(error), None),
        }
    };
    let picture = picture.map_err(|error| error.to_string());
    Look { items, bytes: bytes.len(), picture, thumbnail }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blob::{Address, FileNumber};
    use crate::dashboards::Dashboard;

    fn link(record_offset: u64) -> Link {
        let address = Address {
            file: FileNumber(1),
            record_offset,
            payload_len: 1,
            value_offset: 0,
            value_len: 1,
        };
        Link { dashboard: Dashboard::Images, bare: false, address }
    }

    #[test]
    fn the_copies_that_are_kept_are_bounded_in_bytes() {
        let mut looks = Looks::default();
        let copy = || Thumbnail { media_type: "image/png", bytes: vec![0; 1 << 20] };
        for at in 0..100 {
            let look =
                Look { items: 1, bytes: 1, picture: Err(String::new()), thumbnail: Some(copy()) };
            looks.keep((link(at), 0, 64), Arc::new(look));
            looks.kept.get(&(link(0), 0, 64));
            assert!(looks.bytes <= MAX_KEPT_BYTES);
        }
        let held: usize = looks.kept.iter().map(|(_, look)| weight(look)).sum();
        assert_eq!(held, looks.bytes);
        assert!(looks.kept.contains(&(link(0), 0, 64)), "what was used lately stays");
        assert!(looks.kept.contains(&(link(99), 0, 64)));
        assert!(!looks.kept.contains(&(link(1), 0, 64)));
        looks.keep(
            (link(99), 0, 64),
            Arc::new(Look { items: 0, bytes: 0, picture: Err(String::new()), thumbnail: None }),
        );
        let held: usize = looks.kept.iter().map(|(_, look)| weight(look)).sum();
        assert_eq!(held, looks.bytes, "one that is replaced counts once");
    }

    #[test]
    fn an_item_that_is_not_there_is_a_sentence() {
        let images = Images { width: 1, height: 1, items: vec![b"x".to_vec()] };
        let said = |item| look(&images, item, 0).picture.unwrap_err();
        assert_eq!(said(0), "Not an image: neither PNG, JPEG, WebP, GIF nor BMP");
        assert_eq!(said(7), "No item 7: 1 were logged");
        assert_eq!(look(&Images::default(), 0, 8).picture.unwrap_err(), "Not an image");
    }
}
