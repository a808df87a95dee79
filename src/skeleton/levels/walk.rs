//! Self-avoiding walks of given length on a square lattice.

/// Steps along the axes, counter-clockwise.
const STEPS: [[i32; 2]; 4] = [[1, 0], [0, 1], [-1, 0], [0, -1]];

/// Which walk is looked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Search {
    /// Column of the goal, in row 0; the start is `[0, 0]`.
    pub(super) goal: i32,
    /// Number of steps; as even as `goal` is.
    pub(super) steps: usize,
    /// Direction that is tried first, as a quarter turn.
    pub(super) first: usize,
    /// Whether a left turn is tried before a right turn.
    pub(super) left_first: bool,
    /// Steps that are tried before the search is given up.
    pub(super) budget: usize,
}

impl Search {
    /// The cells of a walk each of whose steps fits, by depth-first search that goes straight on
    /// as long as it can and then turns to the side of the goal. `fits` is told the cells before the step and the cell that it leads to.
    pub(super) fn run(
        &self,
        mut fits: impl FnMut(&[[i32; 2]], [i32; 2]) -> bool,
    ) -> Option<Vec<[i32; 2]>> {
        let mut cells = vec![[0, 0]];
        let mut headings: Vec<usize> = Vec::new();
        let mut tried = vec![0];
        let mut budget = self.budget;
        while let Some(choice) = tried.last_mut() {
            if cells.len() == self.steps + 1 {
                return Some(cells);
            }
            let from = cells[cells.len() - 1];
            let heading = self.heading(from, headings.last().copied(), *choice);
            *choice += 1;
            let Some(heading) = heading else {
                tried.pop();
                cells.pop();
                headings.pop();
                continue;
            };
            let next = stepped(from, heading);
            let left = self.steps - cells.len();
            let far = self.distance(next);
            // The goal may be entered by the last step only.
            if far as usize > left || (far == 0 && left > 0) {
                continue;
            }
            budget = budget.checked_sub(1)?;
            if fits(&cells, next) {
                cells.push(next);
                headings.push(heading);
                tried.push(0);
            }
        }
        None
    }

    /// The direction of a choice: straight on, then the turns; never back. All four at the start.
    fn heading(&self, from: [i32; 2], last: Option<usize>, choice: usize) -> Option<usize> {
        let ahead = last.unwrap_or(self.first);
        let [mut one, mut other] = if self.left_first { [1, 3] } else { [3, 1] };
        let far = |turn| self.distance(stepped(from, (ahead + turn) % 4));
        if far(other) < far(one) {
            std::mem::swap(&mut one, &mut other);
        }
        let turn = match (last, choice) {
            (_, 0) => 0,
            (_, 1) => one,
            (_, 2) => other,
            (None, 3) => 2,
            _ => return None,
        };
        Some((ahead + turn) % 4)
    }

    /// Steps from a cell to the goal, at least.
    fn distance(&self, cell: [i32; 2]) -> u32 {
        (self.goal - cell[0]).unsigned_abs() + cell[1].unsigned_abs()
    }
}

fn stepped(from: [i32; 2], heading: usize) -> [i32; 2] {
    let step = STEPS[heading];
    [from[0] + step[0], from[1] + step[1]]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(goal: i32, steps: usize) -> Search {
        Search {
            goal,
            steps,
            first: 0,
            left_first: true,
            budget: 10_000,
        }
    }

    #[test]
    fn the_shortest_walk_is_straight() {
        let walk = search(3, 3).run(|_, _| true);
        assert_eq!(walk, Some(vec![[0, 0], [1, 0], [2, 0], [3, 0]]));
    }

    #[test]
    fn longer_walks_have_their_length_and_keep_out() {
        let free = |cells: &[[i32; 2]], next: [i32; 2]| !cells.contains(&next) && next[1] >= 0;
        for (goal, steps) in [(2, 12), (1, 21), (3, 41)] {
            let walk = search(goal, steps).run(free).unwrap();
            assert_eq!(walk.len(), steps + 1);
            assert_eq!(walk[steps], [goal, 0]);
            assert!(walk.iter().all(|cell| cell[1] >= 0));
        }
    }

    #[test]
    fn no_room_is_no_walk() {
        assert_eq!(
            search(2, 4).run(|_, next| next[1] == 0 && next[0] < 2),
            None
        );
        assert_eq!(
            Search {
                budget: 1,
                ..search(9, 9)
            }
            .run(|_, _| true),
            None
        );
    }
}
