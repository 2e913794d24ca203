"""A strategy on buckets says what was put in, for every hand and however the suits are named."""

import json
from itertools import permutations

import numpy as np
import pytest

from errai.abstraction.abstraction import Abstraction, RoundBuckets, lossless
from errai.abstraction.build import build
from errai.abstraction.packing import pack_abstraction
from errai.cards.notation import Deck, hand_index, hands
from errai.errors import ErraiError
from errai.files.manifest import sealed
from errai.games.definition import parse_game
from errai.games.lookup import betting_tree
from errai.games.state import start
from errai.strategy.export import row_count, rows
from errai.strategy.files import about, open_strategy
from errai.strategy.kinds import buckets as bucket_files
from errai.strategy.kinds.buckets import open_buckets, record_exploitability, save_buckets
from errai.strategy.quantised import quantised_round

# Hold'em with sixteen cards and one raise a round.
SMALL = parse_game(
    """GAMEDEF
    limit
    numPlayers = 2
    numRounds = 4
    blind = 2 1
    raiseSize = 2 2 4 4
    firstPlayer = 2 1 1 1
    maxRaises = 1 1 1 1
    numSuits = 4
    numRanks = 4
    numHoleCards = 2
    numBoardCards = 0 3 1 1
    END GAMEDEF""",
    name="small hold'em",
)
TREE = betting_tree(SMALL)
HOW = {
    "algorithm": "random",
    "iterations": 7,
    "seconds": 1.5,
    "command": "errai train",
    "strategy": "average",
}
BOARD = "2c3d4h 5s 5c"


def random_rows(abstraction, seed=3):
    """[round][context] the probabilities [A, buckets] of a random strategy."""
    generator = np.random.default_rng(seed)
    tables = []
    for template, K, count in zip(TREE.templates, TREE.contexts, abstraction.counts, strict=True):
        first = quantised_round(template, generator.random((template.rows, count)) ** 3)
        tables.append([np.roll(first, 97 * context, axis=1) for context in range(K)])
    return tables


def save(folder, abstraction, rows_of, **options):
    save_buckets(folder, SMALL, abstraction, [rows.__getitem__ for rows in rows_of], HOW, **options)


def decisions():
    """(betting, round, context, node) of every decision, by walking the rules."""

    def below(state, rounds):
        leaf = [
            next(i for i, leaf in enumerate(TREE.templates[r].leaves) if leaf.betting == text)
            for r, text in enumerate(rounds[:-1])
        ]
        context = sum(number * TREE.contexts[r] for r, number in enumerate(leaf))
        node = next(node for node in TREE.templates[state.round].nodes if node.betting == rounds[-1])
        yield "/".join(rounds), state.round, context, node
        for action in state.legal():
            after = state.act(action)
            here = (*rounds[:-1], rounds[-1] + action)
            if not after.over:
                yield from below(after, here if after.round == state.round else (*here, ""))

    return list(below(start(SMALL), ("",)))


@pytest.fixture(scope="module")
def exact():
    return lossless(SMALL)


@pytest.fixture(scope="module")
def tables(exact):
    return random_rows(exact)


@pytest.fixture(scope="module")
def saved(tmp_path_factory, exact, tables):
    """A strategy with a bucket for every hand, to be asked."""
    folder = tmp_path_factory.mktemp("exact")
    save(folder, exact, tables)
    return open_buckets(folder, exact)


@pytest.fixture(scope="module")
def abstraction(exact):
    """Forty buckets a round."""
    rounds = [RoundBuckets(40, of.boards, (of.cells % 40).astype(np.uint16)) for of in exact.rounds]
    return Abstraction(SMALL, "forty", tuple(rounds))


@pytest.fixture(scope="module")
def few(abstraction):
    return random_rows(abstraction)


@pytest.fixture
def folder(tmp_path, abstraction, few):
    """A small strategy, to be damaged."""
    save(tmp_path / "saved", abstraction, few)
    return tmp_path / "saved"


def cards_until(round_):
    sizes = (0, 3, 1, 1)
    cards = Deck(4, 4).parse(BOARD)
    return [cards[sum(sizes[:r]) : sum(sizes[: r + 1])] for r in range(round_ + 1)]


