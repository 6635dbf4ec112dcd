//! What stands beside the numbers of a group of tokens, by columns.
//!
//! Every rule that is asked at numbers needs something there: a mark, a letter glued to it, a capital, a word of its own.
//! Most numbers have little of it. [`At`] says which signs make a find possible. It only spares work: a rule finds the same
//! when it is asked at every number, which the tests check.

use bytemuck::cast;
use wide::i8x16;

use super::columns::{Around, Fact, GROUP, Group, ROW};
use super::signs::{At, Signs};
use super::{Looks, View, clinical, month};
use crate::bits::bits;
use crate::vocabulary::Class;

/// The numbers of a group: which look each has, and which signs are beside it. A buffer that is used again for the next group;
/// where a group has no numbers, only that is written.
#[derive(Debug)]
pub(super) struct Figures {
    numbers: u64,
    looks: [u64; Looks::COUNT],
    signs: [u64; Signs::COUNT],
    /// Those behind a word with one of the facts from [`Fact::Room`] on, and before one.
    words: [[u64; 2]; GROUP - Fact::Room as usize],
}

impl Default for Figures {
    fn default() -> Self {
        Self {
            numbers: 0,
            looks: [0; Looks::COUNT],
            signs: [0; Signs::COUNT],
            words: [[0; 2]; GROUP - Fact::Room as usize],
        }
    }
}

impl Figures {
    /// Reads the numbers among the tokens from `first` on.
    #[inline(never)]
    pub(super) fn read(&mut self, view: &View<'_>, first: usize, around: &Around<'_>) {
        let numbers = around.here().is(Fact::Number);
        self.numbers = numbers;
        self.looks = [0; Looks::COUNT];
        if numbers == 0 {
            return;
        }
        self.set(Signs::ANYWHERE, numbers);
        let items = view.numbers_from(first + numbers.trailing_zeros() as usize);
        let mut own = [0; GROUP];
        for (place, number) in bits(numbers).zip(items) {
            self.looks[number.look()] |= 1 << place;
            own[place] = number.signs();
        }
        self.own(own);
        self.before(around);
        self.after(around);
        self.both(around);
        self.plates(around);
        self.digits(around);
        self.joined(around);
        self.places_beside(around);
    }

    /// Makes columns of the signs that the numbers have by themselves.
    #[inline]
    fn own(&mut self, rows: [u8; GROUP]) {
        let mut quarters: [i8x16; 4] = cast(rows);
        for column in self.signs[Signs::OWN].iter_mut().rev() {
            // The highest bit of each byte, then the next.
            let quarter = |nth: usize| u64::from(quarters[nth].move_mask().cast_unsigned()) << (16 * nth);
            *column = quarter(0) | quarter(1) | quarter(2) | quarter(3);
            quarters = quarters.map(|bytes| bytes + bytes);
        }
    }

    #[inline]
    fn set(&mut self, sign: Signs, numbers: u64) {
        self.signs[sign.column()] = numbers;
    }

    // Each apart from the others: all in one, the machine has not registers enough for what the compiler would keep in them.
    #[inline(never)]
    fn before(&mut self, around: &Around<'_>) {
        let here = around.here();
        let glued = here.is(Fact::Glued);
        let before = |has: fn(&Group) -> u64| around.before(1, has);
        self.set(Signs::GLUED, glued & before(|left| left.is(Fact::Word)));
        self.set(Signs::GLUED_CAPITAL, glued & before(Group::capitals));
        let drug = before(|left| left.is(Fact::Word) & left.any(clinical::list::LEADS));
        // `down to 5.2`, `a total of 8`
        let changed = before(|left| left.is(Fact::ToPlace) | left.is(Fact::OfPlace))
            & around.before(2, |left| left.is(Fact::LeadsCount) & left.is(Fact::Word));
        self.set(Signs::DRUG, !glued & (drug | changed));
        self.set(Signs::COMPARED, before(|left| left.marks(b"<=>") | left.is(Fact::Symbol)));
        self.set(Signs::HYPHEN_BEFORE, before(|left| left.mark(b'-')));
        self.set(Signs::SIGN_BEFORE, before(|left| left.marks(b"@+'")));
        self.set(Signs::SHARP, before(|left| left.mark(b'#')));
        let heap = |left: &Group| left.marks(b"#.:");
        let (one, two) = (around.before(1, heap), around.before(2, heap));
        self.set(Signs::HEAP, one & two);
        for fact in [Fact::Room, Fact::LeadsTime, Fact::LeadsBirth, Fact::LeadsCount] {
            let word = |left: &Group| left.is(fact) & left.is(Fact::Word);
            self.words[nth(fact)][0] = around.before(1, word) | one & around.before(2, word);
        }
    }

