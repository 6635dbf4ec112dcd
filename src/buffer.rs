//! Buffers that are kept from note to note.

/// From how many bytes on a buffer is given back when its step is done.
const LONG: usize = 1 << 23;

/// Gives a buffer back that only a long text needed: the steps behind take the memory, and no worker keeps it. What notes need stays.
pub(crate) fn release<T>(buffer: &mut Vec<T>) {
    if buffer.capacity() * size_of::<T>() > LONG {
        *buffer = Vec::new();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_buffers_are_given_back_and_short_ones_kept() {
        let (mut short, mut long) = (vec![0_u64; 100], vec![0_u64; LONG / 8 + 1]);
        release(&mut short);
        release(&mut long);
        assert_eq!((short.len(), long.capacity()), (100, 0));
    }
}
