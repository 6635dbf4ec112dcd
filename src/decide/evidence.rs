//! What is said of 64 tokens, by columns: how certain the evidence of each sort is, a bit a token, and what stands behind it.
//!
//! Of a token nothing, one thing or several may be said, for it and against it, of it alone or of those beside it too: token
//! by token that is a chain of branches that are often mispredicted. By columns it is the same few operations each time.

use crate::finding::Certainty;
use crate::rules::GROUP;

/// The sorts of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Sort {
    /// A finding vouches for the token.
    Voucher,
    /// A finding speaks against it.
    Against,
    /// It stands in a term.
    Term,
}

/// How many sorts there are, and how many are findings.
const SORTS: usize = 3;
const FOUND: usize = 2;

/// The place of [`Certainty::Weak`] among the levels of a sort.
const WEAK: usize = 2;

/// How many levels there are.
const LEVELS: usize = WEAK + Certainty::Sure as usize;

/// How many tokens are written at once.
const LANES: usize = 4;

/// Of so many tokens, those of each number's bits.
const CHOSEN: [[u32; LANES]; 1 << LANES] = {
    let mut chosen = [[0; LANES]; 1 << LANES];
    let mut at = 0;
    while at < LANES << LANES {
        if (at / LANES) >> (at % LANES) & 1 != 0 {
            chosen[at / LANES][at % LANES] = u32::MAX;
        }
        at += 1;
    }
    chosen
};

/// What is said of 64 tokens; bit `k` of each number is the `k`-th token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Evidence {
    /// By sort and certainty: of which tokens some evidence is at least so certain. Two more stand before the first, so that
    /// three are written whatever the certainty is.
    levels: [[u64; LEVELS]; SORTS],
    /// By sort and token: the first of the most certain findings. Never emptied: where nothing is said, it means nothing.
    behind: [[u32; GROUP + LANES - 1]; FOUND],
}

impl Evidence {
    /// Nothing.
    pub(super) const NOTHING: Self = Self { levels: [[0; LEVELS]; SORTS], behind: [[0; GROUP + LANES - 1]; FOUND] };

    /// Takes back all that is said.
    pub(super) fn clear(&mut self) {
        self.levels = Self::NOTHING.levels;
    }

    /// Takes back what evidence of this sort says of some tokens.
    pub(super) fn take_back(&mut self, tokens: u64, sort: Sort) {
        for level in &mut self.levels[sort as usize] {
            *level &= !tokens;
        }
    }

    /// Says of which tokens of a term it counts as weak and as likely. No token stands in two terms.
    #[inline]
    pub(super) const fn put_term(&mut self, weak: u64, likely: u64) {
        let term = &mut self.levels[Sort::Term as usize];
        term[WEAK] |= weak;
        term[WEAK + 1] |= likely;
    }

    /// Says that the terms of some tokens count after all.
    #[inline]
    pub(super) const fn trust_terms(&mut self, tokens: u64) {
        self.levels[Sort::Term as usize][WEAK] |= tokens;
    }

    /// Which tokens stand in terms of several words.
    #[inline]
    pub(super) const fn in_long_terms(&self) -> u64 {
        self.levels[Sort::Term as usize][WEAK + 1]
    }

    /// Says something of some tokens that a finding says.
    #[inline]
    pub(super) fn put(&mut self, tokens: u64, sort: Sort, certainty: Certainty, index: u32) {
        let levels = &mut self.levels[sort as usize];
        let level = certainty as usize - Certainty::Weak as usize + WEAK;
        let more = tokens & !levels[level];
        for evidence in &mut levels[level - WEAK..=level] {
            *evidence |= tokens;
        }
        let mut place = tokens.trailing_zeros() as usize % GROUP;
        let mut left = more >> place;
        loop {
            let lanes = &mut self.behind[sort as usize][place..place + LANES];
            for (lane, chosen) in lanes.iter_mut().zip(&CHOSEN[left as usize % CHOSEN.len()]) {
                *lane = *lane & !chosen | index & chosen;
            }
            left >>= LANES;
            if left == 0 {
                break;
            }
            place += LANES;
        }
    }

