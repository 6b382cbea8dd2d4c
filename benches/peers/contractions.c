/* The kernels of the benchmark `contractions` as C, in the order of fewest operations, with rows innermost: what a
 * careful programmer gives to gcc. Built by contractions.sh. */
#include <stddef.h>
#include <string.h>
#define R restrict
typedef double D;

/* A length, if it is not constant, the inputs, and the result that is added to. */
#define KERNEL(name) void name(size_t n, const D *const *in, D *R w)

KERNEL(figure1) {
    const D *R a = in[0], *R b = in[1], *R c = in[2];
    enum { I = 500, J = 100, K = 40, L = 15 };
    static __thread D f[J], g[K][L];
    memset(f, 0, sizeof f);
    memset(g, 0, sizeof g);
    for (int i = 0; i < I; i++) for (int j = 0; j < J; j++) f[j] += a[i * J + j];
    for (int j = 0; j < J; j++) for (int k = 0; k < K; k++) for (int l = 0; l < L; l++)
        g[k][l] += f[j] * b[(j * K + k) * L + l];
    for (int k = 0; k < K; k++) for (int l = 0; l < L; l++) w[k] += g[k][l] * c[k * L + l];
}

/* One of four equal steps: the first dimension is summed over, and becomes the last one. */
static void step(size_t n, const D *R a, const D *R c, D *R t) {
    size_t m = n * n * n;
    memset(t, 0, m * n * sizeof(D));
    for (size_t r = 0; r < m; r++) for (size_t p = 0; p < n; p++) for (size_t e = 0; e < n; e++)
        t[r * n + e] += a[p * m + r] * c[p * n + e];
}

static void transform(size_t n, const D *R a, const D *R c, D *R w, D *R s, D *R t) {
    step(n, a, c, s);
    step(n, s, c, t);
    step(n, t, c, s);
    step(n, s, c, t);
    for (size_t at = 0; at < n * n * n * n; at++) w[at] += t[at];
}

static __thread D s[32 * 32 * 32 * 32], t[32 * 32 * 32 * 32];
KERNEL(four_index8) { transform(8, in[0], in[1], w, s, t); }
KERNEL(four_index) { transform(n, in[0], in[1], w, s, t); }

#define SPECTRAL(N) \
    KERNEL(spectral##N) { \
        const D *R b = in[0], *R u = in[1]; \
        D x[N][N][N], y[N][N][N]; \
        for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) for (int c = 0; c < N; c++) { \
            D sum = 0; \
            for (int k = 0; k < N; k++) sum += b[c * N + k] * u[(i * N + j) * N + k]; \
            x[i][j][c] = sum; } \
        memset(y, 0, sizeof y); \
        for (int i = 0; i < N; i++) for (int e = 0; e < N; e++) for (int j = 0; j < N; j++) \
            for (int c = 0; c < N; c++) y[i][e][c] += b[e * N + j] * x[i][j][c]; \
        for (int a = 0; a < N; a++) for (int i = 0; i < N; i++) for (int e = 0; e < N; e++) \
            for (int c = 0; c < N; c++) w[(a * N + e) * N + c] += b[a * N + i] * y[i][e][c]; \
    }
SPECTRAL(5)
SPECTRAL(6)
SPECTRAL(7)
SPECTRAL(8)
SPECTRAL(9)

static void product(size_t m, size_t k, size_t n, const D *R a, const D *R b, D *R c) {
    for (size_t i = 0; i < m; i++) for (size_t p = 0; p < k; p++) for (size_t j = 0; j < n; j++)
        c[i * n + j] += a[i * k + p] * b[p * n + j];
}

KERNEL(chain_small) {
    /* (A B) (C D) takes the fewest operations. */
    D ab[5 * 3] = {0}, cd[3 * 4] = {0};
    product(5, 7, 3, in[0], in[1], ab);
    product(3, 9, 4, in[2], in[3], cd);
    product(5, 3, 4, ab, cd, w);
}

KERNEL(chain_large) {
    static __thread D ab[300 * 250];
    memset(ab, 0, sizeof ab);
    product(300, 200, 250, in[0], in[1], ab);
    product(300, 250, 150, ab, in[2], w);
}

KERNEL(matrix_product) { product(n, n, n, in[0], in[1], w); }

KERNEL(mttkrp) {
    enum { r = 16 };
    const D *R x = in[0], *R b = in[1], *R c = in[2];
    for (size_t i = 0; i < n; i++) for (size_t j = 0; j < n; j++) {
        D row[r] = {0};
        for (size_t k = 0; k < n; k++) for (size_t q = 0; q < r; q++)
            row[q] += x[(i * n + j) * n + k] * c[k * r + q];
        for (size_t q = 0; q < r; q++) w[i * r + q] += row[q] * b[j * r + q];
    }
}

KERNEL(tucker) {
    const D *R x = in[0], *R a = in[1], *R b = in[2], *R c = in[3];
    enum { N = 24, P = 6 };
    static __thread D s[N][N][P], t[N][P][P];
    memset(s, 0, sizeof s);
    memset(t, 0, sizeof t);
    for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) for (int k = 0; k < N; k++) for (int r = 0; r < P; r++)
        s[i][j][r] += x[(i * N + j) * N + k] * c[k * P + r];
    for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) for (int q = 0; q < P; q++) for (int r = 0; r < P; r++)
        t[i][q][r] += s[i][j][r] * b[j * P + q];
    for (int i = 0; i < N; i++) for (int p = 0; p < P; p++) for (int q = 0; q < P; q++) for (int r = 0; r < P; r++)
        w[(p * P + q) * P + r] += t[i][q][r] * a[i * P + p];
}

KERNEL(batched) {
    const D *R a = in[0], *R b = in[1];
    for (size_t e = 0; e < n; e++) for (int i = 0; i < 8; i++) for (int p = 0; p < 8; p++) for (int j = 0; j < 8; j++)
        w[(e * 8 + i) * 8 + j] += a[(e * 8 + i) * 8 + p] * b[(e * 8 + p) * 8 + j];
}