def test_every_decision_is_what_was_put_in(saved, exact, tables):
    all_decisions = decisions()
    assert len(all_decisions) == sum(
        K * len(template.nodes) for K, template in zip(TREE.contexts, TREE.templates, strict=True)
    )
    for betting, round_, context, node in all_decisions:
        board = cards_until(round_)
        found = saved.decision(betting, board)
        buckets = exact.buckets(tuple(board))[-1]
        assert (found.player, found.actions) == (node.player, tuple(node.actions))
        live = buckets >= 0
        assert np.isnan(found.probabilities[~live]).all()
        wanted = tables[round_][context][node.row : node.row + len(node.actions), buckets[live]]
        np.testing.assert_array_equal(found.probabilities[live], wanted.T / 255)
        np.testing.assert_allclose(found.probabilities[live].sum(axis=1), 1, rtol=0, atol=1e-15)


def test_whole_rounds_are_what_was_put_in(saved, exact, tables):
    for round_, table in enumerate(tables):
        for context, wanted in enumerate(table):
            np.testing.assert_array_equal(saved.context_rows(round_, context), wanted)
    with pytest.raises(ErraiError, match="round 1 has 1 contexts; there is no 1"):
        saved.context_rows(0, 1)


def test_more_buckets_than_a_block_holds_are_cut_into_pieces(tmp_path, abstraction, few, monkeypatch):
    monkeypatch.setattr(bucket_files, "PIECE", 15)
    save(tmp_path, abstraction, few)
    saved = open_buckets(tmp_path, abstraction)
    assert len(saved.files[3]) == TREE.contexts[3] * len(TREE.templates[3].nodes) * -(
        -abstraction.counts[3] // 15
    )
    np.testing.assert_array_equal(saved.context_rows(3, 5), few[3][5])
    found = saved.decision("cc/cc/cc/", BOARD).probabilities
    buckets = abstraction.buckets(tuple(cards_until(3)))[-1]
    live = buckets >= 0
    np.testing.assert_array_equal(found[live], few[3][0][:2, buckets[live]].T / 255)


def renamed(cards, suits):
    return [card - card % 4 + suits[card % 4] for card in map(int, cards)]


def test_renaming_the_suits_of_board_and_hands_changes_nothing(saved):
    for betting, round_ in (("c", 0), ("rc/r", 1), ("cc/crc/", 2), ("cc/cc/rc/c", 3)):
        board = cards_until(round_)
        plain = saved.decision(betting, board).probabilities
        for suits in permutations(range(4)):
            other = saved.decision(betting, [renamed(dealt, suits) for dealt in board]).probabilities
            moved = [hand_index(renamed(hand, suits)) for hand in hands(16, 2)]
            np.testing.assert_array_equal(other[moved], plain)


def test_perfect_recall_refines_the_bucket_of_the_round_before(tmp_path, exact):
    """Two buckets before the flop, and each is split in two in every round."""
    generator = np.random.default_rng(8)
    rounds = [RoundBuckets(2, exact.rounds[0].boards, (exact.rounds[0].cells % 2).astype(np.uint16))]
    count = 2
    for round_ in exact.rounds[1:]:
        refine = generator.permutation(2 * count).reshape(count, 2).astype(np.int32)
        rounds.append(RoundBuckets(2 * count, round_.boards, (round_.cells % 2).astype(np.uint16), refine))
        count *= 2
    recalling = Abstraction(SMALL, "recalling", tuple(rounds))
    tables = random_rows(recalling)
    save(tmp_path, recalling, tables)
    saved = open_buckets(tmp_path, recalling)
    board = tuple(cards_until(3))
    for round_ in range(4):
        np.testing.assert_array_equal(
            saved.buckets(board[: round_ + 1]), recalling.buckets(board[: round_ + 1])[-1]
        )
    buckets = recalling.buckets(board)[-1]
    live = buckets >= 0
    found = saved.decision("cc/cc/cc/", board).probabilities
    np.testing.assert_array_equal(found[live], tables[3][0][:2, buckets[live]].T / 255)


def test_one_hand_is_a_row_of_the_decision(saved):
    found = saved.probabilities("5h2d", "cc/r", "2c3d4h")
    row = saved.decision("cc/r", "2c3d4h").probabilities[hand_index(saved.spot.deck.parse("2d5h"))]
    assert found == dict(zip("fc", row, strict=True))


