"""Python and the command line take the same bettings, and refuse the others in the same words."""

import json

import numpy as np
import pytest

import errai
from errai.errors import ErraiError
from tests.cli.command import errai as command


@pytest.fixture(scope="module")
def leduc(tmp_path_factory):
    folder = tmp_path_factory.mktemp("leduc")
    errai.solve("leduc", iterations=5, threads=1, out=folder, checkpoint_every=None)
    return folder


@pytest.mark.parametrize(
    ("text", "plain", "board"),
    [
        ("kr", "cr", ""),
        ("Cr", "cr", ""),
        ("XB", "cr", ""),
        ("cc", "cc/", "4c"),
        ("cc/", "cc/", "4c"),
        ("kk/Br", "cc/rr", "4c"),
    ],
)
def test_a_betting_that_python_takes_the_command_line_takes(leduc, capsys, text, plain, board):
    strategy = errai.load(leduc)
    decision = strategy.decision(text, board)
    np.testing.assert_array_equal(decision.probabilities, strategy.decision(plain, board).probabilities)
    found = command(capsys, "query", leduc, "--betting", text, "--board", board, "--json")
    assert found.code == 0, found.err
    hands = json.loads(found.out)["hands"]
    assert list(hands["2c"].values()) == list(decision.probabilities[0])


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("ccr", "betting 'ccr', position 3: 'r' follows the end of a round; '/' is needed before it"),
        ("c/r", "betting 'c/r', position 2: '/' does not belong here; the round has not ended, allowed: c"),
        ("cr/", "betting 'cr/', position 3: '/' does not belong here; the round has not ended, allowed: f"),
        ("f", "betting 'f', position 1: 'f' (fold) is not allowed; allowed: c (check), r (bet)"),
        (
            "rk",
            "betting 'rk', position 2: 'k' (check) is not allowed; allowed: f (fold), c (call), r (raise)",
        ),
    ],
)
def test_a_betting_that_python_refuses_the_command_line_refuses(leduc, capsys, text, complaint):
    with pytest.raises(ErraiError) as error:
        errai.load(leduc).decision(text, "")
    assert complaint in str(error.value)
    found = command(capsys, "query", leduc, "--betting", text)
    assert found.code == 2
    assert complaint in found.err