    #[inline(never)]
    fn after(&mut self, around: &Around<'_>) {
        let after = |has: fn(&Group) -> u64| around.behind(1, has);
        let second = |has: fn(&Group) -> u64| around.behind(2, has);
        let number_next = second(|right| right.is(Fact::Number));
        self.set(Signs::SCANNED, after(|right| right.is(Fact::DigitLike) & right.is(Fact::Glued)));
        self.set(Signs::POSSESSED, after(|right| right.is(Fact::Possessive)));
        self.set(Signs::SIGN_AFTER, after(|right| right.is(Fact::Joined) & right.marks(b"+-")));
        self.set(Signs::CLOSED, after(|right| right.is(Fact::Joined) & right.marks(b".)")));
        // 3 to 4; 7 and 1/2; a power may stand behind any gap.
        let word = after(|right| {
            let unit = right.is(Fact::One) | right.is(Fact::Amount) | right.any(clinical::FOLLOWS);
            right.is(Fact::Word) & right.is(Fact::Follows) & unit
        });
        // A thing that is counted; a word of one, two or three letters has another behind it.
        let thing = after(|right| right.is(Fact::Word) & !right.on(Class::Stop) & !right.name_like())
            & self.looks(Looks::UP_TO_THREE.or(Looks::GROUPED).or(Looks::DECIMAL))
            & (second(|right| right.is(Fact::Word) | right.mark(b'-')) | after(|right| !right.is(Fact::UpToThree)));
        let sign = after(|right| (right.marks(b"%'#") | right.is(Fact::Symbol)) & right.is(Fact::Follows));
        let goes_on = |right: &Group| {
            right.is(Fact::Word) | right.is(Fact::Number) | right.is(Fact::Symbol) | right.marks(b"%'+#-/")
        };
        let hyphen = after(|right| right.mark(b'-'));
        let joins = hyphen & after(|right| right.is(Fact::Follows));
        // Only a fraction belongs to the number before it; what the next group begins with is not known here.
        let fraction = self.looks(Looks::SLASH) >> 1 | 1 << (GROUP - 1);
        let power = after(|right| right.mark(b'%'))
            | after(|right| right.is(Fact::Number) & !right.is(Fact::NewLine)) & fraction;
        let linked = after(|right| right.is(Fact::Word) & (right.is(Fact::LeadsTime) | right.is(Fact::LeadsCount)))
            & number_next;
        let rate = after(|right| right.mark(b'/') & right.is(Fact::Joined))
            & second(|right| right.is(Fact::Word) & right.is(Fact::UpToThree));
        // Behind a range something goes on.
        let range = number_next & around.behind(3, goes_on);
        let joined = joins & (second(|right| right.is(Fact::Word)) | range) | rate;
        // `38+4 weeks`, `2+ L`
        let plus = after(|right| right.mark(b'+'))
            & around.behind(2, |right| {
                let unit = right.is(Fact::One) | right.is(Fact::Amount) | right.any(clinical::FOLLOWS);
                goes_on(right) & (unit | !right.is(Fact::Word))
            });
        // No amount: three numbers that hyphens join, times of day, eight figures and more.
        let dash = |group: &Group| group.mark(b'-') & group.is(Fact::Joined);
        let figure = |group: &Group| group.is(Fact::Number) & group.is(Fact::Joined);
        let here = around.here();
        let left = figure(here) & around.before(1, dash) & around.before(2, |left| left.is(Fact::Number));
        let first = around.before(2, figure) & around.before(3, dash) & around.before(4, |left| left.is(Fact::Number));
        let right = after(dash) & second(figure);
        let last = around.behind(3, dash) & around.behind(4, figure);
        let never = left & (first | right) | right & last | self.looks(Looks::LONG.or(Looks::COLON).or(Looks::OTHER));
        // `x10`, but no other number that is glued to a letter.
        let apart = !here.is(Fact::Glued) | around.before(1, |left| left.is(Fact::One) & left.is(Fact::LeadsCount));
        let tail = after(|right| right.is(Fact::Word) & right.is(Fact::Glued));
        let follows = word | thing | sign | power | linked | joined | plus;
        self.set(Signs::MEASURED, apart & (tail | follows & !never));
        let quoted = second(|right| right.mark(b'\''));
        self.set(Signs::CLOCK, after(|right| right.is(Fact::Word) & right.is(Fact::One)) & quoted);
        for fact in [Fact::Direction, Fact::Span, Fact::Sex, Fact::Ordinal, Fact::Amount] {
            let word = |right: &Group| right.is(fact) & right.is(Fact::Word);
            self.words[nth(fact)][1] = around.behind(1, word) | hyphen & around.behind(2, word);
        }
    }

