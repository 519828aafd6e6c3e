//! Meshes: vertices, faces and colours, three tensors of one step, into buffers that can be drawn.

use thiserror::Error;

use super::tensors::{Given, Numbers};
use crate::event::DataType;

/// How much of a mesh is drawn at most.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Vertices.
    pub points: usize,
    /// Triangles.
    pub triangles: usize,
}

/// The parts of a mesh. A problem with faces or colours does not lose the vertices.
#[derive(Debug)]
pub struct Parts<'a> {
    /// Items × vertices × coordinates, or vertices × coordinates.
    pub vertices: &'a Given,
    /// Items × faces × corners; a sentence if they cannot be read.
    pub faces: Option<Result<&'a Given, String>>,
    /// Items × vertices × channels; a sentence if they cannot be read.
    pub colours: Option<Result<&'a Given, String>>,
}

/// One item of a mesh, ready to be drawn: only finite vertices, only faces between them.
#[derive(Debug, Default, PartialEq)]
pub struct Mesh {
    /// x, y and z of each vertex.
    pub positions: Vec<f32>,
    /// Red, green and blue of each vertex; empty without colours.
    pub colours: Vec<u8>,
    /// Three positions of vertices for each triangle.
    pub faces: Vec<u32>,
    /// Number of items that were logged together.
    pub items: u64,
    /// Number of vertices that were logged in this item.
    pub vertices: u64,
    /// Number of triangles that were logged in this item.
    pub triangles: u64,
    /// Sentences: what is wrong, and what is drawn instead.
    pub problems: Vec<String>,
}

/// Why there is nothing to draw.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
pub enum MeshError {
    /// Strings.
    #[error("the {0} are not numbers")]
    NotNumbers(&'static str),
    /// Another rank or width.
    #[error("the {part} have the shape [{shape}]; expected [items, {part}, {width}]")]
    Shape {
        /// Which part.
        part: &'static str,
        /// As logged.
        shape: String,
        /// How many numbers each takes.
        width: &'static str,
    },
    /// Beyond the batch.
    #[error("there is no item {item}: this mesh has {items} items")]
    NoItem {
        /// As asked for.
        item: u64,
        /// How many there are.
        items: u64,
    },
}

/// A part as a table of one item: rows of so many numbers.
struct Table<'a> {
    numbers: &'a Numbers,
    items: u64,
    rows: usize,
    width: usize,
    /// Position of the first number of the item.
    start: usize,
}

impl<'a> Table<'a> {
    fn new(
        given: &'a Given,
        part: &'static str,
        width: &'static str,
        widths: std::ops::RangeInclusive<u64>,
        item: u64,
    ) -> Result<Self, MeshError> {
        let Given::Numbers(numbers) = given else { return Err(MeshError::NotNumbers(part)) };
        let (items, rows, columns) = match *numbers.shape {
            [rows, columns] => (1, rows, columns),
            [items, rows, columns] => (items, rows, columns),
            _ => return Err(shape_error(part, &numbers.shape, width)),
        };
        if !widths.contains(&columns) {
            return Err(shape_error(part, &numbers.shape, width));
        }
        if item >= items {
            return Err(MeshError::NoItem { item, items });
        }
        // The count of a tensor fits, so every part of the product does.
        let narrow = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let (rows, columns) = (narrow(rows), narrow(columns));
        let start = narrow(item).saturating_mul(rows).saturating_mul(columns);
        Ok(Self { numbers, items, rows, width: columns, start })
    }

    /// One number; 0 beyond the last column, so that flat vertices have a depth.
    fn number(&self, row: usize, column: usize) -> f64 {
        if column >= self.width {
            return 0.0;
        }
        let position = self.start.saturating_add(row.saturating_mul(self.width) + column);
        self.numbers.number(position).unwrap_or(f64::NAN)
    }
}

fn shape_error(part: &'static str, shape: &[u64], width: &'static str) -> MeshError {
    let shape = shape.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
    MeshError::Shape { part, shape, width }
}

