everyday! {
    n
    lcg_fill {
        pub fn kernel(seed: u64, out: &mut [f64]) {
            let mut state = seed;
            for o in out.iter_mut() {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                *o = (state >> 11) as f64 / (1_u64 << 53) as f64;
            }
        }
    } with {
        let mut out: Vec<f64> = numbers(n, 1);
    } (42, &mut out) => (out)
    xorshift_fill {
        struct XorShift(u32);
        impl XorShift {
            fn next(&mut self) -> u32 {
                self.0 ^= self.0 << 13;
                self.0 ^= self.0 >> 17;
                self.0 ^= self.0 << 5;
                self.0
            }
        }
        pub fn kernel(seed: u32, out: &mut [u32]) {
            let mut random = XorShift(seed);
            for o in out {
                *o = random.next();
            }
        }
    } with {
        let mut out: Vec<u32> = numbers(n, 1);
    } (2463534242, &mut out) => (out)
    splitmix {
        fn mix(z: u64) -> u64 {
            let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        }
        pub fn kernel(seed: u64, out: &mut [u64]) {
            for (i, o) in out.iter_mut().enumerate() {
                *o = mix(seed.wrapping_add((i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)));
            }
        }
    } with {
        let mut out: Vec<u64> = vec![0; n];
    } (7, &mut out) => (out)
    adler {
        pub fn kernel(data: &[u8]) -> u32 {
            const MODULUS: u32 = 65_521;
            let (mut a, mut b) = (1_u32, 0_u32);
            for &byte in data {
                a = (a + u32::from(byte)) % MODULUS;
                b = (b + a) % MODULUS;
            }
            (b << 16) | a
        }
    } with {
        let data: Vec<u8> = numbers(n, 1);
    } (&data) => ()
    djb2 {
        pub fn kernel(text: &[u8]) -> u32 {
            text.iter().fold(5381_u32, |h, &b| (h << 5).wrapping_add(h).wrapping_add(u32::from(b)))
        }
    } with {
        let text: Vec<u8> = numbers(n, 1);
    } (&text) => ()
    crc_table {
        const fn table() -> [u32; 256] {
            let mut table = [0_u32; 256];
            let mut i = 0;
            while i < 256 {
                let mut c = i as u32;
                let mut k = 0;
                while k < 8 {
                    c = if c & 1 == 1 { 0xedb8_8320 ^ (c >> 1) } else { c >> 1 };
                    k += 1;
                }
                table[i] = c;
                i += 1;
            }
            table
        }
        static TABLE: [u32; 256] = table();
        pub fn kernel(data: &[u8]) -> u32 {
            let mut crc = u32::MAX;
            for &b in data {
                crc = TABLE[((crc ^ u32::from(b)) & 0xff) as usize] ^ (crc >> 8);
            }
            !crc
        }
    } with {
        let data: Vec<u8> = numbers(n, 1);
    } (&data) => ()
    byte_histogram {
        pub fn kernel(data: &[u8], counts: &mut [u32; 256]) {
            for &b in data {
                counts[usize::from(b)] += 1;
            }
        }
    } with {
        let data: Vec<u8> = numbers(n, 1);
        let mut counts = [0_u32; 256];
    } (&data, &mut counts) => (counts)
    sum_of_bytes {
        pub fn kernel(data: &[u8]) -> u64 {
            data.iter().map(|&b| u64::from(b)).sum()
        }
    } with {
        let data: Vec<u8> = numbers(n, 1);
    } (&data) => ()
    count_vowels {
        pub fn kernel(text: &[u8]) -> usize {
            text.iter().filter(|b| matches!(b.to_ascii_lowercase(), b'a' | b'e' | b'i' | b'o' | b'u')).count()
        }
    } with {
        let text: Vec<u8> = numbers(n, 1);
    } (&text) => ()
    common_prefix {
        pub fn kernel(a: &[u8], b: &[u8]) -> usize {
            a.iter().zip(b).take_while(|(a, b)| a == b).count()
        }
    } with {
        let a: Vec<u8> = (0..n).map(|i| i as u8).collect();
        let mut b = a.clone();
        if let Some(last) = b.last_mut() { *last ^= 1; }
    } (&a, &b) => ()
    equal {
        pub fn kernel(a: &[u8], b: &[u8]) -> bool {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b)
        }
    } with {
        let a: Vec<u8> = (0..n).map(|i| i as u8).collect();
        let b = a.clone();
    } (&a, &b) => ()
    popcount_bytes {
        pub fn kernel(bits: &[u8]) -> u32 {
            bits.iter().map(|b| b.count_ones()).sum()
        }
    } with {
        let bits: Vec<u8> = numbers(n, 1);
    } (&bits) => ()
    pack_bits {
        pub fn kernel(flags: &[bool], out: &mut [u8]) {
            for (o, chunk) in out.iter_mut().zip(flags.chunks_exact(8)) {
                *o = chunk.iter().enumerate().fold(0, |byte, (i, &f)| byte | (u8::from(f) << i));
            }
        }
    } with {
        let flags: Vec<bool> = (0..8 * n).map(|i| i % 3 == 0).collect();
        let mut out: Vec<u8> = numbers(n, 2);
    } (&flags, &mut out) => (out)
    little_endian {
        pub fn kernel(bytes: &[u8], out: &mut [u32]) {
            for (o, b) in out.iter_mut().zip(bytes.as_chunks::<4>().0) {
                *o = u32::from_le_bytes(*b);
            }
        }
    } with {
        let bytes: Vec<u8> = numbers(4 * n, 1);
        let mut out: Vec<u32> = numbers(n, 2);
    } (&bytes, &mut out) => (out)
    rot13 {
        pub fn kernel(text: &mut [u8]) {
            for b in text.iter_mut() {
                *b = match *b {
                    c @ b'a'..=b'z' => (c - b'a' + 13) % 26 + b'a',
                    c @ b'A'..=b'Z' => (c - b'A' + 13) % 26 + b'A',
                    c => c,
                };
            }
        }
    } with {
        let mut text: Vec<u8> = numbers(n, 1);
    } (&mut text) => (text)
    gcd_all {
        const fn gcd(mut a: u32, mut b: u32) -> u32 {
            while b != 0 {
                (a, b) = (b, a % b);
            }
            a
        }
        pub fn kernel(x: &[u32]) -> u32 {
            x.iter().fold(0, |g, &v| gcd(g, v))
        }
    } with {
        let x: Vec<u32> = (0..n as u32).map(|i| 6 * (i % 50 + 1)).collect();
    } (&x) => ()
    collatz {
        pub fn kernel(starts: &[u64], steps: &mut [u32]) {
            for (s, &start) in steps.iter_mut().zip(starts) {
                let mut x = start;
                *s = 0;
                while x > 1 {
                    x = if x % 2 == 0 { x / 2 } else { 3 * x + 1 };
                    *s += 1;
                }
            }
        }
    } with {
        let starts: Vec<u64> = (0..n as u64).collect();
        let mut steps: Vec<u32> = vec![0; n];
    } (&starts, &mut steps) => (steps)
    sieve {
        pub fn kernel(composite: &mut [bool]) -> usize {
            let n = composite.len();
            composite.fill(false);
            let mut i = 2;
            while i * i < n {
                if !composite[i] {
                    for j in (i * i..n).step_by(i) {
                        composite[j] = true;
                    }
                }
                i += 1;
            }
            composite.iter().skip(2).filter(|&&c| !c).count()
        }
    } with {
        let mut composite: Vec<bool> = vec![true; n];
    } (&mut composite) => (composite)
}
