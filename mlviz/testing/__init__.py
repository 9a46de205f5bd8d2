"""The checks that every method passes, for authors inside and outside this package: ``check_method(MyMethod)``.

``python -m mlviz.testing my-method`` prints a line a check. Each check is named after a bug seen in a public library.
"""

from __future__ import annotations

from mlviz.algorithms import Algorithm
from mlviz.testing import declaration, fits, pictures
from mlviz.testing.check import Check, DoesNotApply

__all__ = ["CHECKS", "Check", "DoesNotApply", "check_method"]

CHECKS: tuple[Check, ...] = (
    declaration.says_what_it_is,
    declaration.is_found_by_its_id,
    declaration.is_a_value,
    declaration.refuses_a_bad_value_by_name,
    declaration.declares_the_field_of_its_models,
    fits.leaves_everything_else_alone,
    fits.gives_a_frozen_model_of_its_own,
    fits.keeps_every_step_as_it_was,
    fits.gives_the_same_model_for_the_same_seed,
    fits.does_not_look_at_the_order_of_the_rows,
    fits.takes_weights_as_repeated_rows,
    fits.answers_by_its_argument,
    fits.mirrors_its_field_on_grids,
    fits.gives_plain_facts,
    fits.meets_degenerate_samples,
    fits.explains_in_sentences,
    fits.follows_the_hand_to_where_a_fit_ends,
    pictures.draws_every_step,
    pictures.draws_every_setting,
    pictures.draws_degenerate_samples,
    pictures.tells_five_classes_apart,
    pictures.comes_back_from_a_scene_file,
)
"""In the order of a method's life: declared, fitted, seen, saved."""


def check_method(cls: type[Algorithm]) -> None:
    """Raise AssertionError with a sentence at the first check that the method does not pass."""
    for check in CHECKS:
        try:
            check(cls)
        except DoesNotApply:
            continue
        except AssertionError as error:
            raise AssertionError(f"{check.__name__}: {error}") from error
