//! Buffers that are reused from note to note.

/// The capacity in bytes above which a buffer is freed when its step is done.
const MAX_KEPT_BYTES: usize = 1 << 23;

/// Frees a buffer that only a long text needed, so that later steps can use the memory. Smaller buffers are kept.
pub(crate) fn release<T>(buffer: &mut Vec<T>) {
    if buffer.capacity() * size_of::<T>() > MAX_KEPT_BYTES {
        *buffer = Vec::new();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_buffers_are_given_back_and_short_ones_kept() {
        let (mut short, mut long) = (vec![0_u64; 100], vec![0_u64; MAX_KEPT_BYTES / 8 + 1]);
        release(&mut short);
        release(&mut long);
        assert_eq!((short.len(), long.capacity()), (100, 0));
    }
}
