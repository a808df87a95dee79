//! Surveys that come with plume.

/// Name, node table and link table.
type Embedded = (&'static str, [&'static str; 2]);

/// Each with its licence beside it in `config/surveys`.
const EMBEDDED: &[Embedded] = &[(
    "sakany",
    [
        include_str!("../../../config/surveys/sakany/sakany_nodes.dat"),
        include_str!("../../../config/surveys/sakany/sakany_links.dat"),
    ],
)];

/// The node table and the link table of an embedded survey.
pub(in crate::skeleton) fn embedded(name: &str) -> Option<[&'static str; 2]> {
    EMBEDDED
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, tables)| *tables)
}

/// All names in a row.
pub(in crate::skeleton) fn names() -> String {
    let names: Vec<&str> = EMBEDDED.iter().map(|(name, _)| *name).collect();
    names.join(", ")
}
