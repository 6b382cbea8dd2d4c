//! Reads meshes in Gmsh's format 4.1, with `mshio`.
//!
//! Two things are read here beside it, since `mshio` drops them: `$PhysicalNames`, a section that
//! it skips, and the nodes' tags, which it only keeps where they have gaps (numbers in another
//! order than the file's would be mixed up silently). Both are plain in ASCII files; binary ones
//! are rejected.

use std::collections::HashMap;
use std::error::Error;
use std::path::Path;

use mshio::{ElementType, MshFile};

use crate::mesh::{AnyMesh, Group, Mesh};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Where a node of a curved cell stands in Gmsh's order: vertices, then edges (2,3), (1,3), (1,2),
/// (0,3), (0,2), (0,1), which Gmsh has as (0,1), (1,2), (0,2), (0,3), (2,3), (1,3).
const FROM_GMSH: [usize; 10] = [0, 1, 2, 3, 8, 9, 5, 7, 6, 4];

/// Reads a mesh of tetrahedra, all of them affine or all of them curved.
///
/// # Errors
///
/// A file that cannot be read or is not such a mesh. The message names the file and the reason.
pub fn read(path: &Path) -> Result<AnyMesh> {
    let named = |error: Box<dyn Error>| format!("{}: {error}", path.display());
    let bytes = std::fs::read(path).map_err(|error| named(error.into()))?;
    Ok(parse(&bytes).map_err(named)?)
}

fn parse(bytes: &[u8]) -> Result<AnyMesh> {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Err("not a Gmsh file in ASCII (gmsh -format msh41 -bin 0 writes one)".into());
    };
    let file =
        mshio::parse_msh_bytes(bytes).map_err(|error| format!("not a Gmsh 4.1 mesh:\n{error}"))?;
    if file.header.file_type != 0 {
        return Err("a binary Gmsh file (gmsh -format msh41 -bin 0 writes an ASCII one)".into());
    }
    let tags = node_tags(text).ok_or("the section $Nodes is damaged or missing")?;
    let mut nodes = Vec::with_capacity(tags.len());
    for block in file.data.nodes.iter().flat_map(|nodes| &nodes.node_blocks) {
        nodes.extend(block.nodes.iter().map(|node| [node.x, node.y, node.z]));
    }
    if nodes.len() != tags.len() {
        return Err("the section $Nodes is damaged: it has not as many tags as nodes".into());
    }
    let index: HashMap<u64, usize> = tags.into_iter().zip(0..).collect();
    let affine = cells::<4>(&file, ElementType::Tet4, &index)?;
    let curved = cells::<10>(&file, ElementType::Tet10, &index)?;
    let groups = groups(&file, &physical_names(text), &index)?;
    match (affine.is_empty(), curved.is_empty()) {
        (false, true) => Ok(AnyMesh::Affine(Mesh {
            nodes,
            cells: affine,
            groups,
        })),
        (true, false) => {
            let cells = curved
                .iter()
                .map(|cell| FROM_GMSH.map(|v| cell[v]))
                .collect();
            Ok(AnyMesh::Curved(Mesh {
                nodes,
                cells,
                groups,
            }))
        }
        (true, true) => Err(format!(
            "no tetrahedra with 4 or 10 nodes; it has {:?}",
            file.count_element_types()
        )
        .into()),
        (false, false) => Err("affine and curved tetrahedra in one mesh".into()),
    }
}

/// The nodes of the elements of one type.
fn cells<const G: usize>(
    file: &MshFile<u64, i32, f64>,
    kind: ElementType,
    index: &HashMap<u64, usize>,
) -> Result<Vec<[usize; G]>> {
    let blocks = file
        .data
        .elements
        .iter()
        .flat_map(|all| &all.element_blocks);
    blocks
        .filter(|block| block.element_type == kind)
        .flat_map(|block| &block.elements)
        .map(|element| look_up(&element.nodes, index))
        .collect()
}

/// The first nodes of an element.
fn look_up<const G: usize>(tags: &[u64], index: &HashMap<u64, usize>) -> Result<[usize; G]> {
    let mut cell = [0; G];
    if tags.len() < G {
        return Err(format!("an element with {} nodes where {G} are due", tags.len()).into());
    }
    for (node, tag) in cell.iter_mut().zip(tags) {
        *node = *index
            .get(tag)
            .ok_or_else(|| format!("an element has the node {tag}, which is not in $Nodes"))?;
    }
    Ok(cell)
}

