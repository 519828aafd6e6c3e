//! Events, values and metadata from arbitrary bytes, and what every dashboard makes of them.
#![no_main]

use kymograph_core::dashboards::{Dashboard, audio, histograms, images, scalars, tensors, text};
use kymograph_core::event::{self, Body, Event, Metadata, PlainScalar, Value, What};
use kymograph_core::peek::{self, LargeWhat};
use kymograph_core::record::Window;
use kymograph_fuzz::Bytes;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    value(data);
    let event = Event::parse(data);
    if let Ok(event) = &event {
        match event.what {
            What::Summary(summary) => event::values(summary).flatten().for_each(value),
            What::TaggedRunMetadata(message) => {
                let _ = event::tagged_run_metadata(message);
            }
            _ => {}
        }
    }
    if let Some(scalar) = PlainScalar::parse(data)
        && let Some(tag) = scalar.tag()
    {
        let PlainScalar { wall_time, step, form, number, rest: _ } = scalar;
        assert_eq!(event::plain_form(tag), form);
        let event = event.expect("taken the short way, so it is an event");
        assert_eq!(event.wall_time.to_bits(), wall_time.to_bits());
        assert_eq!(event.step, step);
        let What::Summary(summary) = event.what else {
            panic!("{event:?}");
        };
        let values: Vec<_> = event::values(summary).map(Result::unwrap).collect();
        let [message] = values[..] else {
            panic!("{values:?}");
        };
        let value = Value::parse(message).expect("taken the short way");
        assert_eq!((value.tag, value.metadata), (tag, None));
        let Body::Simple(whole) = value.body else {
            panic!("{value:?}");
        };
        assert_eq!(whole.to_bits(), number.to_bits());
    }
    peeked(data, event.ok());
});

fn value(message: &[u8]) {
    if let Ok(metadata) = Metadata::parse(message) {
        let _ = Dashboard::of_metadata(&metadata);
    }
    let Ok(value) = Value::parse(message) else {
        return;
    };
    if let Some(metadata) = value.metadata.and_then(|bytes| Metadata::parse(bytes).ok()) {
        let _ = Dashboard::of_metadata(&metadata);
    }
    if let Body::Tensor(tensor) = value.body {
        let _ = scalars::number(tensor);
    }
    let _ = images::decode(&value);
    let _ = audio::decode(&value);
    let _ = histograms::decode(&value);
    let _ = text::decode(&value);
    let _ = tensors::decode(&value);
}

/// What is known about an event without reading it must match what reading it returns.
fn peeked(data: &[u8], event: Option<Event<'_>>) {
    let source = Bytes(data);
    let mut window = Window::new(&source, data.len() as u64);
    let Some(large) = peek::peek(&mut window, 0, data.len() as u64).expect("memory cannot fail")
    else {
        return;
    };
    let event = event.expect("understood in passing, so it is an event");
    assert_eq!(large.step, event.step);
    assert_eq!(large.wall_time.to_bits(), event.wall_time.to_bits());
    let part = |range: &std::ops::Range<u64>| &data[range.start as usize..range.end as usize];
    match (&large.what, event.what) {
        (LargeWhat::Graph(range), What::Graph(bytes)) => assert_eq!(part(range), bytes),
        (LargeWhat::MetaGraph(range), What::MetaGraph(bytes)) => assert_eq!(part(range), bytes),
        (LargeWhat::Values(values), What::Summary(summary)) => {
            let whole: Vec<&[u8]> = event::values(summary).map(Result::unwrap).collect();
            assert_eq!(values.len(), whole.len());
            for (value, message) in values.iter().zip(whole) {
                assert_eq!(part(&value.range), message);
                let whole = Value::parse(message).expect("understood in passing");
                assert_eq!(
                    (&*value.tag, value.metadata.as_deref()),
                    (whole.tag, whole.metadata)
                );
                assert_eq!(
                    std::mem::discriminant(&value.body),
                    std::mem::discriminant(&whole.body)
                );
            }
        }
        (large, whole) => panic!("{large:?} is not {whole:?}"),
    }
}
