/* The stencils of the benchmark `stencils` as C, as one writes them there. Built by stencils.sh, once for each type of
 * numbers, T, whose name NAME puts behind that of each function. */
#include <math.h>
#include <stddef.h>

/* Points, and rows and columns, of an input and a result. */
#define STENCIL(name) \
    void NAME(name)(size_t count, size_t n, size_t m, const T *restrict x, T *restrict y)
#define LINE(from, to) for (size_t i = (from); i < count - (to); i++)
#define IMAGE(border) \
    for (size_t j = (border); j < n - (border); j++) for (size_t i = (border); i < m - (border); i++)
#define CUBE(border) \
    for (size_t k = (border); k < m - (border); k++) for (size_t j = (border); j < n - (border); j++) \
        for (size_t i = (border); i < m - (border); i++)
#define X(b, a) x[(j + (b)) * m + i + (a)]
#define Z(c, b, a) x[((k + (c)) * n + j + (b)) * m + i + (a)]
#define C(number) ((T)(number))

STENCIL(box5) { LINE(2, 2) y[i] = (x[i - 2] + x[i - 1] + x[i] + x[i + 1] + x[i + 2]) / C(5); }
STENCIL(box17) {
    LINE(0, 0) {
        T s = 0;
        for (int k = 0; k < 17; k++) s += x[i + k];
        y[i] = s;
    }
}
STENCIL(weighted5) { LINE(2, 2) y[i] = x[i - 2] + C(2) * x[i - 1] + C(3) * x[i] + C(2) * x[i + 1] + x[i + 2]; }
STENCIL(second_order) { LINE(1, 1) y[i] = x[i - 1] - C(2) * x[i] + x[i + 1]; }
STENCIL(differences) { LINE(2, 2) y[i] = (x[i - 2] - C(8) * x[i - 1] + C(8) * x[i + 1] - x[i + 2]) / C(12); }
STENCIL(minimum17) {
    LINE(0, 0) {
        T s = x[i];
        for (int k = 1; k < 17; k++) s = x[i + k] < s ? x[i + k] : s;
        y[i] = s;
    }
}
STENCIL(cubes) {
    LINE(1, 2) y[i] = (x[i - 1] * x[i - 1] * x[i - 1] - C(0.5) * x[i - 1])
        * (x[i + 2] * x[i + 2] * x[i + 2] - C(0.5) * x[i + 2]);
}
STENCIL(recurrence) { LINE(1, 0) y[i] = C(0.5) * y[i - 1] + x[i]; }

#define WEIGHTED(width, ...) \
    static const T w[width][width] = __VA_ARGS__; \
    IMAGE(width / 2) { \
        T s = 0; \
        for (int k = 0; k < width; k++) for (int l = 0; l < width; l++) \
            s += w[k][l] * X(k - width / 2, l - width / 2); \
        y[j * m + i] = s; \
    }

STENCIL(gauss3) {
    IMAGE(1) y[j * m + i] = (X(-1, -1) + C(2) * X(-1, 0) + X(-1, 1) + C(2) * X(0, -1) + C(4) * X(0, 0)
        + C(2) * X(0, 1) + X(1, -1) + C(2) * X(1, 0) + X(1, 1)) / C(16);
}
#define GAUSS(width, sum, ...) \
    static const T w[width] = __VA_ARGS__; \
    IMAGE(width / 2) { \
        T s = 0; \
        for (int k = 0; k < width; k++) for (int l = 0; l < width; l++) \
            s += w[k] * w[l] * X(k - width / 2, l - width / 2); \
        y[j * m + i] = s / C(sum); \
    }
