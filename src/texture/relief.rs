//! The field's relief, as the normal map shows it.

use super::ReliefGradient;
use crate::field::CaveField;
use crate::noise::F8;

impl ReliefGradient for CaveField {
    #[inline(always)]
    fn gradient(&self, p: [F8; 3], base_n: [F8; 3]) -> [F8; 3] {
        self.relief_slope(p, base_n)
    }
}