    /// Those of these looks.
    #[inline]
    const fn looks(&self, looks: Looks) -> u64 {
        any(&self.looks, looks.bits())
    }

    #[inline(never)]
    fn both(&mut self, around: &Around<'_>) {
        // `age: 45`, `died at 67`, `her father is 84, with gout`, `43/F`
        let said = around.up_to_before(clinical::age::REACH, |left| left.is(Fact::LeadsAge));
        let at = around.before(1, |left| left.is(Fact::ToPlace) & left.is(Fact::UpToTwo) | left.mark(b'@'))
            & around.before(2, |left| left.is(Fact::LeadsCount));
        // `is`, `was`; `he`, `she`; `and`, `with`, `who`
        let short = |group: &Group| group.is(Fact::Word) & group.is(Fact::UpToThree) & !group.is(Fact::One);
        let clause = around.before(1, short)
            & around.before(2, |left| left.on(Class::Relative) | short(left))
            & around.behind(1, |right| {
                let word = right.is(Fact::ByPeople) | right.is(Fact::UpToThree) & !right.is(Fact::UpToTwo);
                right.marks(b".,;)") | right.is(Fact::Word) & word
            });
        let slash = around.behind(1, |right| right.mark(b'/')) & around.behind(2, |right| right.is(Fact::Sex));
        let glued = around.here().is(Fact::Glued);
        self.set(Signs::AGE, !glued & (said | at | clause | slash));
        let letter = |right: &Group| right.is(Fact::Glued) & right.is(Fact::One) & right.is(Fact::Word);
        let weeks = around.behind(1, letter) & around.behind(3, letter);
        self.set(Signs::BORN, glued & around.before(1, letter) | weeks);
        self.set(Signs::UNKNOWN, month::near(around));
    }

