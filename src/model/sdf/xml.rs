//! A thin hand around quick-xml's writer: elements by closures, text and attributes escaped.

use super::super::Error;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};
use std::fmt::Display;
use std::io;

/// Writes elements, indented by two blanks.
pub(crate) struct Xml<W = Vec<u8>> {
    writer: Writer<W>,
}

impl Xml {
    /// A whole document; `content` writes the root element.
    pub fn document(
        what: &'static str,
        content: impl FnOnce(&mut Xml) -> io::Result<()>,
    ) -> Result<String, Error> {
        let fail = |why: String| Error::Encode { what, why };
        let mut xml = Xml::begin(Vec::new()).map_err(|e| fail(e.to_string()))?;
        content(&mut xml).map_err(|e| fail(e.to_string()))?;
        let mut bytes = xml.writer.into_inner();
        bytes.push(b'\n');
        String::from_utf8(bytes).map_err(|e| fail(e.to_string()))
    }
}

impl<W: io::Write> Xml<W> {
    /// A document into `to`, its declaration written.
    pub fn begin(to: W) -> io::Result<Self> {
        let mut writer = Writer::new_with_indent(to, b' ', 2);
        writer.write_event(Event::Decl(BytesDecl::new("1.0", None, None)))?;
        Ok(Self { writer })
    }

    /// Begins an element whose content does not fit a closure; [`close`](Self::close) ends it.
    pub fn open(&mut self, tag: &str, attributes: &[(&str, &str)]) -> io::Result<()> {
        let start = BytesStart::new(tag).with_attributes(attributes.iter().copied());
        self.writer.write_event(Event::Start(start))
    }

    /// Ends the element begun last.
    pub fn close(&mut self, tag: &str) -> io::Result<()> {
        self.writer.write_event(Event::End(BytesEnd::new(tag)))
    }

    /// An element with attributes and children.
    pub fn node(
        &mut self,
        tag: &str,
        attributes: &[(&str, &str)],
        content: impl FnOnce(&mut Self) -> io::Result<()>,
    ) -> io::Result<()> {
        self.open(tag, attributes)?;
        content(self)?;
        self.close(tag)
    }

    /// An element with text.
    pub fn text(&mut self, tag: &str, text: impl Display) -> io::Result<()> {
        self.text_with(tag, &[], text)
    }

    /// An element with attributes and text.
    pub fn text_with(
        &mut self,
        tag: &str,
        attributes: &[(&str, &str)],
        text: impl Display,
    ) -> io::Result<()> {
        let text = text.to_string();
        self.node(tag, attributes, |x| {
            x.writer.write_event(Event::Text(BytesText::new(&text)))
        })
    }

    /// An element with attributes only.
    pub fn empty(&mut self, tag: &str, attributes: &[(&str, &str)]) -> io::Result<()> {
        let start = BytesStart::new(tag).with_attributes(attributes.iter().copied());
        self.writer.write_event(Event::Empty(start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_attributes_are_escaped() {
        let text = Xml::document("test", |x| {
            x.node("a", &[("k", "<\"&'>")], |x| x.text("b", "1 < 2 & 3"))
        });
        let text = text.unwrap();
        assert!(text.contains("1 &lt; 2 &amp; 3"), "{text}");
        assert!(!text.contains("<\""), "{text}");
    }
}
