//! Meshes: the tensors of one step, put together in the core.

use kymograph_core::dashboards::mesh::{self, Limits, Parts};
use kymograph_core::link::Link;
use kymograph_core::store::{FetchError, LoggedTensor, Store};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors;

/// One item of a mesh, ready to be drawn.
#[pyclass(frozen, get_all, module = "kymograph._core")]
pub struct Mesh {
    /// Little-endian `f32`.
    positions: Py<PyBytes>,
    colours: Py<PyBytes>,
    /// Little-endian `u32`.
    faces: Py<PyBytes>,
    items: u64,
    vertices: u64,
    triangles: u64,
    bounds: Option<[[f32; 3]; 2]>,
    problems: Vec<String>,
    /// What the writer declared in the value of the vertices itself; empty if nothing.
    content: Py<PyBytes>,
}

/// The addresses of vertices, faces and colours.
pub type Links = (Link, Option<Link>, Option<Link>);

/// The mesh at these addresses.
pub fn read(
    py: Python<'_>,
    store: &Store,
    links: Links,
    item: u64,
    limits: Limits,
) -> PyResult<Mesh> {
    let (mesh, content) = py.detach(|| assembled(store, links, item, limits))?;
    let positions: Vec<u8> = mesh.positions.iter().flat_map(|one| one.to_le_bytes()).collect();
    let faces: Vec<u8> = mesh.faces.iter().flat_map(|one| one.to_le_bytes()).collect();
    Ok(Mesh {
        positions: PyBytes::new(py, &positions).unbind(),
        colours: PyBytes::new(py, &mesh.colours).unbind(),
        faces: PyBytes::new(py, &faces).unbind(),
        items: mesh.items,
        vertices: mesh.vertices,
        triangles: mesh.triangles,
        bounds: mesh.bounds(),
        problems: mesh.problems,
        content: PyBytes::new(py, &content).unbind(),
    })
}

fn assembled(
    store: &Store,
    (vertices, faces, colours): Links,
    item: u64,
    limits: Limits,
) -> PyResult<(mesh::Mesh, Vec<u8>)> {
    let links: Vec<Link> = [Some(vertices), faces, colours].into_iter().flatten().collect();
    let mut tensors = store.read_tensors(&links).into_iter();
    let vertices = match tensors.next() {
        Some(found) => found.map_err(errors::from_fetch)?,
        None => return Err(errors::bad_query("there is no such blob")),
    };
    let faces = faces.and_then(|_| tensors.next());
    let colours = colours.and_then(|_| tensors.next());
    let parts = Parts {
        vertices: &vertices.given,
        faces: faces.as_ref().map(given),
        colours: colours.as_ref().map(given),
    };
    let mesh = mesh::Mesh::new(&parts, item, limits).map_err(errors::bad_query)?;
    let content = vertices.metadata.map(|metadata| metadata.content).unwrap_or_default();
    Ok((mesh, content))
}

fn given(
    tensor: &Result<LoggedTensor, FetchError>,
) -> Result<&kymograph_core::dashboards::tensors::Given, String> {
    tensor.as_ref().map(|tensor| &tensor.given).map_err(FetchError::to_string)
}
