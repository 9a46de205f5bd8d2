"""What the facts mean that a pipeline tells of any method."""

from __future__ import annotations

from mlviz.draw.facts import FactKind

PIPELINE_FACTS = (
    FactKind("training error", "Share of the training samples that the model puts into a wrong class.", unit="share"),
    FactKind("positive class", "The second of the two classes: errors that name it wrongly are the false positives."),
    FactKind("false positives", "Samples of the first class that are taken for the second, the positive one."),
    FactKind("false positive rate", "Share of the first class that is taken for the second.", unit="share"),
    FactKind("false negatives", "Samples of the second, positive class that are taken for the first one."),
    FactKind("false negative rate", "Share of the second class that is taken for the first.", unit="share"),
    FactKind("wrong in", "Training samples of this class that the model puts into another one."),
    FactKind(
        "Bayes threshold",
        "Probability of the second class from which on it is the cheaper decision: c_FP/(c_FP + c_FN).",
    ),
    FactKind("threshold", "The second class is chosen where the method's score is larger than this."),
    FactKind("mean cost", "What the decisions on the training samples cost, per sample."),
    FactKind("share rejected", "Share of the training samples for which no class is chosen.", unit="share"),
    FactKind(
        "training RMSE",
        "Root of the mean squared residual of the training samples, in the units of the target.",
    ),
    FactKind("errors counted for", "Predictions for all samples would take too long, so some were drawn at random."),
    FactKind(
        "units",
        "Lengths, angles and weights are those of the inputs scaled to mean 0 and standard deviation 1.",
    ),
    FactKind("slope along", "How much the function grows while this input grows by 1, in the units of the axes."),
    FactKind(
        "binary models",
        "Number of two-class models that tell the classes apart together; where their numbers differ, the smallest and "
        "the largest one are shown.",
    ),
)
