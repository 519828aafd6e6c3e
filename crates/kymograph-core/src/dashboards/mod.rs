//! The dashboards, and which of them a value belongs to.

pub mod scalars;
pub mod images;
pub mod video;
pub mod audio;
pub mod histograms;
pub mod text;
pub mod tensors;
pub mod mesh;

use crate::event::Metadata;

/// A kind of data with a view of its own. The names are the plugin names found in event files, but
/// for video: that is logged as images are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)] // the names say it all
pub enum Dashboard {
    Scalars,
    Images,
    Video,
    Audio,
    Histograms,
    Text,
    Graphs,
    PrCurves,
    Mesh,
    Hparams,
    CustomScalars,
    /// Everything no other dashboard knows; nothing that was logged is out of reach.
    Tensors,
}

impl Dashboard {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Dashboard; 12] = [
        Dashboard::Scalars,
        Dashboard::Images,
        Dashboard::Video,
        Dashboard::Audio,
        Dashboard::Histograms,
        Dashboard::Text,
        Dashboard::Graphs,
        Dashboard::PrCurves,
        Dashboard::Mesh,
        Dashboard::Hparams,
        Dashboard::CustomScalars,
        Dashboard::Tensors,
    ];

    /// The one name it has in every tree.
    pub fn name(self) -> &'static str {
        match self {
            Dashboard::Scalars => "scalars",
            Dashboard::Images => "images",
            Dashboard::Video => "video",
            Dashboard::Audio => "audio",
            Dashboard::Histograms => "histograms",
            Dashboard::Text => "text",
            Dashboard::Graphs => "graphs",
            Dashboard::PrCurves => "pr_curves",
            Dashboard::Mesh => "mesh",
            Dashboard::Hparams => "hparams",
            Dashboard::CustomScalars => "custom_scalars",
            Dashboard::Tensors => "tensors",
        }
    }

    /// The dashboard of this name.
    pub fn from_name(name: &str) -> Option<Dashboard> {
        Self::ALL.into_iter().find(|dashboard| dashboard.name() == name)
    }

    /// The dashboard of a tag with this metadata; nothing when it names no plugin.
    pub fn of_metadata(metadata: &Metadata) -> Option<Dashboard> {
        const SCALAR_CLASS: u64 = 1;
        if metadata.data_class == SCALAR_CLASS {
            return Some(Dashboard::Scalars);
        }
        match metadata.plugin_name.as_str() {
            "" => None,
            name if name.starts_with("graph_") => Some(Dashboard::Graphs),
            // No plugin of that name writes what the dashboard shows.
            "video" => Some(Dashboard::Tensors),
            name => Some(Self::from_name(name).unwrap_or(Dashboard::Tensors)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_to_dashboards_and_back() {
        for (index, dashboard) in Dashboard::ALL.into_iter().enumerate() {
            assert_eq!(dashboard as usize, index);
            assert_eq!(Dashboard::from_name(dashboard.name()), Some(dashboard));
        }
        assert_eq!(Dashboard::from_name("scalar"), None);
    }

    #[test]
    fn metadata_names_the_dashboard() {
        let cases = [
            ("", 0, None),
            ("", 1, Some(Dashboard::Scalars)),
            ("histograms", 0, Some(Dashboard::Histograms)),
            ("graph_keras_model", 0, Some(Dashboard::Graphs)),
            ("my_plugin", 0, Some(Dashboard::Tensors)),
            ("video", 0, Some(Dashboard::Tensors)),
            ("my_plugin", 1, Some(Dashboard::Scalars)),
        ];
        for (plugin_name, data_class, expected) in cases {
            let metadata =
                Metadata { plugin_name: plugin_name.into(), data_class, ..Metadata::default() };
            assert_eq!(Dashboard::of_metadata(&metadata), expected, "{plugin_name}");
        }
    }
}
