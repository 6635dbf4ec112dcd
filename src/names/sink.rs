//! The templates of features, and the sinks that receive features.

use crate::linear::features::{hash_feature, templates};

templates! {
    /// A feature template.
    pub enum Template, fn description -> &'static str {
        Word = "the word itself";
        WordForm = "the word itself, with its word shape";
        Prefix = "its first letters";
        Suffix = "its last letters";
        Bias = "any token (the bias)";
        Form = "its word shape, and that of its line";
        Prior = "its lists of names and words";
        PriorForm = "its lists of names and words, with its word shape";
        NameRatio = "how much more often it is a name than a word";
        NameRatioForm = "how much more often it is a name than a word, with its word shape";
        Surname = "how common it is as a surname";
        FirstName = "how common it is as a first name";
        Frequency = "how common it is as a word";
        Length = "its length";
        Gap = "the white space before it";
        Place = "its place in the line";
        Label = "the label of its field";
        LabelForm = "the label of its field, with its word shape";
        LabelPlace = "its place after the label";
        Section = "the heading of the section";
        SectionForm = "the heading of the section, with its word shape";
        Column = "the head of its column";
        List = "a list on which it stands";
        ListForm = "a list on which it stands, with its word shape";
        Evidence = "what lists, terms and rules say of it";
        EvidenceForm = "what lists, terms and rules say of it, with its word shape";
        Opening = "the first word of the line";
        LineLength = "how long the line is";
        Sentence = "whether a sentence begins with it";
        Elsewhere = "how the note writes the word elsewhere";
        ElsewhereForm = "how the note writes the word elsewhere, compared with here";
        Repeated = "how often the note has the word";
        NearWord = "a word near it";
        NearWordForm = "a word near it, with its own word shape";
        NearForm = "the word shape of a word near it";
        NearPrior = "the lists of names and words of a word near it";
        NearList = "a list on which a word near it stands";
        NearListForm = "a list on which a word near it stands, with its own word shape";
        NearEvidence = "what rules say of a token beside it";
        NearLabel = "a word near it, after this label";
        PairAround = "the words on both sides";
        PairBefore = "the two words before it";
        PairAfter = "the two words after it";
        TripleBefore = "the three words before it";
        TripleAfter = "the three words after it";
        KindsAround = "the kinds of words on both sides";
        KindsBefore = "the kinds of the two words before it";
        KindsAfter = "the kinds of the two words after it";
        KindsWide = "the kinds of two words on both sides";
        KindsFar = "the kinds of three words on one side";
        WordBefore = "the last word before it, over marks";
        WordAfter = "the next word after it, over marks";
        WordsAround = "the last and the next word, over marks";
        Around = "a word further before it";
        Onward = "a word further on after it";
        Cluster = "how English uses the word, cased as here";
        ClusterForm = "how English uses the word, with its word shape";
        OtherCluster = "how English uses the word, cased otherwise";
        Usage = "how often English writes the word with capitals";
        NearCluster = "how English uses a word near it";
        NearClusterForm = "how English uses a word near it, with its own word shape";
        ClustersAround = "how English uses the words on both sides";
        ClustersBefore = "how English uses the two words before it";
        ClustersAfter = "how English uses the two words after it";
        ClusterPair = "how English uses the word and the one beside it";
        Run = "its row of words with capital letters";
        RunBefore = "the word before its row of words with capital letters";
        RunAfter = "the word after its row of words with capital letters";
        RunFirst = "the first word of its row of words with capital letters";
        RunLast = "the last word of its row of words with capital letters";
        RunList = "a list on which a word of its row of words with capital letters stands";
        Phrase = "whether it stands in the name of a place of several words";
        Value = "the size of the number";
        ValueNear = "the size of the number, and the word beside it";
    }
}

/// Receives features.
pub(super) trait FeatureSink {
    /// Adds a feature: its template and its hash.
    fn add(&mut self, template: Template, hash: u64);

    /// Returns the number of features.
    fn feature_count(&self) -> usize;
}

impl FeatureSink for Vec<u64> {
    #[inline]
    fn add(&mut self, _: Template, hash: u64) {
        self.push(hash);
    }

    #[inline]
    fn feature_count(&self) -> usize {
        self.len()
    }
}

/// The maximum number of conjunctions of a token: some seventy, and one or two for each list of five words.
const MAX_CONJUNCTIONS: usize = 512;

/// The features of one token; a buffer that is reused from token to token.
#[derive(Clone, Debug)]
pub(super) struct FeatureBuffer {
    all: [u64; MAX_CONJUNCTIONS],
    len: usize,
}

impl Default for FeatureBuffer {
    fn default() -> Self {
        Self { all: [0; MAX_CONJUNCTIONS], len: 0 }
    }
}

impl FeatureBuffer {
    /// Removes all features.
    pub(super) const fn clear(&mut self) {
        self.len = 0;
    }

    /// Returns the features.
    pub(super) fn as_slice(&self) -> &[u64] {
        &self.all[..self.len.min(MAX_CONJUNCTIONS)]
    }
}

impl FeatureSink for FeatureBuffer {
    #[inline]
    fn add(&mut self, _: Template, hash: u64) {
        debug_assert!(self.len < MAX_CONJUNCTIONS, "a token has too many features");
        self.all[self.len % MAX_CONJUNCTIONS] = hash;
        self.len += 1;
    }

    #[inline]
    fn feature_count(&self) -> usize {
        self.len
    }
}

/// Adds one feature.
#[inline]
pub(super) fn put_feature(sink: &mut impl FeatureSink, template: Template, one: u64, two: u64) {
    sink.add(template, hash_feature(template as u8, one, two));
}
