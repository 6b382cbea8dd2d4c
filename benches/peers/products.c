/* Products of small matrices with libxsmm, for `cargo bench --bench products`. Matrices are row-major there, and
 * column-major here: C += A B is taken for its transpose. See products.sh. */

#include <libxsmm.h>

#include <stddef.h>

/* The code of C[m][n] += A[m][k] B[k][n], or null. */
void *product_f64(size_t m, size_t n, size_t k) {
    const double one = 1.0;
    return (void *)libxsmm_dmmdispatch((libxsmm_blasint)n, (libxsmm_blasint)m, (libxsmm_blasint)k, NULL, NULL, NULL,
                                       &one, &one, NULL, NULL);
}

void *product_f32(size_t m, size_t n, size_t k) {
    const float one = 1.0f;
    return (void *)libxsmm_smmdispatch((libxsmm_blasint)n, (libxsmm_blasint)m, (libxsmm_blasint)k, NULL, NULL, NULL,
                                       &one, &one, NULL, NULL);
}

/* Many products, of matrices that follow each other. */
void products_f64(void *product, size_t count, size_t m, size_t n, size_t k, const double *a, const double *b, double *c) {
    const libxsmm_dmmfunction run = (libxsmm_dmmfunction)product;
    for (size_t e = 0; e < count; e++, a += m * k, b += k * n, c += m * n) {
        run(b, a, c);
    }
}

void products_f32(void *product, size_t count, size_t m, size_t n, size_t k, const float *a, const float *b, float *c) {
    const libxsmm_smmfunction run = (libxsmm_smmfunction)product;
    for (size_t e = 0; e < count; e++, a += m * k, b += k * n, c += m * n) {
        run(b, a, c);
    }
}
