//! Dropping vertices that no triangle uses.

use super::mesh::TriMesh;

/// Removes unused vertices; returns, for each one kept, its old index (ascending).
pub fn compact(mesh: &mut TriMesh) -> Vec<u32> {
    let mut new = vec![u32::MAX; mesh.positions.len()];
    for t in &mesh.triangles {
        for &i in t {
            new[i as usize] = 0;
        }
    }
    let mut kept = Vec::new();
    for (old, slot) in new.iter_mut().enumerate() {
        if *slot == 0 {
            *slot = kept.len() as u32;
            kept.push(old as u32);
        }
    }
    mesh.positions = kept.iter().map(|&i| mesh.positions[i as usize]).collect();
    for t in &mut mesh.triangles {
        *t = t.map(|i| new[i as usize]);
    }
    kept
}
