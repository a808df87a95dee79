//! Indices that turn out to belong together.

/// Disjoint sets of indices (union–find; Tarjan 1975, with path halving). The lowest index of a
/// set stands for it, whatever the order of joining.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sets(Vec<usize>);

impl Sets {
    /// `count` indices, each a set of its own.
    pub(crate) fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    /// One index more.
    pub(crate) fn push(&mut self) {
        self.0.push(self.0.len());
    }

    /// The index that stands for the set of another.
    pub(crate) fn find(&mut self, mut index: usize) -> usize {
        while self.0[index] != index {
            self.0[index] = self.0[self.0[index]];
            index = self.0[index];
        }
        index
    }

    /// Makes two sets one; false when they were already.
    pub(crate) fn join(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b)] = a.min(b);
        a != b
    }
}