@pytest.mark.parametrize(
    ("hand", "betting", "board", "message"),
    [
        ("5h5d", "crr", "", "position 3: 'r' (raise) is not allowed; allowed: f (fold), c (call)"),
        ("5h5d", "f", "", "betting 'f' ends the hand"),
        ("5h5d", "cc/cc/cc/cc", BOARD, "betting 'cc/cc/cc/cc' ends the hand"),
        ("5h5d", "xc", "", "'x' (check) is not allowed; allowed: f (fold), c (call), r (raise)"),
        ("5h5d", "cc/", "2c3d", "this decision needs 3 board cards, not 2"),
        ("5h5d", "c", "2c3d4h", "this decision needs 0 board cards, not 3"),
        ("5h5d", "cc/", [[0, 5, 0]], "the card 2c is dealt twice"),
        ("5h5d", "cc/", "2c3d9h", "rank '9' at position 5 of '2c3d9h' is not in this deck"),
        ("5h2c", "cc/", "2c3d4h", "5h2c holds 2c, which is on the board"),
        ("5h", "cc/", "2c3d4h", "a hand of small hold'em has 2 cards, not 1"),
    ],
)
def test_a_question_off_the_tree_is_answered_in_one_line(saved, hand, betting, board, message):
    with pytest.raises(ErraiError, match=r"^[^\n]*$") as caught:
        saved.probabilities(hand, betting, board)
    assert message in str(caught.value)


def test_the_manifest_says_what_it_is(folder, abstraction):
    content = json.loads((folder / "strategy.json").read_text())
    assert (content["format"], content["version"], content["kind"]) == ("errai strategy", 3, "buckets")
    assert content["abstraction"]["counts"] == list(abstraction.counts)
    assert content["abstraction"]["folder"] == "abstraction"
    assert content["exploitability"] is None
    assert about(folder) == HOW
    assert sorted(path.name for path in folder.iterdir()) == [
        "flop.blocks", "preflop.blocks", "river.blocks", "strategy.json", "turn.blocks",
    ]  # fmt: skip
    opened = open_strategy(folder)
    assert opened.game == SMALL
    assert opened.game.name == "small hold'em"
    assert opened.bytes == sum(path.stat().st_size for path in folder.glob("*.blocks"))
    assert opened.bucket_decisions == sum(
        K * len(t.nodes) * count
        for K, t, count in zip(TREE.contexts, TREE.templates, abstraction.counts, strict=True)
    )


def test_the_abstraction_may_be_in_another_folder(tmp_path, abstraction, few):
    save(tmp_path / "a" / "saved", abstraction, few, tables=tmp_path / "buckets")
    content = json.loads((tmp_path / "a" / "saved" / "strategy.json").read_text())
    assert content["abstraction"]["folder"] == "../../buckets"


def test_a_measured_exploitability_is_added_and_the_rest_stays(folder, abstraction):
    before = json.loads((folder / "strategy.json").read_text())
    record_exploitability(folder, {"exploitability_mbb": 123.4, "exact": True})
    after = json.loads((folder / "strategy.json").read_text())
    assert after == sealed({**before, "exploitability": {"exploitability_mbb": 123.4, "exact": True}})
    blocks = sum(K * len(t.nodes) for K, t in zip(TREE.contexts, TREE.templates, strict=True))
    assert open_buckets(folder, abstraction).check() == f"all {blocks:,} blocks are as they were saved"


def test_a_damaged_block_is_named_by_verify(folder, abstraction):
    saved = open_buckets(folder, abstraction)
    place = int(saved.files[2]._index[11]["offset"])
    content = bytearray((folder / "turn.blocks").read_bytes())
    content[place + 3] ^= 1
    (folder / "turn.blocks").write_bytes(content)
    with pytest.raises(ErraiError, match=r"turn.blocks is damaged in block 11 of"):
        open_buckets(folder, abstraction).check()


def test_a_file_of_another_strategy_is_refused(folder, tmp_path, abstraction):
    save(tmp_path / "other", abstraction, random_rows(abstraction, seed=4))
    (folder / "flop.blocks").write_bytes((tmp_path / "other" / "flop.blocks").read_bytes())
    with pytest.raises(ErraiError, match=r"flop.blocks is not the file of this strategy"):
        open_buckets(folder)