STENCIL(gauss5) { GAUSS(5, 256, {1, 4, 6, 4, 1}) }
STENCIL(gauss7) { GAUSS(7, 4096, {1, 6, 15, 20, 15, 6, 1}) }
STENCIL(box9) {
    IMAGE(4) {
        T s = 0;
        for (int k = 0; k < 9; k++) for (int l = 0; l < 9; l++) s += X(k - 4, l - 4);
        y[j * m + i] = s / C(81);
    }
}
STENCIL(laplace5) { IMAGE(1) y[j * m + i] = X(-1, 0) + X(1, 0) + X(0, -1) + X(0, 1) - C(4) * X(0, 0); }
STENCIL(laplace9) {
    IMAGE(1) y[j * m + i] = (X(-1, -1) + X(-1, 1) + X(1, -1) + X(1, 1)
        + C(4) * (X(-1, 0) + X(1, 0) + X(0, -1) + X(0, 1)) - C(20) * X(0, 0)) / C(6);
}
STENCIL(seismic) {
    IMAGE(2) y[j * m + i] = C(16) * (X(-1, 0) + X(1, 0) + X(0, -1) + X(0, 1))
        - X(-2, 0) - X(2, 0) - X(0, -2) - X(0, 2) - C(60) * X(0, 0);
}
STENCIL(biharmonic) {
    IMAGE(2) y[j * m + i] = C(20) * X(0, 0) - C(8) * (X(-1, 0) + X(1, 0) + X(0, -1) + X(0, 1))
        + C(2) * (X(-1, -1) + X(-1, 1) + X(1, -1) + X(1, 1)) + X(-2, 0) + X(2, 0) + X(0, -2) + X(0, 2);
}
STENCIL(biharmonic25) {
    WEIGHTED(5, {{1, 8, 18, 8, 1}, {8, -8, -144, -8, 8}, {18, -144, 468, -144, 18}, {8, -8, -144, -8, 8},
        {1, 8, 18, 8, 1}})
}
STENCIL(terrain) {
    WEIGHTED(5, {{-1, -1, -4, -1, -1}, {-1, 8, 18, 8, -1}, {-4, 18, -76, 18, -4}, {-1, 8, 18, 8, -1},
        {-1, -1, -4, -1, -1}})
}
STENCIL(dense5) {
    WEIGHTED(5, {{2, 15, 28, 4, 17}, {9, 25, 5, 21, 38}, {16, 35, 19, 1, 20}, {23, 8, 33, 18, 3},
        {30, 14, 10, 36, 22}})
}
STENCIL(sobel) {
    IMAGE(1) {
        T gx = X(-1, 1) + C(2) * X(0, 1) + X(1, 1) - X(-1, -1) - C(2) * X(0, -1) - X(1, -1);
        T gy = X(1, -1) + C(2) * X(1, 0) + X(1, 1) - X(-1, -1) - C(2) * X(-1, 0) - X(-1, 1);
        y[j * m + i] = ROOT(gx * gx + gy * gy);
    }
}
STENCIL(scharr) {
    IMAGE(1) {
        T gx = C(3) * (X(-1, 1) - X(-1, -1)) + C(10) * (X(0, 1) - X(0, -1)) + C(3) * (X(1, 1) - X(1, -1));
        T gy = C(3) * (X(1, -1) - X(-1, -1)) + C(10) * (X(1, 0) - X(-1, 0)) + C(3) * (X(1, 1) - X(-1, 1));
        y[j * m + i] = ROOT(gx * gx + gy * gy);
    }
}
static inline T larger(T a, T b) { return a > b ? a : b; }
STENCIL(maximum3) {
    IMAGE(1) {
        T s = X(-1, -1);
        for (int k = -1; k < 2; k++) for (int l = -1; l < 2; l++) s = larger(s, X(k, l));
        y[j * m + i] = s;
    }
}
STENCIL(periodic5) {
    IMAGE(0) {
        T s = 0;
        for (size_t k = 0; k < 5; k++) for (size_t l = 0; l < 5; l++)
            s += x[(j + n - 2 + k) % n * m + (i + m - 2 + l) % m];
        y[j * m + i] = s / C(25);
    }
}
static inline size_t inside(size_t at, size_t count) { return (at < 2 ? 2 : at > count + 1 ? count + 1 : at) - 2; }
STENCIL(clamped5) {
    static const T w[5] = {1, 4, 6, 4, 1};
    IMAGE(0) {
        T s = 0;
        for (size_t k = 0; k < 5; k++) for (size_t l = 0; l < 5; l++)
            s += w[k] * w[l] * x[inside(j + k, n) * m + inside(i + l, m)];
        y[j * m + i] = s / C(256);
    }
}
STENCIL(seidel) {
    IMAGE(1) y[j * m + i] = C(0.25) * (y[(j - 1) * m + i] + y[(j + 1) * m + i] + y[j * m + i - 1] + y[j * m + i + 1]
        - X(0, 0));
}
STENCIL(laplace7) {
    CUBE(1) y[(k * n + j) * m + i] = Z(0, 0, -1) + Z(0, 0, 1) + Z(0, -1, 0) + Z(0, 1, 0) + Z(-1, 0, 0) + Z(1, 0, 0)
        - C(6) * Z(0, 0, 0);
}
STENCIL(classes27) {
    static const T w[4] = {2.5, -0.375, 0.1875, 0.0625};
    CUBE(1) {
        T s = 0;
        for (int c = -1; c < 2; c++) for (int b = -1; b < 2; b++) for (int a = -1; a < 2; a++)
            s += w[(a != 0) + (b != 0) + (c != 0)] * Z(c, b, a);
        y[(k * n + j) * m + i] = s;
    }
}
STENCIL(star25) {
    static const T w[4] = {1.6, -0.2, 0.025, -0.0018};
    CUBE(4) {
        T s = C(-8.5) * Z(0, 0, 0);
        for (int r = 1; r < 5; r++)
            s += w[r - 1] * (Z(0, 0, -r) + Z(0, 0, r) + Z(0, -r, 0) + Z(0, r, 0) + Z(-r, 0, 0) + Z(r, 0, 0));
        y[(k * n + j) * m + i] = s;
    }
}
