import math
from dataclasses import dataclass

import numpy as np
import pytest

from mlviz.algorithms import LDA, registry
from mlviz.data.generators.catalog import generators
from mlviz.pipeline.decisions import Decision
from mlviz.scene.splits import RandomSplit
from mlviz.spec import BadValue, Declared, NumberInText, choice, flag, integer, per_class, real, text
from mlviz.spec.scale import Scale
from mlviz.studies import registry as studies


def recipe(value):
    if not value.startswith("bake "):
        raise BadValue(f"recipe is bake and a number, not {value!r}")


def minutes(value):
    return (NumberInText(5, len(value), float(value[5:]), "minutes", (1, 90)),)


@dataclass(frozen=True)
class Oven(Declared):
    heat: float = real(180.0, soft=(100, 250), valid=(0, None), open_low=True, log=True, help="degrees")
    trays: int = integer(1, soft=(1, 3), valid=(1, 4), help="how many")
    lambda_: float = real(0.1, soft=(0, 1), help="a name that Python reserves")
    mode: str = choice("fan", "grill", help="what blows", aliases={"broil": "grill"})
    steam: bool = flag(False, help="moist", when=("mode", ("fan",)))
    recipe: str = text("bake 20", grammar=recipe, numbers=minutes, help="what to do")
    shares: tuple[float, ...] = per_class(1.0, soft=(0, 10), valid=(0, None), help="how much of each")


def test_defaults_and_json_round_trip():
    oven = Oven(heat=200, lambda_=0.5, mode="grill", recipe="bake 9", shares=(2, 0.5))
    values = {"heat": 200.0, "trays": 1, "lambda": 0.5, "mode": "grill", "steam": False, "recipe": "bake 9"}
    assert oven.to_json() == values | {"shares": [2.0, 0.5]}
    assert Oven.from_json(oven.to_json()) == oven
    assert hash(Oven()) == hash(Oven())


@pytest.mark.parametrize("value", [np.float64(3), np.int64(3), 3, 3.0])
def test_numbers_become_plain_python(value):
    assert type(Oven(heat=value).heat) is float
    assert type(Oven(trays=value).trays) is int


BAD = {
    "heat": [0, math.nan, math.inf, "hot", True, None, 10**400],
    "trays": [0, 5, 1.5, True],
    "mode": ["bake", 1],
    "steam": [1, "yes"],
    "recipe": [1, None, "boil"],
    "shares": [None, 1, "1", [-1], [math.nan], ["1"], [1] * 101],
}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in BAD.items() for value in values])
def test_a_bad_value_is_refused_by_name(name, value):
    with pytest.raises(BadValue, match=rf"^{name} is "):
        Oven(**{name: value})


def test_an_unknown_key_names_the_known_ones():
    with pytest.raises(BadValue, match="heat, trays, lambda, mode, steam"):
        Oven.from_json({"colour": 1})


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("heat", "1e2", 100.0),
        ("trays", "2", 2),
        ("mode", "grill", "grill"),
        ("steam", "yes", True),
        ("lambda", " .5 ", 0.5),
        ("recipe", " bake 30 ", "bake 30"),
        ("shares", "1, 2:0.5", (1.0, 2.0, 0.5)),
    ],
)
def test_parse(key, text, value):
    assert Oven.parameter(key).parse(text) == value


@pytest.mark.parametrize(
    ("key", "text"), [("heat", "warm"), ("heat", "nan"), ("trays", "1.5"), ("mode", "bake"), ("steam", "maybe")]
)
def test_parse_refuses(key, text):
    with pytest.raises(BadValue, match=key):
        Oven.parameter(key).parse(text)


def test_when_says_what_matters():
    steam = Oven.parameter("steam")
    assert Oven().matters(steam) and not Oven(mode="grill").matters(steam)


def test_another_word_for_an_option_is_stored_as_the_option():
    assert Oven(mode="broil") == Oven(mode="grill") == Oven.from_json({"mode": "broil"})
    assert Oven.parameter("mode").parse("broil") == "grill"
    assert Oven.parameter("mode").range_text() == "one of fan, grill"


def test_range_text():
    assert Oven.parameter("heat").range_text() == "a number above 0"
    assert Oven.parameter("trays").range_text() == "a whole number from 1 to 4"


def test_numbers_in_a_text_and_for_a_class():
    recipe, shares = Oven.parameter("recipe"), Oven.parameter("shares")
    assert [n.value for n in recipe.numbers("bake 45")] == [45.0]
    assert [shares.for_class((3.0,), code) for code in (0, 1)] == [3.0, 1.0]
    assert shares.for_classes((3.0, 4.0, 5.0), 2) == (3.0, 4.0)
    assert shares.for_classes((3.0,), 3) == (3.0, 1.0, 1.0)
    assert Oven(shares=(3.0, 4.0)).for_groups([(1,), (0, 2)]).shares == (4.0, 4.0)
    assert shares.range_text() == "for each class a number of at least 0"


def test_numbers_that_add_up_to_more_than_is_allowed_keep_their_proportions():
    prior = LDA.parameter("priors")
    assert prior.added_up((1e9, 5e8, 1e-9), [(0, 1), (0, 2)]) == pytest.approx((1e9, 1e9 / 1.5), rel=1e-12)
    # A share that would be less than is allowed is the least allowed.
    assert prior.added_up((1e9, 5e8, 1e-9), [(0, 1), (2,)]) == (1e9, 1e-9)


def test_zero_has_no_sign():
    assert math.copysign(1, Oven.parameter("shares").check((-0.0,))[0]) == 1


def test_every_generator_draws_with_its_numbers_at_their_ends():
    for kind in generators().values():
        for parameter in kind.parameters():
            for end in parameter.valid if parameter.kind == "real" and not parameter.open_low else ():
                if end is not None:
                    assert np.isfinite(kind(**{parameter.name: -end if end == 0 else end}).generate(0).X).all()


def test_parameters_stand_where_the_class_declares_them_also_those_declared_anew():
    @dataclass(frozen=True)
    class Base(Declared):
        first: int = integer(1, soft=(0, 9), valid=(0, 9), help="one")
        second: int = integer(2, soft=(0, 9), valid=(0, 9), help="two")

    @dataclass(frozen=True)
    class Own(Base):
        third: int = integer(3, soft=(0, 9), valid=(0, 9), help="three")
        first: int = integer(4, soft=(0, 9), valid=(0, 9), help="four")

    assert [p.name for p in Own.parameters()] == ["third", "first", "second"]
    assert Own().first == 4


SHARES = [
    (f"{owner.id if hasattr(owner, 'id') else owner.__name__}.{parameter.key}", parameter)
    for owner in (*registry().values(), *generators().values(), *studies().values(), RandomSplit, Decision)
    for parameter in owner.parameters()
    if parameter.kind == "real" and not parameter.log and parameter.soft[0] >= 0 and parameter.soft[1] <= 1
]


@pytest.mark.parametrize("parameter", [one for _, one in SHARES], ids=[name for name, _ in SHARES])
def test_a_slider_over_shares_stops_at_whole_per_cents(parameter):
    scale = Scale(parameter)
    values = [100 * scale.value(tick) for tick in range(scale.ticks + 1)]
    fine = parameter.soft[1] - parameter.soft[0] < 0.4
    assert fine or values == pytest.approx(np.round(values).tolist(), abs=1e-9)
    assert [scale.tick(value / 100) for value in values] == list(range(scale.ticks + 1))