    /// Of which tokens there is evidence of this sort.
    #[inline]
    pub(super) const fn has(&self, sort: Sort) -> u64 {
        self.levels[sort as usize][WEAK]
    }

    /// For which tokens something speaks.
    #[inline]
    pub(super) const fn spoken_for(&self) -> u64 {
        self.has(Sort::Term) | self.has(Sort::Voucher)
    }

    /// Of which tokens something is said.
    #[inline]
    pub(super) const fn any(&self) -> u64 {
        self.spoken_for() | self.has(Sort::Against)
    }

    /// Which tokens go: what speaks against them is at least as certain as what speaks for them.
    #[inline]
    pub(super) const fn goes(&self) -> u64 {
        let [[.., v_likely, v_sure], [.., weak, likely, sure], [.., t_likely, t_sure]] = self.levels;
        sure | likely & !(v_sure | t_sure) | weak & !(v_likely | t_likely)
    }

    /// The finding of this sort that counts for a token.
    #[inline]
    pub(super) const fn behind(&self, sort: Sort, place: usize) -> u32 {
        self.behind[sort as usize][place]
    }

    /// What counts for each token of which something is said, and the finding behind it; which term a token stands in is known
    /// elsewhere. A term stays a term: that a rule vouches for it too only makes it more certain.
    #[inline]
    pub(super) fn outcomes(&self) -> impl Fn(usize) -> (Sort, u32) {
        let goes = self.goes();
        let term = self.has(Sort::Term) & !goes;
        move |place| {
            let (term, goes) = (term >> place & 1, goes >> place & 1);
            let sort = [Sort::Voucher, Sort::Term, Sort::Against, Sort::Against][(term | goes << 1) as usize];
            (sort, self.behind[goes as usize][place])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::bits;

    #[test]
    fn the_first_of_the_most_certain_counts() {
        let mut evidence = Evidence::NOTHING;
        evidence.put(0b1111_1110, Sort::Voucher, Certainty::Weak, 1);
        evidence.put(0b0011_0010, Sort::Voucher, Certainty::Sure, 2);
        evidence.put(0b0111_0000, Sort::Voucher, Certainty::Sure, 3);
        evidence.put(0b0000_0111, Sort::Voucher, Certainty::Likely, 4);
        evidence.put(1 << 63, Sort::Voucher, Certainty::Likely, 5);
        evidence.put(0b0000_1000, Sort::Against, Certainty::Weak, 6);
        evidence.put_term(0b1000_0000, 0);
        let outcomes: Vec<_> = bits(evidence.any()).map(|place| evidence.outcomes()(place)).collect();
        let voucher = |index| (Sort::Voucher, index);
        let expected = [4, 2, 4].map(voucher).into_iter().chain([(Sort::Against, 6)]).chain([2, 2, 3].map(voucher));
        // Which term it is, is known elsewhere.
        assert_eq!(outcomes, expected.chain([(Sort::Term, 1), voucher(5)]).collect::<Vec<_>>());
        evidence.take_back(0b1110, Sort::Voucher);
        assert_eq!(evidence.any(), 0b1111_1001 | 1 << 63);
    }

    #[test]
    fn what_speaks_against_wins_a_tie() {
        let all = [Certainty::Weak, Certainty::Likely, Certainty::Sure];
        for (against, other) in all.into_iter().flat_map(|one| all.map(|other| (one, other))) {
            let mut vouched = Evidence::NOTHING;
            vouched.put(4, Sort::Against, against, 1);
            vouched.put(4, Sort::Voucher, other, 2);
            let expected = if against >= other { (Sort::Against, 1) } else { (Sort::Voucher, 2) };
            assert_eq!(vouched.outcomes()(2), expected, "{against:?} {other:?}");
            assert_eq!(vouched.goes() != 0, against >= other);
        }
        for (against, several) in all.into_iter().flat_map(|one| [false, true].map(|several| (one, several))) {
            let mut term = Evidence::NOTHING;
            term.put(4, Sort::Against, against, 1);
            term.put_term(4, if several { 4 } else { 0 });
            let goes = against >= if several { Certainty::Likely } else { Certainty::Weak };
            assert_eq!(term.outcomes()(2).0, if goes { Sort::Against } else { Sort::Term }, "{against:?} {several}");
        }
    }
}
