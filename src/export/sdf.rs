//! Visuals of an SDF file: which mesh, where, with which maps.

use super::transform::Transform;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// The file that is read.
pub const FILE: &str = "model.sdf";

/// A `<visual>` with a mesh, its link's pose taken in. Paths are relative to the SDF file.
#[derive(Clone, Debug, PartialEq)]
pub struct Visual {
    pub name: String,
    pub place: Transform,
    pub mesh: String,
    pub colour: [f32; 3],
    pub albedo: Option<String>,
    pub normal: Option<String>,
    pub roughness: Option<String>,
}

/// The visuals of a model, in order; the error says what is wrong with the file.
pub fn visuals(text: &str) -> Result<Vec<Visual>, String> {
    let mut found = Vec::new();
    for model in tree(text)?.all("sdf").flat_map(|sdf| sdf.all("model")) {
        for link in model.all("link") {
            let world_from_link = link.pose()?;
            for visual in link.all("visual") {
                found.extend(read(visual, world_from_link)?);
            }
        }
    }
    Ok(found)
}

fn read(visual: &Element, world_from_link: Transform) -> Result<Option<Visual>, String> {
    let Some(mesh) = visual.at("geometry/mesh") else {
        return Ok(None);
    };
    let scale = match mesh.at("scale") {
        Some(scale) => Transform::scale(numbers(&scale.text)?),
        None => Transform::IDENTITY,
    };
    let colour = match visual.at("material/diffuse") {
        Some(diffuse) => numbers::<4>(&diffuse.text)?.map(|c| c as f32),
        None => [1.0; 4],
    };
    let map = |name: &str| {
        let map = visual.at(&format!("material/pbr/metal/{name}_map"))?;
        Some(map.text.clone())
    };
    Ok(Some(Visual {
        name: visual.name.clone(),
        place: world_from_link * visual.pose()? * scale,
        mesh: mesh
            .at("uri")
            .map(|uri| uri.text.clone())
            .unwrap_or_default(),
        colour: [colour[0], colour[1], colour[2]],
        albedo: map("albedo"),
        normal: map("normal"),
        roughness: map("roughness"),
    }))
}

/// An XML element, as far as visuals need it.
#[derive(Default)]
struct Element {
    tag: String,
    /// Its attribute `name`.
    name: String,
    text: String,
    children: Vec<Element>,
}

impl Element {
    fn begin(start: &BytesStart) -> Result<Self, String> {
        let name = start.try_get_attribute("name").map_err(|e| e.to_string())?;
        Ok(Self {
            tag: start.name().as_ref().to_owned(),
            name: name.map(|a| a.value.into_owned()).unwrap_or_default(),
            ..Self::default()
        })
    }

    fn all<'a>(&'a self, tag: &'a str) -> impl Iterator<Item = &'a Element> {
        self.children.iter().filter(move |child| child.tag == tag)
    }

    fn at(&self, path: &str) -> Option<&Element> {
        let mut at = self;
        for tag in path.split('/') {
            at = at.children.iter().find(|child| child.tag == tag)?;
        }
        Some(at)
    }

    fn pose(&self) -> Result<Transform, String> {
        match self.at("pose") {
            Some(pose) => Ok(Transform::pose(numbers(&pose.text)?)),
            None => Ok(Transform::IDENTITY),
        }
    }
}

/// A document, as the children of an element without a name.
fn tree(text: &str) -> Result<Element, String> {
    let mut reader = Reader::from_str(text);
    let mut open = vec![Element::default()];
    loop {
        let event = reader.read_event().map_err(|e| e.to_string())?;
        let done = match event {
            Event::Start(start) => {
                open.push(Element::begin(&start)?);
                None
            }
            Event::Empty(start) => Some(Element::begin(&start)?),
            Event::End(_) => open.pop(),
            Event::Text(piece) => {
                if let Some(element) = open.last_mut() {
                    element.text.push_str(piece.into_inner().trim());
                }
                None
            }
            Event::Eof => break,
            _ => None,
        };
        if let (Some(done), Some(parent)) = (done, open.last_mut()) {
            parent.children.push(done);
        }
    }
    match (open.pop(), open.len()) {
        (Some(document), 0) => Ok(document),
        _ => Err("ends inside an element".into()),
    }
}

fn numbers<const N: usize>(text: &str) -> Result<[f64; N], String> {
    let read: Result<Vec<f64>, _> = text.split_whitespace().map(str::parse).collect();
    read.ok()
        .filter(|numbers| numbers.iter().all(|x| x.is_finite()))
        .and_then(|numbers| numbers.try_into().ok())
        .ok_or_else(|| format!("has {text:?} where {N} finite numbers are expected"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn poses_scales_and_maps_are_taken_in() {
        let text = r#"<sdf><model name="m"><link name="l"><pose>1 2 3 0 0 0</pose>
            <visual name="visual_a"><pose>0 0 1 0 0 0</pose>
            <geometry><mesh><uri>a.glb</uri><scale>2 2 2</scale></mesh></geometry>
            <material><diffuse>1 0.5 0 1</diffuse>
            <pbr><metal><albedo_map>t/a.png</albedo_map></metal></pbr></material></visual>
            <visual name="box"><geometry><box/></geometry></visual></link></model></sdf>"#;
        let found = visuals(text).unwrap();
        assert_eq!(found.len(), 1);
        let visual = &found[0];
        assert_eq!(
            (visual.name.as_str(), visual.mesh.as_str()),
            ("visual_a", "a.glb")
        );
        assert_eq!(visual.colour, [1.0, 0.5, 0.0]);
        assert_eq!(visual.albedo.as_deref(), Some("t/a.png"));
        assert_eq!((&visual.normal, &visual.roughness), (&None, &None));
        let mut mesh = super::super::Mesh {
            positions: vec![[1.0, 0.0, 0.0]],
            ..Default::default()
        };
        visual.place.apply(&mut mesh);
        assert_eq!(mesh.positions, [[3.0, 2.0, 4.0]]);
    }

    #[test]
    fn broken_files_are_told() {
        for text in ["<sdf><model>", "<sdf></model>", "<sdf"] {
            visuals(text).unwrap_err();
        }
        let text = "<sdf><model><link><pose>1 2 x 0 0 0</pose></link></model></sdf>";
        assert!(visuals(text).unwrap_err().contains("6 finite numbers"));
    }
}
