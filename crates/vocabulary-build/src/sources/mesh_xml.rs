//! MeSH in NLM's XML.

use std::path::Path;

use super::mesh_record::{Entry, Heading, Mesh};
use super::xml::{Node, Xml};
use notesieve_text::error::Result;

/// Reads `desc20XX.xml` or `supp20XX.xml`.
pub(super) fn read(path: &Path, mesh: &mut Mesh<'_>) -> Result<()> {
    let mut xml = Xml::open(path)?;
    let mut heading = Heading::default();
    let mut entry = Entry::default();
    let mut began = 0;
    let mut preferred_concept = false;
    while let Some(node) = xml.next()? {
        match (node, xml.name()) {
            (Node::Start, "DescriptorRecord" | "SupplementalRecord") => {
                began = xml.line();
                heading = Heading { supplementary: xml.at("SupplementalRecord"), ..Heading::default() };
            }
            (Node::Start, "Concept") => {
                preferred_concept = xml.attribute("PreferredConceptYN").as_deref() == Some("Y");
            }
            (Node::Start, "Term") => {
                let yes = |name| xml.attribute(name).as_deref() == Some("Y");
                let (permuted, preferred) = (yes("IsPermutedTermYN"), yes("RecordPreferredTermYN"));
                entry = Entry { text: String::new(), permuted, preferred };
            }
            (Node::End, "String") if xml.at("Term/String") => xml.text().clone_into(&mut entry.text),
            (Node::End, "String")
                if xml.at("DescriptorRecord/DescriptorName/String")
                    || xml.at("SupplementalRecord/SupplementalRecordName/String") =>
            {
                xml.text().clone_into(&mut heading.name);
            }
            (Node::End, "DescriptorUI") if xml.at("DescriptorRecord/DescriptorUI") => {
                xml.text().clone_into(&mut heading.code);
            }
            (Node::End, "DescriptorUI") if xml.at("HeadingMappedTo/DescriptorReferredTo/DescriptorUI") => {
                // An asterisk marks the main heading.
                heading.mapped_to.push(xml.text().trim_start_matches('*').to_owned());
            }
            (Node::End, "SupplementalRecordUI") => xml.text().clone_into(&mut heading.code),
            (Node::End, "TreeNumber") => heading.trees.push(xml.text().to_owned()),
            // A descriptor's other concepts are narrower or related: their numbers are not the descriptor's.
            (Node::End, "RegistryNumber") if preferred_concept => heading.registry_numbers.push(xml.text().to_owned()),
            (Node::End, "Term") => heading.entries.push(std::mem::take(&mut entry)),
            (Node::End, "DescriptorRecord" | "SupplementalRecord") => {
                mesh.heading(path, began, std::mem::take(&mut heading))?;
            }
            _ => {}
        }
    }
    Ok(())
}