    /// Capitals on either side, as they stand on plates.
    #[inline(never)]
    fn plates(&mut self, around: &Around<'_>) {
        let here = around.here();
        let (glued, short) = (here.is(Fact::Glued), here.is(Fact::UpToTwo));
        let tail = around.behind(1, |right| right.is(Fact::Glued));
        let small = glued & around.before(1, |left| left.is(Fact::Word) & !left.capitals())
            | around.behind(1, |right| right.is(Fact::Glued) & !right.capitals());
        // What joins the parts of a row: a hyphen or a point in the middle with nothing around it, or a blank.
        let hyphen = |group: &Group| group.mark(b'-');
        let dot = |group: &Group| group.is(Fact::Symbol);
        let joint = |group: &Group| (group.mark(b'-') | group.is(Fact::Symbol)) & group.is(Fact::Joined);
        let joined = |group: &Group| group.is(Fact::Joined);
        let part = |group: &Group| group.is(Fact::Number) | group.capitals();
        let apart = |group: &Group| part(group) & group.is(Fact::Spaced);
        // A number alone has capitals beside it, or in the row that hyphens join.
        let near = |group: &Group| group.capitals() & group.is(Fact::UpToThree);
        let beside = around.before(1, near) | around.behind(1, near);
        let letters = around.on_from_here(Group::capitals);
        let letters = letters >> 1 | letters >> 2 | letters >> 3 | letters >> 4;
        let (soon, letters) = (letters as u64, (letters >> 1) as u64);
        let on = around.behind(1, joint) & around.behind(2, joined) & (letters | around.behind(1, dot));
        let back = here.is(Fact::Joined) & around.before(1, joint);
        let back = back & (around.before(2, Group::capitals) | around.before(1, dot));
        let hyphens = (on | back) & (beside | around.before(1, joint) | around.behind(1, joint));
        // One figure or two and one row of letters are no plate: a third part stands beside them, or figures among the letters.
        let left = here.is(Fact::Spaced) & around.before(1, near);
        let right = around.behind(1, apart);
        let third = left
            | around.behind(1, |right| right.is(Fact::Number))
            | around.behind(2, |right| right.is(Fact::Glued) | apart(right));
        let two = left & around.before(1, |left| left.is(Fact::Spaced)) & around.before(2, near);
        // Behind a hyphen the capitals may stand further on: `90-2 0 TBR2`.
        let beside = beside | around.before(1, hyphen) & soon;
        let blanks = beside & (!short & (left | right) | right & third | two);
        // `T2`, `5L` have another part beside them.
        let behind = |far| around.behind(far, joint) & around.behind(far + 1, joined) | around.behind(far, apart);
        let first = here.is(Fact::Joined) & around.before(1, joint) | here.is(Fact::Spaced) & around.before(1, part);
        let second = around.before(1, joined) & around.before(2, joint)
            | around.before(1, |left| left.is(Fact::Spaced)) & around.before(2, part);
        let led = short & glued & !tail & !around.before(1, |left| left.is(Fact::Glued)) & !(second | behind(1));
        let tailed = short & tail & !glued & !around.behind(2, |right| right.is(Fact::Glued)) & !(first | behind(2));
        let mixed = (glued | tail) & !led & !tailed;
        self.set(Signs::CAPITALS, (!glued & !tail & (hyphens | blanks) | mixed) & !small);
    }

    /// More digits behind it.
    #[inline(never)]
    fn digits(&mut self, around: &Around<'_>) {
        let short = around.here().is(Fact::UpToTwo);
        let digits = |group: &Group| group.is(Fact::Number) | group.is(Fact::DigitLike) & group.is(Fact::Word);
        let wide = |far| around.behind(far, |right| digits(right) & !right.is(Fact::UpToTwo));
        // `3/4`, `12-30`; a third group behind the second, or inside its token.
        let mark = |marks: &'static [u8; 4]| around.behind(1, |right| right.marks(marks));
        let third = |far| around.behind(far, |right| digits(right) | right.marks(b"/-.,"));
        let pair = around.behind(1, |right| right.mark(b'/'))
            | around.behind(1, |right| right.marks(b"-."))
                & !around.here().is(Fact::One)
                & around.behind(2, |right| !right.is(Fact::One));
        let beside = around.behind(1, digits) & (!short | wide(1) | third(2));
        let marked = mark(b"/-.,") & around.behind(2, digits) & (!short | wide(2) | third(3) | pair);
        self.set(Signs::GROUPS, beside | marked);
        // `555-0123`, `(617) 555-0123`, `1-800-DOCTORS`: up to three marks.
        let mark = |far| around.behind(far, |right| right.marks(b"-./)("));
        let dialled = |group: &Group| {
            let letters = group.is(Fact::Joined) & group.is(Fact::Upper) & !group.is(Fact::UpToThree);
            digits(group) | letters
        };
        let on = |far| around.behind(far, |right| digits(right) | right.marks(b"-./)("));
        // Behind a word it is glued to, it is no such number.
        let apart = !(around.here().is(Fact::Glued) & around.before(1, |left| left.is(Fact::Word)));
        let enough = |far| around.behind(far, dialled) & (!short | wide(far) | on(far + 1));
        let marked = mark(1) & (enough(2) | mark(2) & (enough(3) | mark(3) & enough(4)));
        let beside = around.behind(1, digits) & (!short | wide(1) | on(2));
        self.set(Signs::DIALLED, apart & (beside | marked));
    }

