// Actions of the Laplacian and of the mass matrix on hexahedra with deal.II's FEEvaluation, for
// `cargo bench --bench hexahedra`: lanes over as many cells as a vector has numbers, values at the
// points by sums over one axis after another, derivatives there by collocation, tables in even and
// odd halves. See hexahedra.sh.

#include <cstddef>
#include <memory>
#include <vector>

#include <deal.II/base/aligned_vector.h>
#include <deal.II/base/quadrature_lib.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/mapping_q1.h>
#include <deal.II/matrix_free/fe_evaluation.h>
#include <deal.II/matrix_free/mapping_info_storage.templates.h>
#include <deal.II/matrix_free/shape_info.templates.h>

using namespace dealii;

#if defined(__AVX512F__)
using Lanes = VectorizedArray<double, 8>;
#elif defined(__AVX2__)
using Lanes = VectorizedArray<double, 4>;
#else
using Lanes = VectorizedArray<double, 2>;
#endif
constexpr std::size_t lanes = Lanes::size();

// What all degrees have: `apply` adds the actions on all cells to y.
struct Operator
{
  virtual ~Operator() = default;
  virtual void laplace(const double *u, double *y) = 0;
  virtual void mass(const double *u, double *y) = 0;
};

// `metric` has the six different entries of |det J| K Kᵀ times the weight for each point of each cell:
// (0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2); `density` has |det J| times the weight. Points and
// degrees of freedom are numbered with the first axis fastest.
template <int degree>
struct On final : Operator
{
  static constexpr unsigned int nodes = (degree + 1) * (degree + 1) * (degree + 1);
  using Evaluation = FEEvaluation<3, degree, degree + 1, 1, double, Lanes>;

  FE_Q<3> element{degree};
  std::unique_ptr<Evaluation> evaluation;
  std::size_t batches;
  std::vector<std::size_t> dofs;
  AlignedVector<Lanes> metric, density;

  On(std::size_t cells, const std::size_t *numbers, const double *metrics, const double *densities)
    : batches(cells / lanes)
  {
    // What the geometry gives comes from outside, so that it is on no cell.
    evaluation = std::make_unique<Evaluation>(MappingQ1<3>(), element, QGauss<1>(degree + 1),
                                              update_gradients | update_values | update_JxW_values);
    dofs.resize(batches * nodes * lanes);
    metric.resize(batches * nodes * 6);
    density.resize(batches * nodes);
    for (std::size_t b = 0; b < batches; ++b)
      for (unsigned int q = 0; q < nodes; ++q)
        for (unsigned int v = 0; v < lanes; ++v)
          {
            const std::size_t at = (b * lanes + v) * nodes + q;
            dofs[(b * nodes + q) * lanes + v] = numbers[at];
            density[b * nodes + q][v] = densities[at];
            for (unsigned int c = 0; c < 6; ++c)
              metric[(b * nodes + q) * 6 + c][v] = metrics[at * 6 + c];
          }
  }

  void gather(std::size_t b, const double *u)
  {
    Lanes *values = evaluation->begin_dof_values();
    const std::size_t *at = &dofs[b * nodes * lanes];
    for (unsigned int i = 0; i < nodes; ++i)
      for (unsigned int v = 0; v < lanes; ++v)
        values[i][v] = u[at[i * lanes + v]];
  }

  void scatter(std::size_t b, double *y)
  {
    const Lanes *values = evaluation->begin_dof_values();
    const std::size_t *at = &dofs[b * nodes * lanes];
    for (unsigned int i = 0; i < nodes; ++i)
      for (unsigned int v = 0; v < lanes; ++v)
        y[at[i * lanes + v]] += values[i][v];
  }

  void laplace(const double *u, double *y) override
  {
    for (std::size_t b = 0; b < batches; ++b)
      {
        gather(b, u);
        evaluation->evaluate(EvaluationFlags::gradients);
        Lanes *gradients = evaluation->begin_gradients();
        const Lanes *g = &metric[b * nodes * 6];
        for (unsigned int q = 0; q < nodes; ++q, g += 6)
          {
            const Lanes x = gradients[q], y = gradients[nodes + q], z = gradients[2 * nodes + q];
            gradients[q] = g[0] * x + g[3] * y + g[4] * z;
            gradients[nodes + q] = g[3] * x + g[1] * y + g[5] * z;
            gradients[2 * nodes + q] = g[4] * x + g[5] * y + g[2] * z;
          }
        evaluation->integrate(EvaluationFlags::gradients);
        scatter(b, y);
      }
  }

  void mass(const double *u, double *y) override
  {
    for (std::size_t b = 0; b < batches; ++b)
      {
        gather(b, u);
        evaluation->evaluate(EvaluationFlags::values);
        Lanes *values = evaluation->begin_values();
        for (unsigned int q = 0; q < nodes; ++q)
          values[q] *= density[b * nodes + q];
        evaluation->integrate(EvaluationFlags::values);
        scatter(b, y);
      }
  }
};

extern "C" void *hexahedra_new(std::size_t degree, std::size_t cells, const std::size_t *dofs,
                               const double *metrics, const double *densities)
{
  switch (degree)
    {
      case 1: return static_cast<Operator *>(new On<1>(cells, dofs, metrics, densities));
      case 2: return static_cast<Operator *>(new On<2>(cells, dofs, metrics, densities));
      case 3: return static_cast<Operator *>(new On<3>(cells, dofs, metrics, densities));
      case 4: return static_cast<Operator *>(new On<4>(cells, dofs, metrics, densities));
      case 5: return static_cast<Operator *>(new On<5>(cells, dofs, metrics, densities));
      case 6: return static_cast<Operator *>(new On<6>(cells, dofs, metrics, densities));
      case 7: return static_cast<Operator *>(new On<7>(cells, dofs, metrics, densities));
      case 8: return static_cast<Operator *>(new On<8>(cells, dofs, metrics, densities));
      default: return nullptr;
    }
}

extern "C" std::size_t hexahedra_lanes() { return lanes; }

extern "C" void hexahedra_laplace(void *own, const double *u, double *y)
{
  static_cast<Operator *>(own)->laplace(u, y);
}

extern "C" void hexahedra_mass(void *own, const double *u, double *y)
{
  static_cast<Operator *>(own)->mass(u, y);
}
