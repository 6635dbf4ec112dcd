//! A segment of tantivy, written from notes that were turned round by [`crate::postings`].
//!
//! tantivy's own way keeps a list for each word while notes come in; here it only gets the finished lists. Files, formats,
//! merging and reading are tantivy's.

use notesieve::text::normalize::Normalized;
use tantivy::directory::TerminatingWrite;
use tantivy::fastfield::FastFieldsWriter;
use tantivy::fieldnorm::{FieldNormReader, FieldNormReaders, FieldNormsSerializer};
use tantivy::index::{SegmentComponent, SegmentMeta};
use tantivy::postings::InvertedIndexSerializer;
use tantivy::schema::{Field, Schema};
use tantivy::store::StoreWriter;
use tantivy::tokenizer::MAX_TOKEN_LEN;
use tantivy::{DocId, Index, Segment, TantivyError};

use crate::note::Note;
use crate::postings::Postings;
use crate::schema::{NOTE, PATIENT, TYPE, WORDS};

/// A segment to which notes can be added.
pub(crate) struct SegmentBuilder {
    segment: Segment,
    schema: Schema,
    postings: Postings,
    folded: Normalized,
    /// How many words and slots each note has, as tantivy rounds it.
    lengths: Vec<u8>,
    tokens: u64,
    store: StoreWriter,
    columns: FastFieldsWriter,
    /// Pseudonyms of notes, those of patients, types.
    names: [(Field, Vec<(String, DocId)>); 3],
}

impl SegmentBuilder {
    pub(crate) fn new(index: &Index) -> Result<Self, TantivyError> {
        let (segment, schema, settings) = (index.new_segment(), index.schema(), index.settings());
        let store = StoreWriter::new(
            segment.open_write(SegmentComponent::Store)?,
            settings.docstore_compression,
            settings.docstore_blocksize,
            settings.docstore_compress_dedicated_thread,
        )?;
        let columns =
            FastFieldsWriter::from_schema_and_tokenizer_manager(&schema, index.fast_field_tokenizer().clone())?;
        Ok(Self {
            segment,
            schema,
            postings: Postings::default(),
            folded: Normalized::default(),
            lengths: Vec::new(),
            tokens: 0,
            store,
            columns,
            names: [NOTE, PATIENT, TYPE].map(|field| (field, Vec::new())),
        })
    }

    pub(crate) fn add(&mut self, mut note: Note) -> Result<(), TantivyError> {
        note.complete();
        let place = self.postings.notes();
        let tokens = self.postings.add(&note.slots, &note.document.text, &mut self.folded);
        self.tokens += u64::from(tokens);
        self.lengths.push(FieldNormReader::fieldnorm_to_id(tokens));
        self.store.store(&note, &self.schema)?;
        self.columns.add_document(&note)?;
        for ((_, names), name) in self.names.iter_mut().zip([Some(note.name), Some(note.patient), note.kind]) {
            names.extend(name.filter(|name| name.len() <= MAX_TOKEN_LEN).map(|name| (name, place)));
        }
        Ok(())
    }

    /// Bytes of memory that writing it will take.
    pub(crate) fn memory(&self) -> usize {
        self.postings.memory()
    }

    /// Writes all files, and tells what an index must know of them.
    pub(crate) fn finish(self) -> Result<SegmentMeta, TantivyError> {
        let Self { segment, postings, lengths, tokens, store, mut columns, names, .. } = self;
        let notes = postings.notes();
        std::thread::scope(|scope| {
            // The texts are most of what the disk has to take; meanwhile the lists are made.
            let store = scope.spawn(|| store.close());
            write_lists(&segment, &postings, &lengths, tokens, names)?;
            let mut file = segment.open_write(SegmentComponent::FastFields)?;
            columns.serialize(&mut file, None)?;
            file.terminate()?;
            store.join().map_err(|_| TantivyError::ErrorInThread(String::new()))??;
            Ok::<_, TantivyError>(())
        })?;
        Ok(segment.with_max_doc(notes).meta().clone())
    }
}

/// Writes which notes have which words and names.
fn write_lists(
    segment: &Segment,
    postings: &Postings,
    lengths: &[u8],
    tokens: u64,
    names: [(Field, Vec<(String, DocId)>); 3],
) -> Result<(), TantivyError> {
    let mut file = FieldNormsSerializer::from_write(segment.open_write(SegmentComponent::FieldNorms)?)?;
    file.serialize_field(WORDS, lengths)?;
    file.close()?;
    let lengths = FieldNormReaders::open(segment.open_read(SegmentComponent::FieldNorms)?)?;
    let mut lists = InvertedIndexSerializer::open(segment)?;
    if tokens > 0 {
        let mut words = lists.new_field(WORDS, tokens, lengths.get_field(WORDS)?)?;
        postings.each_term(|term, notes, mut steps| {
            words.new_term(term, notes.len() as u32, true)?;
            for posting in notes {
                let (own, rest) = steps.split_at(posting.times as usize);
                words.write_doc(posting.note, posting.times, own);
                steps = rest;
            }
            words.close_term()
        })?;
        words.close()?;
    }
    for (field, mut names) in names.into_iter().filter(|(_, names)| !names.is_empty()) {
        names.sort_unstable();
        let mut list = lists.new_field(field, names.len() as u64, None)?;
        for same in names.chunk_by(|(one, _), (other, _)| one == other) {
            list.new_term_without_freq(same[0].0.as_bytes())?;
            for &(_, note) in same {
                list.write_doc(note, 0, &[]);
            }
            list.close_term()?;
        }
        list.close()?;
    }
    lists.close()?;
    Ok(())
}