    /// What stands on either side without white space.
    #[inline(never)]
    fn joined(&mut self, around: &Around<'_>) {
        let here = around.here();
        let number = |far| around.behind(far, |right| right.is(Fact::Number));
        let mark = |far| around.behind(far, |right| right.is(Fact::Joined) & right.marks(b"-."));
        // Words and numbers without white space, and marks with something behind them.
        let row = around.on_from_here(|right| right.is(Fact::Joined));
        let inner = around.on_from_here(|right| right.marks(b"-_/.:"));
        let row = row & (around.on_from_here(|right| right.is(Fact::Word) | right.is(Fact::Number)) | inner & row >> 1);
        let joined = |far: u32| (row >> far) as u64;
        let tail = around.behind(1, |right| right.is(Fact::Word) & right.is(Fact::Glued));
        // A code has three digits and more. Where a number of one or two begins it, another one stands behind it in the row, and
        // more than two digits with it.
        let (short, three) = (here.is(Fact::UpToTwo), here.is(Fact::UpToThree));
        let eight = ROW[..3].iter().fold(row, |row, far| row & row >> far);
        let figures = row & around.on_from_here(|right| right.is(Fact::Number));
        let chain = around.leads(|right| right.is(Fact::Joined), figures | eight);
        let glued = |far| around.behind(far, |right| right.is(Fact::Glued));
        let back = here.is(Fact::Joined) & around.before(1, |left| left.is(Fact::Word) | left.marks(b"-_"));
        let more = back | around.behind(2, |right| !right.is(Fact::UpToTwo)) | glued(3) | joined(3) & joined(4);
        let second = joined(1) & joined(2) & number(2) & around.behind(1, |right| !right.is(Fact::Word));
        let far_on = joined(1) & !second & (chain >> 1) as u64 | second & more;
        // Behind a number and a hyphen only what has the length of a row of its own is read again.
        let back_row = around.up_to_here(|left| left.is(Fact::Joined));
        let four = ROW[..2].iter().fold(back_row, |row, far| row & row << far);
        let far_back = ((four & back_row << 4) >> GROUP) as u64 & (joined(1) | ((four & four << 4) >> GROUP) as u64);
        let four_on = joined(1) & joined(2) & joined(3) & joined(4) & (here.is(Fact::Joined) | (eight >> 1) as u64);
        let part = here.is(Fact::Joined)
            & around.before(1, |left| left.is(Fact::Joined) & left.marks(b"-_"))
            & around.before(2, |left| left.is(Fact::Number));
        let on = glued(1) | joined(1) & joined(2);
        // `L4-L5`: two figures.
        let figure = |far| around.behind(far, |right| right.is(Fact::Number) & right.is(Fact::One));
        let level = here.is(Fact::One) & around.behind(2, |right| right.is(Fact::Word)) & figure(3) & !joined(4);
        // `2001-08-07`
        let pair =
            |far| around.behind(far, |right| right.is(Fact::Number) & right.is(Fact::UpToTwo) & !right.is(Fact::One));
        let link = |far| around.behind(far, |right| right.marks(b"-."));
        let date = self.signs[Signs::DATED.column()] & here.is(Fact::UpToFive) & !here.is(Fact::Joined);
        let date = date & link(1) & pair(2) & link(3) & pair(4) & !(joined(5) | number(5) | link(5) & number(6));
        let run = !part & (!short & (on | back) | short & far_on) | far_back | four_on;
        let run = run & !level & !date;
        // `123-45-6789`, `123 45 6789`; `4111 1111 1111`, `4111-1111-1111`
        let marked = link(1) & number(2);
        let wide = |far| around.behind(far, |right| right.is(Fact::Number) & !right.is(Fact::UpToThree));
        let social = pair(1) & wide(2) | marked & pair(2) & wide(4);
        let card = number(1) & (number(2) | link(2) & number(3)) | marked & (number(3) | link(3) & number(4));
        let groups = !short & three & social | !three & here.is(Fact::UpToFive) & card;
        self.set(Signs::CODED, run | groups);
        let (beside, behind) = (mark(1) & joined(2), tail & mark(2) & joined(3));
        let rows = (beside | behind) & self.numbers;
        self.set(Signs::HEXADECIMAL, if rows == 0 { 0 } else { Self::hexadecimal(around, beside, behind) });
    }

