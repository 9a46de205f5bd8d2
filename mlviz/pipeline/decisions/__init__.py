"""What is decided by a model that is there, and what that costs."""

from mlviz.pipeline.decisions.decision import NATURAL_DECISION, Decision
from mlviz.pipeline.decisions.outcomes import outcomes, wrong_of_each
from mlviz.pipeline.decisions.score_threshold import (
    ScoreThreshold,
    Unit,
    log_odds,
    natural_threshold,
    rejected_of,
    score_of,
    score_threshold_of,
    signed_scores,
    signed_scores_on_grid,
    unit_of,
)

__all__ = [
    "NATURAL_DECISION",
    "Decision",
    "ScoreThreshold",
    "Unit",
    "log_odds",
    "natural_threshold",
    "outcomes",
    "rejected_of",
    "score_of",
    "score_threshold_of",
    "signed_scores",
    "signed_scores_on_grid",
    "unit_of",
    "wrong_of_each",
]