impl Mesh {
    /// Puts the parts of one item together.
    pub fn new(parts: &Parts<'_>, item: u64, limits: Limits) -> Result<Mesh, MeshError> {
        let vertices = Table::new(parts.vertices, "vertices", "3", 2..=64, item)?;
        let mut mesh =
            Mesh { items: vertices.items, vertices: vertices.rows as u64, ..Mesh::default() };
        if vertices.width > 3 {
            mesh.problems.push(format!(
                "Each vertex has {} numbers; the first three are drawn as x, y and z.",
                vertices.width
            ));
        }
        let faces = mesh.part(&parts.faces, "faces", "3", 3..=4, item);
        let colours = mesh.part(&parts.colours, "colours", "3", 3..=4, item);
        let colours = colours.filter(|table| mesh.has_length(table, &vertices));
        let chosen = match &faces {
            None => mesh.draw_points(&vertices, limits),
            Some(faces) => mesh.draw_faces(&vertices, faces, limits),
        };
        if let Some(colours) = colours {
            mesh.paint(&colours, &chosen);
        }
        Ok(mesh)
    }

    /// The smallest and the largest x, y and z; nothing without vertices.
    pub fn bounds(&self) -> Option<[[f32; 3]; 2]> {
        let (positions, _) = self.positions.as_chunks::<3>();
        positions.iter().fold(None, |bounds, position| {
            let [mut low, mut high] = bounds.unwrap_or([*position; 2]);
            for (axis, &number) in position.iter().enumerate() {
                if let (Some(low), Some(high)) = (low.get_mut(axis), high.get_mut(axis)) {
                    *low = low.min(number);
                    *high = high.max(number);
                }
            }
            Some([low, high])
        })
    }