    /// Numbers with marks as in an address among those with a mark and more beside them, and those with them behind a word.
    fn hexadecimal(around: &Around<'_>, beside: u64, behind: u64) -> u64 {
        // `001a.2b3c.4d5e`, `00-1A-2B`: a hyphen is not alone.
        let point = |far| around.behind(far, |right| right.mark(b'.'));
        let hyphen = |far| around.behind(far, |right| right.mark(b'-'));
        let left = |far| around.before(far, |left| left.mark(b'-'));
        // Six groups have five hyphens, three of them on one side.
        let right = (hyphen(1) | hyphen(2))
            & (hyphen(3) | hyphen(4) | hyphen(5))
            & (hyphen(5) | hyphen(6) | hyphen(7) | hyphen(8));
        let left = (left(1) | left(2)) & (left(3) | left(4) | left(5)) & (left(5) | left(6) | left(7) | left(8));
        beside & (point(1) | right | left) | behind & (point(2) | right | left)
    }

    /// Words and marks that stand around the number of a house or a ward.
    #[inline(never)]
    fn places_beside(&mut self, around: &Around<'_>) {
        let here = around.here();
        // No month: `September 17, 1971`.
        let name_before =
            here.is(Fact::Spaced) & around.before(1, |left| left.is(Fact::Capital) & !left.on(Class::Month));
        let letter = around.behind(1, |right| right.is(Fact::Word) & right.is(Fact::Glued) & right.is(Fact::One));
        let comma = |far| around.behind(far, |right| right.is(Fact::Joined) & right.mark(b','));
        let number = |far| around.behind(far, |right| right.is(Fact::Number));
        // `80 Hubbard Arcade`, `22 The Paddocks`, `7 Quadrant, Ellery`, `Flat 2 apt`: the name goes on.
        let name =
            around.behind(1, |right| right.is(Fact::Capital) & right.is(Fact::Spaced) & !right.is(Fact::UpToTwo));
        let goes_on = |far| {
            around.behind(far, |right| {
                let word =
                    right.is(Fact::Word) & (!right.is(Fact::Lower) | right.is(Fact::UpToFive) | right.is(Fact::Room));
                word | right.marks(b",.-#/")
            })
        };
        // `73476880 de Borges`, `66, Sahota Road`, `Madderweg 20, 5129`, `Ellersberget 9C, 8801`
        let small = around.behind(1, |right| right.is(Fact::Word) & right.is(Fact::UpToThree) & right.is(Fact::Spaced));
        let capital = |far| around.behind(far, Group::capitalised);
        let small = small & !here.is(Fact::UpToFive) & (capital(2) | capital(3));
        let listed = comma(1) & around.behind(2, |right| right.is(Fact::Capital)) & goes_on(3);
        let last = name_before & (comma(1) & number(2) | letter & comma(2) & number(3));
        self.set(Signs::ADDRESS, name & goes_on(2) | small | listed | last);
        // `on Founders 9`, `from 6B`, `Ellery 5 unit`
        let cue = |left: &Group| {
            let word = left.is(Fact::Word) & left.is(Fact::UpToTwo) & !left.is(Fact::One);
            word | left.is(Fact::ToPlace) | left.mark(b':')
        };
        let (near, far) = (around.before(1, cue), around.before(2, cue));
        let unit = |right: &Group| right.is(Fact::Word) & right.is(Fact::UpToFive) & !right.is(Fact::UpToThree);
        let (next, second) = (around.behind(1, unit), around.behind(2, unit));
        self.set(Signs::WARD, name_before & (far | next | second) | letter & (near | second));
    }

    /// The numbers at which a rule is asked.
    #[expect(clippy::inline_always, reason = "only with constants as anchors does it come to a few instructions")]
    #[inline(always)]
    pub(super) fn places(&self, at: &At) -> u64 {
        let beside = any(&self.signs, at.signs.bits())
            | at.before.map_or(0, |fact| self.words[nth(fact)][0])
            | at.after.map_or(0, |fact| self.words[nth(fact)][1]);
        match at.looks {
            Looks::ALL => beside & self.numbers,
            looks => beside & any(&self.looks, looks.bits()),
        }
    }
}

/// What one of the columns of a set has.
#[expect(clippy::inline_always, reason = "only with a constant set does it come to a few instructions")]
#[inline(always)]
const fn any(columns: &[u64], set: u64) -> u64 {
    let (mut left, mut found) = (set, 0);
    while left != 0 {
        found |= columns[left.trailing_zeros() as usize];
        left &= left - 1;
    }
    found
}

/// The place of the words of a fact that rules wait for beside numbers.
const fn nth(fact: Fact) -> usize {
    fact as usize - Fact::Room as usize
}
