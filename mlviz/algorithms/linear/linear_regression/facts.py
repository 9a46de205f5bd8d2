"""What linear regression tells of a fit, with what that means."""

import numpy as np

from mlviz.algorithms.base import ModelFact

FACTS = (
    ModelFact(
        "the same as",
        lambda m: m.same_as,
        "What the method is called with this penalty: ridge regression with L2, the lasso with L1.",
    ),
    ModelFact(
        "R²",
        lambda m: m.r2,
        "Share of the target's variance that the model explains: 1 is perfect, 0 no better than the mean.",
        beside=lambda m: 1.0,
    ),
    ModelFact(
        "|w|",
        lambda m: float(np.linalg.norm(m.penalized)),
        "Length of the weight vector, without the offset: the shorter it is, the calmer the function. Weights of "
        "monomials are those of u, the inputs mapped to [−1, 1].",
    ),
    ModelFact(
        "|w|₁",
        lambda m: float(np.abs(m.penalized).sum()) if m.problem.l1 else None,
        "Sum of the sizes of the weights, which the L1 penalty makes small.",
    ),
    ModelFact(
        "non-zero weights",
        lambda m: int((m.penalized != 0).sum()) if m.problem.l1 else None,
        "Number of weights that the L1 penalty has not set to exactly 0.",
    ),
    ModelFact(
        "mean squared residual",
        lambda m: m.loss if m.problem.budget is not None else None,
        "What the loss budget limits; |w| is the smallest of all functions that come within the budget.",
    ),
    ModelFact(
        "λ of the same fit",
        lambda m: m.problem.l2 if m.problem.budget is not None and m.meets_budget and not m.problem.flat else None,
        "The L2 penalty whose minimum is the same function: each budget below the targets' variance has its λ.",
    ),
    ModelFact(
        "residual standard deviation",
        lambda m: m.noise,
        "Estimate of the noise: root of the sum of squared residuals over n minus the number of weights and 1.",
        level="more",
    ),
    ModelFact(
        "effective parameters",
        lambda m: m.effective_parameters,
        "What is left of the number of weights: the shares of all directions that the penalty leaves (filter factors), "
        "added up, and 1 for the offset.",
        level="more",
    ),
    ModelFact(
        "prior of the weights",
        lambda m: m.prior,
        "The fit is the most probable one (MAP) where each weight is drawn from this distribution before and the noise "
        "has the residuals' variance σ²: λ = σ²/(n τ²) for a Gaussian, λ = 2σ²/(n b) for a Laplace prior.",
        level="more",
    ),
    ModelFact(
        "smaller system",
        lambda m: m.smaller_system,
        "The same fit comes from equations in the weights (primal) or in the samples (dual); about so many products "
        "each takes to solve.",
        level="more",
    ),
    ModelFact(
        "primal minus dual",
        lambda m: m.dual_difference,
        "Largest difference between both systems' predictions at the samples, as a share of the targets' range.",
        level="solver",
    ),
    ModelFact(
        "offset",
        lambda m: m.intercept,
        "What is added to the weighted terms: the value of the function where all of them are 0.",
        beside=lambda m: float(np.abs(m.y).max()),
        level="more",
    ),
    ModelFact(
        "in powers of x",
        lambda m: m.in_powers,
        "The polynomial of u multiplied out: the weights of the powers of the input itself.",
    ),
    ModelFact(
        "terms",
        lambda m: len(m.penalized),
        "Number of weights: one for each input, monomial or other function.",
    ),
    ModelFact(
        "rank",
        lambda m: m.rank if not m.problem.l1 else None,
        "Number of terms that the samples can tell apart; below the number of terms many fits are equal. Splines "
        "add up to 1, as the offset does: of these one is always too many.",
    ),
    ModelFact(
        "solution",
        lambda m: "the one with the smallest |w| of many" if m.many_solutions else None,
        "Many weights fit equally well; of these the shortest vector is taken.",
    ),
    ModelFact(
        "condition number",
        lambda m: m.condition if not m.problem.l1 and not m.problem.flat else None,
        "How many times larger than the errors of the data those of the weights can be; above about 1e8 "
        "the weights mean little.",
    ),
    ModelFact(
        "gradient norm",
        lambda m: m.gradient_norm if not m.problem.l1 and not m.problem.flat else None,
        "Length of the objective's gradient, as a share of its length where all weights are 0.",
        level="solver",
    ),
    ModelFact(
        "duality gap",
        lambda m: m.duality_gap if m.problem.l1 else None,
        "By how much the objective is above its minimum at most, as a share of what it is where all weights are 0.",
        level="solver",
    ),
)