    /// A part that the mesh can do without: a problem instead of an error.
    fn part<'a>(
        &mut self,
        given: &Option<Result<&'a Given, String>>,
        part: &'static str,
        width: &'static str,
        widths: std::ops::RangeInclusive<u64>,
        item: u64,
    ) -> Option<Table<'a>> {
        let table = match given.as_ref()? {
            Ok(given) => Table::new(given, part, width, widths, item).map_err(|e| e.to_string()),
            Err(sentence) => Err(sentence.clone()),
        };
        table
            .map_err(|why| self.problems.push(format!("The {part} are not drawn: {why}.")))
            .ok()
            .filter(|table| table.rows > 0)
    }

    /// Whether there is a colour for each vertex, or one for all.
    fn has_length(&mut self, colours: &Table<'_>, vertices: &Table<'_>) -> bool {
        let fits = colours.rows == vertices.rows || colours.rows == 1;
        if !fits {
            self.problems.push(format!(
                "The colours are not drawn: there are {} for {} vertices.",
                colours.rows, vertices.rows
            ));
        }
        fits
    }

    /// Adds a vertex if it is finite.
    fn push(&mut self, [x, y, z]: [f32; 3]) -> bool {
        let is_finite = x.is_finite() && y.is_finite() && z.is_finite();
        if is_finite {
            self.positions.extend([x, y, z]);
        }
        is_finite
    }

    /// All vertices, or evenly spaced ones; returns their rows.
    fn draw_points(&mut self, vertices: &Table<'_>, limits: Limits) -> Vec<usize> {
        let stride = vertices.rows.div_ceil(limits.points.max(1)).max(1);
        let mut skipped = 0;
        let mut chosen = Vec::with_capacity(vertices.rows.div_ceil(stride));
        for row in (0..vertices.rows).step_by(stride) {
            if self.push(position(vertices, row)) {
                chosen.push(row);
            } else {
                skipped += 1;
            }
        }
        self.say_skipped(skipped);
        chosen
    }

    /// All vertices and faces; of a large mesh evenly spaced faces, each with vertices of its own.
    /// Returns the rows of the vertices.
    fn draw_faces(
        &mut self,
        vertices: &Table<'_>,
        faces: &Table<'_>,
        limits: Limits,
    ) -> Vec<usize> {
        let per_face = faces.width - 2;
        self.triangles = (faces.rows as u64).saturating_mul(per_face as u64);
        let is_whole = vertices.rows <= limits.points;
        let most =
            if is_whole { limits.triangles } else { limits.triangles.min(limits.points / 3) };
        let stride = faces.rows.div_ceil((most / per_face).max(1)).max(1);
        let numbers: Vec<Option<u32>> =
            if is_whole { self.number_vertices(vertices) } else { vec![] };
        let mut chosen: Vec<usize> = (0..numbers.len())
            .filter(|&row| numbers.get(row).is_some_and(Option::is_some))
            .collect();
        let (mut outside, mut broken) = (0u64, 0u64);
        for row in (0..faces.rows).step_by(stride) {
            for second in 1..=per_face {
                let corners =
                    [0, second, second + 1].map(|at| corner(faces, row, at, vertices.rows));
                let [Some(a), Some(b), Some(c)] = corners else {
                    outside += 1;
                    continue;
                };
                if is_whole {
                    let drawn = [a, b, c].map(|at| numbers.get(at).copied().flatten());
                    match drawn {
                        [Some(a), Some(b), Some(c)] => self.faces.extend([a, b, c]),
                        _ => broken += 1,
                    }
                } else if [a, b, c].iter().all(|&at| is_finite(position(vertices, at))) {
                    for at in [a, b, c] {
                        self.faces.push((self.positions.len() / 3) as u32);
                        self.push(position(vertices, at));
                        chosen.push(at);
                    }
                } else {
                    broken += 1;
                }
            }
        }
        if outside > 0 {
            self.problems.push(format!(
                "{} not drawn: there is no vertex of such a number.",
                counted(outside, "triangle")
            ));
        }
        if broken > 0 {
            self.problems.push(format!(
                "{} not drawn: a corner has coordinates that are not finite.",
                counted(broken, "triangle")
            ));
        }
        chosen
    }

    /// Adds all vertices; returns the number that each has got, none for one that is not finite.
    fn number_vertices(&mut self, vertices: &Table<'_>) -> Vec<Option<u32>> {
        let mut next = 0u32;
        let mut skipped = 0;
        let numbers = (0..vertices.rows)
            .map(|row| {
                if self.push(position(vertices, row)) {
                    next += 1;
                    Some(next - 1)
                } else {
                    skipped += 1;
                    None
                }
            })
            .collect();
        self.say_skipped(skipped);
        numbers
    }

    fn say_skipped(&mut self, skipped: u64) {
        if skipped > 0 {
            let skipped = counted(skipped, "vertex");
            self.problems.push(format!("{skipped} not drawn: coordinates that are not finite."));
        }
    }

    /// Colours of the chosen vertices. Floats that are nowhere above 1 are shares of full colour;
    /// writers store bytes as floats, too.
    fn paint(&mut self, colours: &Table<'_>, chosen: &[usize]) {
        let is_float = !matches!(
            colours.numbers.dtype,
            DataType::UInt8
                | DataType::Int8
                | DataType::Int16
                | DataType::UInt16
                | DataType::Int32
                | DataType::UInt32
                | DataType::Int64
                | DataType::UInt64
                | DataType::Bool
        );
        let rows = || chosen.iter().map(|&row| if colours.rows == 1 { 0 } else { row });
        let channels =
            || rows().flat_map(|row| (0..3).map(move |channel| colours.number(row, channel)));
        let max = channels().filter(|channel| channel.is_finite()).fold(0.0, f64::max);
        let scale = if is_float && max <= 1.0 { 255.0 } else { 1.0 };
        if max > 255.0 {
            self.problems.push("Colours above 255 are drawn as 255.".into());
        }
        // Saturates, and what is not a number becomes 0.
        self.colours = channels().map(|channel| (channel * scale).round() as u8).collect();
    }
}

fn position(vertices: &Table<'_>, row: usize) -> [f32; 3] {
    [0, 1, 2].map(|axis| vertices.number(row, axis) as f32)
}

fn is_finite(position: [f32; 3]) -> bool {
    position.iter().all(|number| number.is_finite())
}

/// The vertex at a corner of a face, if there is one.
fn corner(faces: &Table<'_>, row: usize, at: usize, vertices: usize) -> Option<usize> {
    let number = faces.number(row, at);
    // Floats hold positions, too: torch and tensorboardX write them so.
    (number >= 0.0 && number.fract() == 0.0 && number < vertices as f64).then_some(number as usize)
}