def test_another_abstraction_is_refused(folder, abstraction):
    river = abstraction.rounds[3]
    moved = RoundBuckets(river.count, river.boards, river.cells[::-1])
    other = Abstraction(SMALL, "forty", (*abstraction.rounds[:3], moved))
    with pytest.raises(ErraiError, match="was made for other buckets, forty"):
        open_buckets(folder, other)


def test_a_failed_save_leaves_the_old_strategy(folder, abstraction, few):
    def fail(context):
        raise OSError(28, "No space left on device")

    with pytest.raises(ErraiError, match="no space left on device"):
        save_buckets(folder, SMALL, abstraction, [*[t.__getitem__ for t in few[:3]], fail], HOW)
    open_buckets(folder, abstraction).check()
    assert not [path for path in folder.iterdir() if path.name.startswith(".")]


def test_what_is_saved_must_be_quantised_and_of_the_right_shape(tmp_path, abstraction, few):
    def given(first):
        return [lambda context: first, *[t.__getitem__ for t in few[1:]]]

    with pytest.raises(ErraiError, match="do not add up to 255"):
        save_buckets(tmp_path, SMALL, abstraction, given(np.zeros_like(few[0][0])), HOW)
    with pytest.raises(ErraiError, match=r"context 0 of round 1 is uint8 \(2, 3\); it must be uint8 \(\d+, "):
        save_buckets(tmp_path, SMALL, abstraction, given(np.zeros((2, 3), np.uint8)), HOW)
    with pytest.raises(ErraiError, match="iterations, seconds, command, strategy is missing"):
        save_buckets(tmp_path, SMALL, abstraction, given(few[0][0]), {"algorithm": "x"})
    assert not (tmp_path / "strategy.json").exists()


def test_a_table_lists_every_hand_on_every_canonical_board(tmp_path):
    game = parse_game(
        "GAMEDEF\nlimit\nnumPlayers = 2\nnumRounds = 2\nblind = 1 1\nraiseSize = 1 1\nmaxRaises = 1 1\n"
        "numSuits = 2\nnumRanks = 3\nnumHoleCards = 1\nnumBoardCards = 0 1\nEND GAMEDEF",
        name="tiny",
    )
    buckets, tree = lossless(game), betting_tree(game)
    made = [
        lambda context, t=template, n=count: quantised_round(t, np.ones((t.rows, n)))
        for template, count in zip(tree.templates, buckets.counts, strict=True)
    ]
    save_buckets(tmp_path, game, buckets, made, HOW)
    opened = open_buckets(tmp_path, buckets)
    table = list(rows(opened))
    assert len({row.key for row in table}) == len(table) == row_count(opened)
    assert {sum(row.probabilities.values()) for row in table} == {1.0}


def test_a_strategy_whose_abstraction_has_no_tables_answers_the_same(tmp_path):
    full = build(SMALL, "lossless/emd:12/emd:11/ochs:10", tmp_path / "full", threads=1)
    rows_of = random_rows(full)
    save(tmp_path / "with", full, rows_of, tables=tmp_path / "full")
    save(tmp_path / "without", full, rows_of)
    pack_abstraction(tmp_path / "full", tmp_path / "without" / "abstraction")
    plain, small = open_buckets(tmp_path / "with"), open_buckets(tmp_path / "without")
    assert plain.abstraction.has_tables
    assert not small.abstraction.has_tables
    small.prepare()
    for betting, round_ in (("c", 0), ("rc/r", 1), ("cc/crc/", 2), ("cc/cc/rc/c", 3)):
        board = cards_until(round_)
        np.testing.assert_array_equal(
            small.decision(betting, board).probabilities, plain.decision(betting, board).probabilities
        )


def test_an_abstraction_that_is_damaged_is_named_by_the_question_that_needs_it(tmp_path, abstraction, few):
    save(tmp_path, abstraction, few)
    opened = open_buckets(tmp_path)
    assert opened.counts == abstraction.counts
    with pytest.raises(ErraiError, match="abstraction is not a saved abstraction: there is no such folder"):
        opened.decision("c")
