//! Nodes of an FBX file, by closures.

use crate::export::format::Fault;
use fbxcel::low::v7400::ArrayAttributeEncoding;
use fbxcel::writer::v7400::binary::{AttributesWriter, Error, Writer};
use std::fs::File;
use std::io::BufWriter;

type Out<'a> = &'a mut BufWriter<File>;

/// A file while it is written.
pub(super) struct Tree<'a>(pub Writer<Out<'a>>);

/// What a node may hold before its children.
pub(super) enum Value<'a> {
    Bool(bool),
    I32(i32),
    I64(i64),
    F64(f64),
    Text(&'a str),
    Bytes(&'a [u8]),
    I32s(&'a mut dyn Iterator<Item = i32>),
    F64s(&'a mut dyn Iterator<Item = f64>),
}

macro_rules! from {
    ($($kind:ident $of:ty),*) => {$(
        impl<'a> From<$of> for Value<'a> {
            fn from(value: $of) -> Self {
                Value::$kind(value)
            }
        }
    )*};
}

from!(Bool bool, I32 i32, I64 i64, F64 f64, Text &'a str, Bytes &'a [u8]);

impl<'w> Tree<'w> {
    /// A node with values and children.
    pub fn node<'v, const N: usize>(
        &mut self,
        name: &str,
        values: [Value<'v>; N],
        children: impl FnOnce(&mut Self) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let mut node = self.0.new_node(name).map_err(fault)?;
        for value in values {
            put(&mut node, value).map_err(fault)?;
        }
        children(self)?;
        self.0.close_node().map_err(fault)
    }

    /// A node with values alone.
    pub fn leaf<const N: usize>(&mut self, name: &str, values: [Value; N]) -> Result<(), Fault> {
        self.node(name, values, |_| Ok(()))
    }

    /// A property of the template of 7.0: name, type, subtype, flags, values.
    pub fn property<const N: usize>(
        &mut self,
        name: &str,
        kind: &str,
        subkind: &str,
        flags: &str,
        values: [Value; N],
    ) -> Result<(), Fault> {
        let mut node = self.0.new_node("P").map_err(fault)?;
        for text in [name, kind, subkind, flags] {
            put(&mut node, text.into()).map_err(fault)?;
        }
        for value in values {
            put(&mut node, value).map_err(fault)?;
        }
        self.0.close_node().map_err(fault)
    }

    /// A property that is a whole number.
    pub fn integer(&mut self, name: &str, value: i32) -> Result<(), Fault> {
        self.property(name, "int", "Integer", "", [value.into()])
    }
}

fn put(node: &mut AttributesWriter<'_, Out<'_>>, value: Value) -> Result<(), Error> {
    let packed = Some(ArrayAttributeEncoding::Zlib);
    match value {
        Value::Bool(value) => node.append_bool(value),
        Value::I32(value) => node.append_i32(value),
        Value::I64(value) => node.append_i64(value),
        Value::F64(value) => node.append_f64(value),
        Value::Text(value) => node.append_string_direct(value),
        Value::Bytes(value) => node.append_binary_direct(value),
        Value::I32s(values) => node.append_arr_i32_from_iter(packed, values),
        Value::F64s(values) => node.append_arr_f64_from_iter(packed, values),
    }
}

pub(super) fn fault(error: Error) -> Fault {
    match error {
        Error::Io(error) => Fault::Io(error),
        Error::FileTooLarge(bytes) => Fault::TooLarge(format!(
            "needs {bytes} bytes; an FBX 7.4 file holds less than 4 GiB"
        )),
        other => Fault::Encode(other.to_string()),
    }
}