/// `1 triangle is`, `2 triangles are`
fn counted(count: u64, name: &str) -> String {
    match (count, name) {
        (1, _) => format!("1 {name} is"),
        (_, "vertex") => format!("{count} vertices are"),
        _ => format!("{count} {name}s are"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Body, Value};

    const LIMITS: Limits = Limits { points: 100, triangles: 100 };
    const SQUARE: [f32; 12] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0];

    fn floats(numbers: &[f32], shape: &[u64]) -> Given {
        let bytes: Vec<u8> = numbers.iter().flat_map(|one| one.to_le_bytes()).collect();
        tensor(1, &bytes, shape)
    }

    fn bytes(numbers: &[u8], shape: &[u64]) -> Given {
        tensor(4, numbers, shape)
    }

    fn tensor(dtype: u8, content: &[u8], shape: &[u64]) -> Given {
        let dims: Vec<u8> = shape
            .iter()
            .flat_map(|&size| {
                let dim = [&[8][..], &leb(size)].concat();
                [&[0x12, dim.len() as u8][..], &dim].concat()
            })
            .collect();
        let mut message = vec![8, dtype, 0x12, dims.len() as u8];
        message.extend(dims);
        message.push(0x22);
        message.extend(leb(content.len() as u64));
        message.extend(content);
        let value = Value { tag: b"tag", metadata: None, body: Body::Tensor(&message) };
        Given::read(&value).unwrap()
    }

    fn leb(mut number: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        while number >= 0x80 {
            bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        bytes.push(number as u8);
        bytes
    }

    fn mesh(vertices: &Given, faces: Option<&Given>, colours: Option<&Given>) -> Mesh {
        let parts = Parts { vertices, faces: faces.map(Ok), colours: colours.map(Ok) };
        Mesh::new(&parts, 0, LIMITS).unwrap()
    }

    #[test]
    fn the_parts_of_an_item_come_together() {
        let vertices = floats(&[SQUARE, SQUARE.map(|one| one + 5.0)].concat(), &[2, 4, 3]);
        let faces = floats(&[0.0, 1.0, 2.0, 0.0, 2.0, 3.0], &[2, 1, 3]);
        let colours: Vec<u8> = (0..24).collect();
        let colours = bytes(&colours, &[2, 4, 3]);
        let parts =
            Parts { vertices: &vertices, faces: Some(Ok(&faces)), colours: Some(Ok(&colours)) };
        let second = Mesh::new(&parts, 1, LIMITS).unwrap();
        assert_eq!(second.positions, SQUARE.map(|one| one + 5.0));
        assert_eq!(second.faces, [0, 2, 3]);
        assert_eq!(second.colours, (12..24).collect::<Vec<u8>>());
        assert_eq!((second.items, second.vertices, second.triangles), (2, 4, 1));
        assert_eq!(second.problems, [""; 0]);
        assert_eq!(second.bounds(), Some([[5.0, 5.0, 5.0], [6.0, 6.0, 5.0]]));
        assert_eq!(
            Mesh::new(&parts, 2, LIMITS).unwrap_err().to_string(),
            "there is no item 2: this mesh has 2 items"
        );
    }

    #[test]
    fn rectangles_are_two_triangles_and_flat_vertices_have_no_depth() {
        let vertices = floats(&[0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0], &[4, 2]);
        let found = mesh(&vertices, Some(&bytes(&[0, 1, 2, 3], &[1, 1, 4])), None);
        assert_eq!(found.positions, SQUARE);
        assert_eq!(found.faces, [0, 1, 2, 0, 2, 3]);
        assert_eq!(found.triangles, 2);
    }

    #[test]
    fn what_cannot_be_drawn_is_left_out_and_said() {
        let nan = f32::NAN;
        let vertices =
            floats(&[nan, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0], &[4, 3]);
        let corners = [0.0, 1.0, 2.0, 1.0, 2.0, 3.0, 1.0, 2.0, 4.0, -1.0, 2.0, 3.0, 1.5, 2.0, 3.0];
        let found = mesh(&vertices, Some(&floats(&corners, &[1, 5, 3])), None);
        assert_eq!(found.positions, SQUARE[3..]);
        assert_eq!(found.faces, [0, 1, 2]);
        assert_eq!(
            found.problems,
            [
                "1 vertex is not drawn: coordinates that are not finite.",
                "3 triangles are not drawn: there is no vertex of such a number.",
                "1 triangle is not drawn: a corner has coordinates that are not finite.",
            ]
        );
        let huge = tensor(2, &[1e300f64, 0.0, 0.0].map(f64::to_le_bytes).concat(), &[1, 3]);
        assert_eq!(mesh(&huge, None, None).positions, [0.0; 0]);
    }

    #[test]
    fn colours_of_another_length_are_left_out_and_one_colours_all() {
        let vertices = floats(&SQUARE, &[1, 4, 3]);
        let found = mesh(&vertices, None, Some(&bytes(&[1; 6], &[1, 2, 3])));
        assert_eq!(found.colours, [0; 0]);
        assert_eq!(found.problems, ["The colours are not drawn: there are 2 for 4 vertices."]);
        let found = mesh(&vertices, None, Some(&bytes(&[1, 2, 3, 255], &[1, 1, 4])));
        assert_eq!(found.colours, [1, 2, 3].repeat(4));
        assert_eq!(found.problems, [""; 0]);
        let strings = Given::Strings(crate::dashboards::text::Text {
            shape: vec![1],
            strings: vec![b"red".to_vec()],
        });
        let found = mesh(&vertices, Some(&strings), Some(&bytes(&[1, 2], &[2])));
        assert_eq!(
            found.problems,
            [
                "The faces are not drawn: the faces are not numbers.",
                "The colours are not drawn: the colours have the shape [2]; \
                 expected [items, colours, 3].",
            ]
        );
    }

    #[test]
    fn floats_are_bytes_or_shares_of_full_colour() {
        let vertices = floats(&SQUARE[..6], &[2, 3]);
        let colour =
            |numbers: [f32; 6]| mesh(&vertices, None, Some(&floats(&numbers, &[2, 3]))).colours;
        assert_eq!(colour([0.0, 127.0, 255.0, 300.0, -1.0, f32::NAN]), [0, 127, 255, 255, 0, 0]);
        assert_eq!(colour([0.0, 0.5, 1.0, 1.0, -1.0, f32::NAN]), [0, 128, 255, 255, 0, 0]);
    }

    #[test]
    fn large_meshes_are_drawn_in_part() {
        let cloud: Vec<f32> = (0..750).map(|at| at as f32).collect();
        let vertices = floats(&cloud, &[250, 3]);
        let colours = bytes(&(0..=249).flat_map(|at| [at; 3]).collect::<Vec<_>>(), &[250, 3]);
        let found = mesh(&vertices, None, Some(&colours));
        assert_eq!(found.vertices, 250);
        assert_eq!(found.positions.len() / 3, 84);
        assert_eq!(found.positions.get(3), Some(&9.0));
        assert_eq!(found.colours.get(3), Some(&3));
        // Each face brings its own vertices where not all of them are there.
        let corners: Vec<f32> =
            (0..248).flat_map(|at| [at, at + 1, at + 2]).map(|at| at as f32).collect();
        let found = mesh(&vertices, Some(&floats(&corners, &[248, 3])), Some(&colours));
        assert_eq!(found.triangles, 248);
        assert_eq!(found.faces.len() / 3, 31);
        assert_eq!(found.positions.len(), 3 * 93);
        assert_eq!(found.colours.len(), 3 * 93);
        assert_eq!(found.faces.get(3..6), Some(&[3, 4, 5][..]));
        assert_eq!(found.colours.get(9), Some(&8));
    }

    #[test]
    fn a_few_bytes_cannot_ask_for_all_memory() {
        let vertices = floats(&[1.0, 2.0, 3.0], &[1, 1 << 40, 3]);
        let found = mesh(&vertices, Some(&bytes(&[0], &[1, 1 << 40, 3])), None);
        assert!(found.positions.len() <= 300, "{}", found.positions.len());
        assert_eq!(found.vertices, 1 << 40);
    }

    #[test]
    fn vertices_that_are_none_have_one_sentence() {
        let parts = |vertices| Parts { vertices, faces: None, colours: None };
        let found = Mesh::new(&parts(&floats(&[1.0], &[1])), 0, LIMITS).unwrap_err();
        let expected = "the vertices have the shape [1]; expected [items, vertices, 3]";
        assert_eq!(found.to_string(), expected);
        let empty = mesh(&floats(&[], &[1, 0, 3]), None, None);
        assert_eq!((empty.vertices, empty.positions.len(), empty.bounds()), (0, 0, None));
        let wide = mesh(&floats(&[1.0; 6], &[1, 1, 6]), None, None);
        assert_eq!(
            wide.problems,
            ["Each vertex has 6 numbers; the first three are drawn as x, y and z."]
        );
    }
}
