everyday! {
    n
    bitset_and_not {
        pub fn kernel(a: &[u64], b: &[u64], out: &mut [u64]) -> u32 {
            let mut count = 0;
            for ((o, x), y) in out.iter_mut().zip(a).zip(b) {
                *o = x & !y;
                count += o.count_ones();
            }
            count
        }
    } with {
        let a: Vec<u64> = numbers::<u32>(n, 1).iter().map(|x| u64::from(*x) << 17 ^ 0x1234_5678_9abc).collect();
        let b: Vec<u64> = numbers::<u32>(n, 2).iter().map(|x| u64::from(*x) << 13 ^ 0x1234_5678_9abc).collect();
        let mut out: Vec<u64> = vec![0; n];
    } (&a, &b, &mut out) => (out)
    popcount_u32 {
        pub fn kernel(a: &[u32], out: &mut [u32]) {
            for (o, x) in out.iter_mut().zip(a) {
                *o = x.count_ones();
            }
        }
    } with {
        let a: Vec<u32> = numbers(n, 1);
        let mut out: Vec<u32> = vec![0; n];
    } (&a, &mut out) => (out)
    hamming_bytes {
        pub fn kernel(a: &[u8], b: &[u8]) -> u32 {
            a.iter().zip(b).map(|(x, y)| (x ^ y).count_ones()).sum()
        }
    } with {
        let a: Vec<u8> = numbers(n, 1);
        let b: Vec<u8> = numbers(n, 2);
    } (&a, &b) => ()
    bit_widths {
        pub fn kernel(a: &[u32], out: &mut [u8]) {
            for (o, x) in out.iter_mut().zip(a) {
                *o = (32 - x.leading_zeros()) as u8;
            }
        }
    } with {
        let a: Vec<u32> = numbers::<u32>(n, 1).iter().map(|x| x >> (x & 31)).collect();
        let mut out: Vec<u8> = vec![0; n];
    } (&a, &mut out) => (out)
    floor_log2 {
        pub fn kernel(a: &[u32], out: &mut [u32]) {
            for (o, x) in out.iter_mut().zip(a) {
                *o = 31 - (x | 1).leading_zeros();
            }
        }
    } with {
        let a: Vec<u32> = numbers::<u32>(n, 1).iter().map(|x| x >> (x & 31)).collect();
        let mut out: Vec<u32> = vec![0; n];
    } (&a, &mut out) => (out)
    ruler {
        pub fn kernel(a: &[u64], out: &mut [u32]) {
            for (o, x) in out.iter_mut().zip(a) {
                *o = x.trailing_zeros();
            }
        }
    } with {
        let a: Vec<u64> = (0..n as u64).collect();
        let mut out: Vec<u32> = vec![0; n];
    } (&a, &mut out) => (out)
    swapped {
        pub fn kernel(a: &[u32], out: &mut [u32]) {
            for (o, x) in out.iter_mut().zip(a) {
                *o = x.swap_bytes().rotate_left(7);
            }
        }
    } with {
        let a: Vec<u32> = numbers(n, 1);
        let mut out: Vec<u32> = vec![0; n];
    } (&a, &mut out) => (out)
    morton_encode {
        pub fn kernel(xy: &[[u16; 2]], keys: &mut [u32]) {
            for (key, &[x, y]) in keys.iter_mut().zip(xy) {
                *key = spread(x) | spread(y) << 1;
            }
        }

        fn spread(v: u16) -> u32 {
            let mut v = u32::from(v);
            v = (v | v << 8) & 0x00ff_00ff;
            v = (v | v << 4) & 0x0f0f_0f0f;
            v = (v | v << 2) & 0x3333_3333;
            (v | v << 1) & 0x5555_5555
        }
    } with {
        let xy: Vec<[u16; 2]> = numbers(n, 1);
        let mut keys: Vec<u32> = vec![0; n];
    } (&xy, &mut keys) => (keys)
    jaccard_bits {
        pub fn kernel(a: &[u64], b: &[u64]) -> f64 {
            let (mut both, mut any) = (0, 0);
            for (x, y) in a.iter().zip(b) {
                both += (x & y).count_ones();
                any += (x | y).count_ones();
            }
            f64::from(both) / f64::from(any)
        }
    } with {
        let a: Vec<u64> = (0..n as u64).map(|x| x.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1).collect();
        let b: Vec<u64> = (0..n as u64).map(|x| x.wrapping_mul(0xc2b2_ae3d_27d4_eb4f) | 1).collect();
    } (&a, &b) => ()
    fletcher16 {
        pub fn kernel(data: &[u8]) -> u16 {
            let (mut a, mut b) = (0_u16, 0_u16);
            for &byte in data {
                a = (a + u16::from(byte)) % 255;
                b = (b + a) % 255;
            }
            b << 8 | a
        }
    } with {
        let data: Vec<u8> = numbers(n, 1);
    } (&data) => ()
    xor_checksum {
        pub fn kernel(data: &[u8]) -> u8 {
            data.iter().fold(0, |sum, byte| sum ^ byte)
        }
    } with {
        let data: Vec<u8> = numbers(n, 1);
    } (&data) => ()
    crc8 {
        pub fn kernel(data: &[u8]) -> u8 {
            let mut crc = 0xff_u8;
            for &byte in data {
                crc ^= byte;
                for _ in 0..8 {
                    crc = if crc & 0x80 != 0 { crc << 1 ^ 0x07 } else { crc << 1 };
                }
            }
            crc
        }
    } with {
        let data: Vec<u8> = numbers(n, 1);
    } (&data) => ()
    murmur_mix {
        pub fn kernel(keys: &[u64], out: &mut [u64]) {
            for (o, &key) in out.iter_mut().zip(keys) {
                let mut k = key;
                k ^= k >> 33;
                k = k.wrapping_mul(0xff51_afd7_ed55_8ccd);
                k ^= k >> 33;
                k = k.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
                k ^= k >> 33;
                *o = k;
            }
        }
    } with {
        let keys: Vec<u64> = (0..n as u64).map(|x| x.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        let mut out: Vec<u64> = vec![0; n];
    } (&keys, &mut out) => (out)
    unpack_nibbles {
        pub fn kernel(packed: &[u8], out: &mut [u8]) {
            for (pair, &byte) in out.chunks_exact_mut(2).zip(packed) {
                pair[0] = byte & 15;
                pair[1] = byte >> 4;
            }
        }
    } with {
        let packed: Vec<u8> = numbers(n, 1);
        let mut out: Vec<u8> = vec![0; 2 * n];
    } (&packed, &mut out) => (out)
    big_endian_words {
        pub fn kernel(bytes: &[u8], words: &mut [u32]) {
            for (w, b) in words.iter_mut().zip(bytes.chunks_exact(4)) {
                *w = u32::from_be_bytes([b[0], b[1], b[2], b[3]]);
            }
        }
    } with {
        let bytes: Vec<u8> = numbers(4 * n, 1);
        let mut words: Vec<u32> = vec![0; n];
    } (&bytes, &mut words) => (words)
    hex_digits {
        pub fn kernel(bytes: &[u8], out: &mut [u8]) {
            const DIGITS: &[u8; 16] = b"0123456789abcdef";
            for (pair, &b) in out.chunks_exact_mut(2).zip(bytes) {
                pair[0] = DIGITS[usize::from(b >> 4)];
                pair[1] = DIGITS[usize::from(b & 15)];
            }
        }
    } with {
        let bytes: Vec<u8> = numbers(n, 1);
        let mut out: Vec<u8> = vec![0; 2 * n];
    } (&bytes, &mut out) => (out)
}
