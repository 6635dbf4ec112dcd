//! Folding of single characters.

use unicode_normalization::char::{decompose_compatible, is_combining_mark};

/// Returns whether the character is a vulgar fraction.
#[must_use]
pub const fn is_fraction(letter: char) -> bool {
    matches!(letter, '¼'..='¾' | '⅐'..='⅟' | '↉')
}

/// Returns whether the byte is a control character other than white space: invisible, so it must not split a word.
pub(super) const fn is_control(byte: u8) -> bool {
    matches!(byte, 0..=8 | 0x0E..=0x1F | 0x7F)
}

/// Appends the folded form of a character that is not plain ASCII.
pub(super) fn fold_char(letter: char, out: &mut String) {
    if !fold_known(letter, out) {
        // `ŀ` decomposes into a letter and a point, `ŉ` into an apostrophe and a letter: such marks must not split a
        // word.
        let whole = letter.is_alphabetic();
        decompose_compatible(letter, |part| {
            if whole && (!part.is_alphanumeric() || part == 'ʼ' || part == 'ʾ') {
                return;
            }
            if !fold_known(part, out) {
                for lower in part.to_lowercase() {
                    if !fold_known(lower, out) {
                        out.push(lower);
                    }
                }
            }
        });
    }
}

/// Appends the folded form of a character if that is more than its lower case. Returns whether it did.
fn fold_known(letter: char, out: &mut String) -> bool {
    match letter {
        _ if u8::try_from(letter).is_ok_and(is_control) => {}
        _ if letter.is_ascii() => out.push(letter.to_ascii_lowercase()),
        _ if has_no_width(letter) || is_combining_mark(letter) => {}
        '\u{2028}' | '\u{2029}' | '\u{85}' => out.push('\n'),
        _ if letter.is_whitespace() => out.push(' '),
        // An empty braille cell.
        '\u{2800}' => out.push(' '),
        '‘' | '’' | '‚' | '‛' | '′' | 'ʹ' | 'ʼ' | 'ʻ' | 'ʽ' | 'ˈ' | '´' | '＇' | '‵' | 'ʾ' | 'ʿ' | '׳' =>
        {
            out.push('\'');
        }
        '“' | '”' | '„' | '‟' | '″' | '«' | '»' | '＂' | '״' => out.push('"'),
        '‐'..='―' | '−' | '⁃' | '﹘' | '﹣' | '－' | '־' | '᠆' | '⸺' | '⸻' => out.push('-'),
        '⁄' | '∕' | '／' => out.push('/'),
        '×' | '✕' | '✖' => out.push('x'),
        // A single character for a whole phrase of up to eighteen letters: it is on no list, whole or split, and would
        // only lengthen the text.
        '\u{FDFA}' | '\u{FDFB}' => out.push(letter),
        'µ' | 'μ' => out.push('u'),
        'ß' | 'ẞ' => out.push_str("ss"),
        'ø' | 'Ø' => out.push('o'),
        'æ' | 'Æ' => out.push_str("ae"),
        'œ' | 'Œ' => out.push_str("oe"),
        'ł' | 'Ł' => out.push('l'),
        'đ' | 'Đ' | 'ð' | 'Ð' => out.push('d'),
        'þ' | 'Þ' => out.push_str("th"),
        'ı' => out.push('i'),
        _ => {
            if let Some(latin) = latin_look_alike(letter) {
                out.push(latin);
            } else if let Some(digit) = decimal_digit(letter) {
                out.push(char::from(b'0' + digit));
            } else {
                return false;
            }
        }
    }
    true
}

/// Returns whether a character has no width: controls, soft hyphen, zero-width space and joiners, direction marks, word
/// joiner, variation selectors, byte-order mark, tags.
#[inline]
const fn has_no_width(letter: char) -> bool {
    matches!(
        letter,
        '\u{80}'..='\u{84}'
            | '\u{86}'..='\u{9F}'
            | '\u{AD}'
            | '\u{34F}'
            | '\u{61C}'
            | '\u{70F}'
            | '\u{115F}'
            | '\u{1160}'
            | '\u{17B4}'
            | '\u{17B5}'
            | '\u{180B}'..='\u{180F}'
            | '\u{200B}'..='\u{200F}'
            | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}'
            | '\u{3164}'
            | '\u{FE00}'..='\u{FE0F}'
            | '\u{FEFF}'
            | '\u{FFA0}'
            | '\u{FFF0}'..='\u{FFFB}'
            | '\u{13430}'..='\u{1343F}'
            | '\u{1BCA0}'..='\u{1BCA3}'
            | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0000}'..='\u{E0FFF}'
    )
}

/// Returns the Latin letter that looks like a Cyrillic, Greek or other letter.
const fn latin_look_alike(letter: char) -> Option<char> {
    Some(match letter {
        'а' | 'А' | 'Α' | 'ɑ' => 'a',
        'В' | 'Β' | 'Ь' => 'b',
        'с' | 'С' | 'ϲ' | 'Ϲ' => 'c',
        'ԁ' => 'd',
        'е' | 'Е' | 'Ε' => 'e',
        'ɡ' => 'g',
        'һ' | 'Н' | 'Η' => 'h',
        'і' | 'І' | 'Ι' | 'ӏ' | 'Ӏ' => 'i',
        'ј' | 'Ј' => 'j',
        'к' | 'К' | 'Κ' => 'k',
        'М' | 'Μ' | 'м' => 'm',
        'Ν' => 'n',
        'о' | 'О' | 'Ο' | 'ο' | 'օ' => 'o',
        'р' | 'Р' | 'Ρ' => 'p',
        'ԛ' => 'q',
        'ѕ' | 'Ѕ' => 's',
        'Т' | 'Τ' | 'т' => 't',
        'ԝ' => 'w',
        'х' | 'Х' | 'Χ' => 'x',
        'у' | 'У' | 'Υ' => 'y',
        'Ζ' => 'z',
        _ => return None,
    })
}

/// Returns the value of a decimal digit in any script. The zeros are those of the Unicode category Nd.
fn decimal_digit(letter: char) -> Option<u8> {
    const ZEROS: [u32; 58] = [
        0x660, 0x6F0, 0x7C0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6, 0xD66, 0xDE6, 0xE50, 0xED0, 0xF20,
        0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90, 0x1B50, 0x1BB0, 0x1C40, 0x1C50, 0xA620, 0xA8D0,
        0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0, 0xFF10, 0x104A0, 0x10D30, 0x11066, 0x110F0, 0x11136, 0x111D0, 0x112F0,
        0x11450, 0x114D0, 0x11650, 0x116C0, 0x11730, 0x118E0, 0x11950, 0x11C50, 0x11D50, 0x11DA0, 0x11F50, 0x16A60,
        0x16AC0, 0x16B50, 0x1E950,
    ];
    let code = letter as u32;
    let after = ZEROS.partition_point(|&zero| zero <= code);
    let zero = ZEROS[after.checked_sub(1)?];
    (code - zero < 10).then(|| (code - zero) as u8)
}
