//! Measures of the reduced graph: degrees and loops.

use super::reduce::Reduced;

/// 2 E / N (Collon et al. 2017, section 4.2).
pub(super) fn mean_degree(graph: &Reduced) -> Option<f64> {
    (graph.nodes() > 0).then(|| 2.0 * graph.edges() as f64 / graph.nodes() as f64)
}

/// Sample deviation of the degrees over their mean.
pub(super) fn cv_degree(graph: &Reduced) -> Option<f64> {
    let degrees: Vec<f64> = (0..graph.nodes()).map(|n| graph.degree(n) as f64).collect();
    super::geometry::coefficient_of_variation(&degrees)
}

/// Pearson correlation of the degrees at both ends of an edge, each edge taken both ways
/// (Newman 2002, "Assortative mixing in networks").
pub(super) fn degree_correlation(graph: &Reduced) -> Option<f64> {
    let (mut ends, mut sum, mut squares, mut products) = (0i128, 0i128, 0i128, 0i128);
    for node in 0..graph.nodes() {
        let own = graph.degree(node) as i128;
        for &next in graph.neighbours(node) {
            ends += 1;
            sum += own;
            squares += own * own;
            products += own * graph.degree(next as usize) as i128;
        }
    }
    // Whole numbers tell a variance of zero from rounding.
    let variance = ends * squares - sum * sum;
    (variance != 0).then(|| (ends * products - sum * sum) as f64 / variance as f64)
}

/// Edges less nodes plus components.
pub(super) fn loops(graph: &Reduced) -> usize {
    graph.edges() + components(graph) - graph.nodes()
}

fn components(graph: &Reduced) -> usize {
    let mut seen = vec![false; graph.nodes()];
    let mut count = 0;
    for start in 0..graph.nodes() {
        if seen[start] {
            continue;
        }
        count += 1;
        let mut open = vec![start];
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut seen[node], true) {
                open.extend(graph.neighbours(node).iter().map(|&n| n as usize));
            }
        }
    }
    count
}

/// Mean difference to the largest betweenness, over the other nodes (Freeman 1977, "A set of
/// measures of centrality based on betweenness").
pub(super) fn central_point_dominance(betweenness: &[f64]) -> Option<f64> {
    // Between two nodes there is no third.
    if betweenness.len() < 3 {
        return None;
    }
    let most = betweenness.iter().copied().fold(0.0, f64::max);
    let sum: f64 = betweenness.iter().map(|b| most - b).sum();
    Some(sum / (betweenness.len() - 1) as f64)
}
