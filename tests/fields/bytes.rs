everyday! {
    n
    uppercase {
        pub fn kernel(text: &mut [u8]) {
            for b in text.iter_mut() {
                *b = b.to_ascii_uppercase();
            }
        }
    } with {
        let mut text: Vec<u8> = numbers(n, 1);
    } (&mut text) => (text)
    lowercase_by_hand {
        pub fn kernel(text: &mut [u8]) {
            for b in text {
                if (b'A'..=b'Z').contains(b) {
                    *b += 32;
                }
            }
        }
    } with {
        let mut text: Vec<u8> = numbers(n, 1);
    } (&mut text) => (text)
    count_lines {
        pub fn kernel(text: &[u8]) -> usize {
            text.iter().filter(|&&b| b == b'\n').count()
        }
    } with {
        let text: Vec<u8> = (0..n).map(|i| if i % 13 == 0 { b'\n' } else { b'x' }).collect();
    } (&text) => ()
    count_words {
        pub fn kernel(text: &[u8]) -> usize {
            let mut words = 0;
            let mut inside = false;
            for b in text {
                let space = matches!(b, b' ' | b'\n' | b'\t');
                if inside && space {
                    words += 1;
                }
                inside = !space;
            }
            words + usize::from(inside)
        }
    } with {
        let text: Vec<u8> = (0..n).map(|i| if i % 7 == 3 || i % 5 == 0 { b' ' } else { b'x' }).collect();
    } (&text) => ()
    is_ascii {
        pub fn kernel(text: &[u8]) -> bool {
            text.iter().all(u8::is_ascii)
        }
    } with {
        let text: Vec<u8> = (0..n).map(|i| (i % 128) as u8).collect();
    } (&text) => ()
    caesar {
        pub fn kernel(shift: u8, text: &mut [u8]) {
            text.iter_mut().filter(|b| b.is_ascii_lowercase()).for_each(|b| *b = (*b - b'a' + shift) % 26 + b'a');
        }
    } with {
        let mut text: Vec<u8> = numbers(n, 1);
    } (3, &mut text) => (text)
    fnv {
        pub fn kernel(bytes: &[u8]) -> u64 {
            bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &b| (hash ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
        }
    } with {
        let bytes: Vec<u8> = numbers(n, 1);
    } (&bytes) => ()
    xor_with_key {
        pub fn kernel(key: &[u8; 4], data: &mut [u8]) {
            for (i, b) in data.iter_mut().enumerate() {
                *b ^= key[i % 4];
            }
        }
    } with {
        let mut data: Vec<u8> = numbers(n, 1);
    } (&[1, 77, 200, 13], &mut data) => (data)
    hamming {
        pub fn kernel(a: &[u64], b: &[u64]) -> u32 {
            a.iter().zip(b).map(|(a, b)| (a ^ b).count_ones()).sum()
        }
    } with {
        let a: Vec<u64> = (0..n as u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        let b: Vec<u64> = (0..n as u64).map(|i| i.wrapping_mul(0xbf58_476d_1ce4_e5b9)).collect();
    } (&a, &b) => ()
    big_endian {
        pub fn kernel(bytes: &[u8], words: &mut [u32]) {
            for (w, b) in words.iter_mut().zip(bytes.chunks_exact(4)) {
                *w = u32::from_be_bytes([b[0], b[1], b[2], b[3]]);
            }
        }
    } with {
        let bytes: Vec<u8> = numbers(4 * n, 1);
        let mut words: Vec<u32> = vec![1; n];
    } (&bytes, &mut words) => (words)
    hex {
        pub fn kernel(bytes: &[u8], out: &mut [u8]) {
            const DIGITS: [u8; 16] = *b"0123456789abcdef";
            for (pair, &b) in out.chunks_exact_mut(2).zip(bytes) {
                pair[0] = DIGITS[usize::from(b >> 4)];
                pair[1] = DIGITS[usize::from(b & 15)];
            }
        }
    } with {
        let bytes: Vec<u8> = numbers(n, 1);
        let mut out: Vec<u8> = numbers(2 * n, 2);
    } (&bytes, &mut out) => (out)
    parity {
        pub fn kernel(x: &[u32]) -> u32 {
            x.iter().fold(0, |a, b| a ^ b)
        }
    } with {
        let x: Vec<u32> = numbers(n, 1);
    } (&x) => ()
    xorshift {
        pub fn kernel(states: &mut [u64]) {
            for s in states.iter_mut() {
                let mut x = *s;
                x ^= x << 13;
                x ^= x >> 7;
                x ^= x << 17;
                *s = x;
            }
        }
    } with {
        let mut states: Vec<u64> = (1..=n as u64).collect();
    } (&mut states) => (states)
    rotate_mix {
        pub fn kernel(keys: &[u32], out: &mut [u32]) {
            for (o, &k) in out.iter_mut().zip(keys) {
                let h = k.wrapping_mul(0xcc9e_2d51).rotate_left(15);
                *o = h ^ (h >> 16);
            }
        }
    } with {
        let keys: Vec<u32> = numbers(n, 1);
        let mut out: Vec<u32> = numbers(n, 2);
    } (&keys, &mut out) => (out)
    delta_decode {
        pub fn kernel(deltas: &[i16], out: &mut [i32]) {
            let mut value = 0;
            for (o, &d) in out.iter_mut().zip(deltas) {
                value += i32::from(d);
                *o = value;
            }
        }
    } with {
        let deltas: Vec<i16> = (0..n).map(|i| (i * 37 % 101) as i16 - 50).collect();
        let mut out: Vec<i32> = numbers(n, 1);
    } (&deltas, &mut out) => (out)
    run_lengths {
        pub fn kernel(x: &[u8]) -> usize {
            let mut longest = 0;
            let mut current = 0;
            for pair in x.windows(2) {
                current = if pair[0] == pair[1] { current + 1 } else { 0 };
                longest = longest.max(current);
            }
            longest
        }
    } with {
        let x: Vec<u8> = (0..n).map(|i| (i / 5 % 3) as u8).collect();
    } (&x) => ()
}
