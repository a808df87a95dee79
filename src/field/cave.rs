//! The field.

/// Signed distance to the rock wall: negative in the void, positive in the rock.
pub struct CaveField {}
