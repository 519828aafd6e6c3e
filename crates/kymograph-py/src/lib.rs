//! `kymograph._core`: the core as a Python extension module. It translates, and does nothing
//! else.

mod audio;
mod blobs;
mod buffers;
mod errors;
mod files;
mod histograms;
mod lod;
mod media;
mod meshes;
mod messages;
mod pattern;
mod pictures;
mod store;
mod texts;
mod video;
mod writer;

use pyo3::prelude::*;

/// The compiled half of Kymograph.
#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("DASHBOARDS", store::dashboard_names())?;
    module.add_class::<store::Store>()?;
    module.add_class::<store::Run>()?;
    module.add_class::<store::Series>()?;
    module.add_class::<files::FileReport>()?;
    module.add_class::<files::Gap>()?;
    module.add_class::<blobs::Images>()?;
    module.add_class::<blobs::Audio>()?;
    module.add_class::<blobs::Histogram>()?;
    module.add_class::<blobs::Text>()?;
    module.add_class::<blobs::Tensor>()?;
    module.add_class::<blobs::Graph>()?;
    module.add_class::<blobs::Metadata>()?;
    module.add_class::<blobs::Empty>()?;
    module.add_class::<blobs::TensorDescription>()?;
    module.add_class::<blobs::TensorWindow>()?;
    module.add_class::<audio::Waveform>()?;
    module.add_class::<audio::Spectrogram>()?;
    module.add_class::<meshes::Mesh>()?;
    module.add_class::<pictures::PictureLook>()?;
    module.add_class::<video::Video>()?;
    module.add_class::<video::VideoFrames>()?;
    module.add_function(wrap_pyfunction!(blobs::blob_columns, module)?)?;
    module.add_function(wrap_pyfunction!(messages::message_fields, module)?)?;
    module.add_function(wrap_pyfunction!(messages::packed_varints, module)?)?;
    module.add_class::<pattern::Pattern>()?;
    module.add_class::<texts::TextHits>()?;
    module.add_class::<texts::SeriesHits>()?;
    module.add_class::<texts::FoundText>()?;
    module.add_class::<lod::LineHeads>()?;
    module.add_class::<lod::BandHeads>()?;
    module.add_class::<writer::LateSummary>()?;
    module.add_class::<writer::EventWriter>()?;
    module.add_function(wrap_pyfunction!(writer::flush_at_exit, module)?)?;
    module.add_function(wrap_pyfunction!(writer::frame_record, module)?)?;
    module.add_function(wrap_pyfunction!(writer::after_fork_in_child, module)?)?;
    module.add_function(wrap_pyfunction!(lod::reduce, module)?)?;
    module.add_function(wrap_pyfunction!(lod::lod_batch, module)?)?;
    module.add_function(wrap_pyfunction!(lod::summaries, module)?)?;
    module.add_function(wrap_pyfunction!(lod::x_from_other, module)?)?;
    module.add_function(wrap_pyfunction!(lod::bands, module)?)?;
    module.add_function(wrap_pyfunction!(lod::bands_batch, module)?)?;
    module.add_function(wrap_pyfunction!(histograms::default_bins, module)?)?;
    module.add_function(wrap_pyfunction!(histograms::count_in_default_bins, module)?)?;
    module.add_function(wrap_pyfunction!(histograms::count_in_equal_bins, module)?)?;
    module.add_function(wrap_pyfunction!(histograms::totals, module)?)?;
    module.add_function(wrap_pyfunction!(histograms::ranked, module)?)?;
    module.add_function(wrap_pyfunction!(media::joined_pixels, module)?)?;
    module.add_function(wrap_pyfunction!(media::encode_png, module)?)?;
    module.add_function(wrap_pyfunction!(media::image_summary, module)?)?;
    module.add_function(wrap_pyfunction!(media::video_summary, module)?)
}
