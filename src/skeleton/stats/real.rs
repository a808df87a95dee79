//! What surveyed caves have.
//!
//! Percentiles over the 31 three-dimensional surveys in the table of Collon et al. 2017 (update
//! of 2021, HAL hal-01468055v2, at full precision as it is published with pyKasso; of its 34 rows
//! three are projections to 2D and left out), by linear interpolation between ranks. The 10 % and
//! 90 % points are rounded as this project states them everywhere; the median and the quartiles
//! have four digits.

/// Distribution of a measure over surveyed caves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Name of the measure.
    pub name: &'static str,
    /// Unit, or nothing.
    pub unit: &'static str,
    /// 10 % point.
    pub low: f64,
    /// 25 % point.
    pub lower_quartile: f64,
    /// 50 % point.
    pub median: f64,
    /// 75 % point.
    pub upper_quartile: f64,
    /// 90 % point.
    pub high: f64,
}

impl Range {
    /// From the 25 % to the 75 % point.
    pub fn interquartile(&self) -> f64 {
        self.upper_quartile - self.lower_quartile
    }
}

macro_rules! table {
    ($( $KEY:ident $name:literal $unit:literal
        $low:literal $lower:literal $median:literal $upper:literal $high:literal )+) => {
        $( pub(super) const $KEY: Range = Range {
            name: $name,
            unit: $unit,
            low: $low,
            lower_quartile: $lower,
            median: $median,
            upper_quartile: $upper,
            high: $high,
        }; )+
    };
}

table! {
    // key                  name                       unit  10 %    25 %    50 %    75 %    90 %
    MEAN_DEGREE             "mean degree"              ""    2.00    2.029   2.140   2.243   2.34
    CV_DEGREE               "CV of degree"             ""    0.46    0.4777  0.5102  0.5453  0.59
    DEGREE_CORRELATION      "degree correlation"       ""   -0.46   -0.3822 -0.2855 -0.2424 -0.22
    LOOPS                   "loops"                    ""    1.0     4.5     18.0    35.0    69.0
    BRANCH_MEAN_M           "mean branch length"       "m"   21.0    31.90   55.61   70.23   171.0
    BRANCH_CV               "CV of branch length"      ""    0.94    1.117   1.322   1.584   1.85
    TORTUOSITY              "tortuosity"               ""    1.18    1.212   1.268   1.368   1.42
    SHORTEST_PATH           "mean shortest path"       ""    3.96    7.390   12.62   21.54   29.2
    CENTRAL_POINT_DOMINANCE "central point dominance"  ""    0.20    0.3065  0.4360  0.4927  0.54
    LENGTH_ENTROPY          "length entropy"           ""    0.205   0.3172  0.4149  0.5469  0.598
    ORIENTATION_ENTROPY     "orientation entropy"      ""    0.91    0.9401  0.9809  0.9894  0.996
}