/// The physical groups of triangles, with 3 or 6 nodes.
fn groups(
    file: &MshFile<u64, i32, f64>,
    names: &HashMap<i32, String>,
    index: &HashMap<u64, usize>,
) -> Result<Vec<Group>> {
    let surfaces = file.data.entities.iter().flat_map(|all| &all.surfaces);
    let physical: HashMap<i32, &[i32]> = surfaces
        .map(|surface| (surface.tag, &surface.physical_tags[..]))
        .collect();
    let mut groups: Vec<(i32, Vec<[usize; 3]>)> = Vec::new();
    for block in file
        .data
        .elements
        .iter()
        .flat_map(|all| &all.element_blocks)
    {
        if !matches!(block.element_type, ElementType::Tri3 | ElementType::Tri6) {
            continue;
        }
        for &tag in physical.get(&block.entity_tag).copied().unwrap_or_default() {
            let at = groups
                .iter()
                .position(|group| group.0 == tag)
                .unwrap_or_else(|| {
                    groups.push((tag, Vec::new()));
                    groups.len() - 1
                });
            for element in &block.elements {
                groups[at].1.push(look_up(&element.nodes, index)?);
            }
        }
    }
    let named = |(tag, triangles): (i32, _)| {
        let name = names.get(&tag).cloned().unwrap_or_else(|| tag.to_string());
        Group { name, triangles }
    };
    Ok(groups.into_iter().map(named).collect())
}

/// The lines of a section, without its marks.
fn section<'a>(text: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    let start = format!("${name}");
    let end = format!("$End{name}");
    let lines = text
        .lines()
        .map(str::trim)
        .skip_while(move |&line| line != start);
    lines.skip(1).take_while(move |&line| line != end)
}

/// The names of the physical groups of surfaces, by number: lines `2 11 "wall"` after their count.
fn physical_names(text: &str) -> HashMap<i32, String> {
    let entries = section(text, "PhysicalNames").skip(1).filter_map(|line| {
        let (dimension, rest) = line.split_once(char::is_whitespace)?;
        let (tag, name) = rest.trim().split_once(char::is_whitespace)?;
        let name = name.trim().strip_prefix('"')?.strip_suffix('"')?;
        (dimension == "2").then_some((tag.parse().ok()?, name.to_owned()))
    });
    entries.collect()
}

/// The tags of the nodes, in the file's order.
fn node_tags(text: &str) -> Option<Vec<u64>> {
    let mut lines = section(text, "Nodes");
    let header = lines.next()?;
    let blocks: usize = header.split_whitespace().next()?.parse().ok()?;
    let mut tags = Vec::new();
    for _ in 0..blocks {
        let count: usize = lines.next()?.split_whitespace().nth(3)?.parse().ok()?;
        for _ in 0..count {
            tags.push(lines.next()?.parse().ok()?);
        }
        // The coordinates follow, a line a node.
        for _ in 0..count {
            lines.next()?;
        }
    }
    Some(tags)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One tetrahedron, its nodes numbered against the file's order.
    const MESH: &str = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n\
        $PhysicalNames\n2\n2 7 \"the floor\"\n3 7 \"body\"\n$EndPhysicalNames\n\
        $Entities\n0 0 1 0\n5 0 0 0 1 1 0 1 7 0\n$EndEntities\n\
        $Nodes\n1 4 1 4\n2 5 0 4\n4\n3\n2\n1\n0 0 1\n0 1 0\n1 0 0\n0 0 0\n$EndNodes\n\
        $Elements\n2 2 1 2\n2 5 2 1\n1 1 2 3\n3 1 4 1\n2 1 2 3 4\n$EndElements\n";

    #[test]
    fn tags_and_names_are_kept() {
        let AnyMesh::Affine(mesh) = parse(MESH.as_bytes()).expect("a sound mesh") else {
            panic!("an affine mesh");
        };
        assert_eq!(mesh.cells, [[3, 2, 1, 0]]);
        assert_eq!(mesh.nodes[mesh.cells[0][1]], [1.0, 0.0, 0.0]);
        assert_eq!(mesh.groups[0].name, "the floor");
        assert_eq!(mesh.groups[0].triangles, [[3, 2, 1]]);
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let error = parse(b"nonsense").expect_err("no mesh").to_string();
        assert!(error.starts_with("not a Gmsh 4.1 mesh"), "{error}");
        let lost = MESH.replace("2 1 2 3 4", "2 1 2 3 9");
        let error = parse(lost.as_bytes()).expect_err("a lost node").to_string();
        assert!(
            error.contains("the node 9, which is not in $Nodes"),
            "{error}"
        );
    }
}
