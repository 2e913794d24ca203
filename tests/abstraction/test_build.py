"""Abstractions of little games: made, cut off, resumed, damaged, and queried."""

from __future__ import annotations

import json
from itertools import combinations

import numpy as np
import pytest

from errai.abstraction import saved
from errai.abstraction.build import build
from errai.abstraction.features import LastStrengths, hands_of, last_boards, strengths_on
from errai.abstraction.presets import NAMED, RoundPlan, parse_preset
from errai.abstraction.report import cell_deals, report, report_json
from errai.abstraction.saved import (
    MANIFEST,
    cells_on,
    load_abstraction,
    load_description,
    verify_abstraction,
)
from errai.abstraction.transitions import shares
from errai.cards.canonical import canonical_boards
from errai.errors import ErraiError, StoppedError
from errai.files import pieces
from errai.files.seal import sealed
from errai.games.catalogue import load_game
from tests.abstraction.games import little_holdem
from tests.monitors import Recorder, StopAfter

GAME = little_holdem(ranks=4)
OF = hands_of(GAME)
MIXED = "lossless/emd:12/ehs2:9/ochs:10"


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mixed")
    build(GAME, MIXED, folder, seed=5, threads=1)
    return folder


def random_board(size, seed):
    return tuple(map(int, np.random.default_rng(seed).permutation(OF.deck.size)[:size]))


def test_every_hand_of_every_board_has_a_bucket(mixed):
    made = load_abstraction(mixed)
    assert made.counts[0] == len(np.unique(canonical_boards(OF.deck, 2, ()).hand_moves.min(axis=0)))
    assert made.counts[1:] == (12, 9, 10)
    for round_, count in zip(made.rounds, made.counts, strict=True):
        assert cell_deals(round_, OF).all()  # none is empty
        assert int(round_.cells.max()) < count


def test_hands_that_differ_by_suits_only_share_a_bucket(mixed):
    for round_ in load_abstraction(mixed).rounds:
        boards = round_.boards
        for b in range(0, len(boards.cards), 7):
            for g in range(len(boards.hand_moves)):
                if boards.group[b] >> g & 1:
                    assert np.array_equal(round_.cells[b][boards.hand_moves[g]], round_.cells[b])


@pytest.mark.parametrize(
    "preset",
    [
        MIXED,
        "ehs:3/ehs:7:kmeans/potential:5/potential:5",
        "ehs:3/potential:3,2,1/potential:3,2,1/potential:4,3,2,1",
        "lossless/lossless/emd:4/ehs2:6",
        "lossless/emd:4/emd:4/ranges:12",
        "lossless/ranges:5/ranges:6/ranges:12",
    ],
)
def test_cells_found_without_the_table_are_those_of_the_table(tmp_path, preset):
    made = build(GAME, preset, tmp_path, seed=5, threads=2)
    described = load_description(tmp_path)
    for round_, size in enumerate(GAME.board_sizes):
        for seed in range(3):
            cards = random_board(size, seed)
            buckets = made.rounds[round_]
            board, move = buckets.boards.find(cards) if cards else (0, 0)
            live = OF.live(np.array([cards], np.uint8).reshape(1, -1))[0]
            table = np.where(live, buckets.cells[board][buckets.boards.hand_moves[move]], 0)
            assert np.array_equal(cells_on(described, round_, cards), table)


def test_ranges_know_which_card_came_last(tmp_path):
    made = build(GAME, "lossless/ranges:5/ranges:6/ranges:12", tmp_path, seed=5, threads=1)
    assert [round_.boards.dealt for round_ in made.rounds] == [(), (3,), (3, 1), (4, 1)]
    river = made.rounds[3]
    for b in range(0, len(river.boards.cards), 13):
        for g in range(len(river.boards.hand_moves)):
            if river.boards.group[b] >> g & 1:
                assert np.array_equal(river.cells[b][river.boards.hand_moves[g]], river.cells[b])
    cards = random_board(5, 1)
    same = made.buckets(((), cards[:3][::-1], cards[3:4], cards[4:]))[3]
    first = made.buckets(((), cards[:3], cards[3:4], cards[4:]))[3]
    other = made.buckets(((), cards[1:4], cards[4:], cards[:1]))[3]
    assert np.array_equal(first, same)
    assert not np.array_equal(first, other)


def test_percentiles_of_strength_never_fall_with_strength(tmp_path):
    made = build(GAME, "lossless/ehs:5/ehs:5/ehs:5", tmp_path, threads=1)
    boards = last_boards(OF)
    last = LastStrengths(OF, boards, strengths_on(boards.cards, OF))
    for round_ in made.rounds[1:]:
        cards = round_.boards.cards
        mean = last.table if cards.shape[1] == OF.last else last.spread(cards).mean
        live = OF.live(cards)
        order = np.argsort(mean[live], kind="stable")
        assert (np.diff(round_.cells[live][order].astype(int)) >= 0).all()


@pytest.mark.parametrize(
    "preset", ["ehs:3:perfect/ehs:3:perfect/ehs:3:perfect/ehs:3:perfect", NAMED["psopti"]]
)
def test_with_perfect_recall_a_bucket_tells_the_bucket_before(tmp_path, preset):
    made = build(GAME, preset, tmp_path, threads=1)
    came_from = [{} for _ in made.rounds]
    deals = random_deals = 0
    for seed in range(60):
        cards = random_board(5, seed)
        found = made.buckets(((), cards[:3], cards[3:4], cards[4:]))
        live = found[-1] >= 0
        random_deals += int(live.sum())
        for r in range(1, 4):
            for before, now in zip(found[r - 1][live].tolist(), found[r][live].tolist(), strict=True):
                assert 0 <= now < made.counts[r]
                assert came_from[r].setdefault(now, before) == before
                deals += 1
    assert deals == 3 * random_deals


def test_nested_percentiles_cut_every_parent_into_equal_parts(tmp_path):
    game = little_holdem(ranks=5, board="0 3")
    made = build(game, "ehs:2:perfect/ehs:2:perfect", tmp_path, threads=1)
    of = hands_of(game)
    count = np.zeros(made.counts[1])
    for cards in combinations(range(of.deck.size), 3):
        found = made.buckets(((), cards))[1]
        count += np.bincount(found[found >= 0], minlength=len(count))
    assert made.counts == (2, 4)
    first = count.reshape(2, 2)
    assert (np.abs(first[:, 0] / first.sum(axis=1) - 0.5) < 0.1).all()


def test_one_hole_card_and_one_public_card(tmp_path):
    made = build(load_game("leduc"), "lossless/ochs:4", tmp_path, threads=1)
    assert made.counts == (3, 4)


def test_a_run_that_was_stopped_is_resumed_and_ends_the_same(tmp_path, mixed):
    with pytest.raises(StoppedError, match="kept"):
        build(GAME, MIXED, tmp_path, seed=5, threads=1, monitor=StopAfter(6))
    with pytest.raises(ErraiError, match="not finished"):
        load_abstraction(tmp_path)
    assert "preflop_cells.npy" in json.loads((tmp_path / MANIFEST).read_text())["parts"]
    recorder = Recorder()
    build(GAME, MIXED, tmp_path, seed=5, threads=2, monitor=recorder)
    told = [str(progress) for progress in recorder.reports]
    assert not any(words.startswith("preflop cells") for words in told)
    assert any(words.startswith("river cells") for words in told)
    assert verify_abstraction(tmp_path) == verify_abstraction(mixed)


def test_a_finished_abstraction_is_not_made_again(mixed):
    recorder = Recorder()
    before = (mixed / "river_cells.npy").stat().st_mtime_ns
    build(GAME, MIXED, mixed, seed=5, threads=1, monitor=recorder)
    assert recorder.reports == []
    assert (mixed / "river_cells.npy").stat().st_mtime_ns == before


def test_another_abstraction_in_the_folder_is_left_alone(mixed):
    with pytest.raises(ErraiError, match="its seed is not the one asked for"):
        build(GAME, MIXED, mixed, seed=6)
    with pytest.raises(ErraiError, match="its preset is not"):
        build(GAME, "lossless/emd:13/ehs2:9/ochs:10", mixed, seed=5)
    with pytest.raises(ErraiError, match="its game is not"):
        build(little_holdem(ranks=5), MIXED, mixed, seed=5)


def test_a_damaged_file_is_named(tmp_path):
    build(GAME, "lossless/ehs:3/ehs:3/ehs:3", tmp_path, threads=1)
    path = tmp_path / "turn_cells.npy"
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    with pytest.raises(ErraiError, match=r"turn_cells\.npy is damaged: its checksum"):
        verify_abstraction(tmp_path)
    path.write_bytes(content[:-5])
    with pytest.raises(ErraiError, match=r"turn_cells\.npy is damaged: it has"):
        load_abstraction(tmp_path)
    path.unlink()
    with pytest.raises(ErraiError, match=r"turn_cells\.npy is missing"):
        load_abstraction(tmp_path)
    made = build(GAME, "lossless/ehs:3/ehs:3/ehs:3", tmp_path, threads=1)  # mends it
    assert made.counts[1:] == (3, 3, 3)
    verify_abstraction(tmp_path)


def test_foreign_and_damaged_manifests_are_named(tmp_path, mixed):
    with pytest.raises(ErraiError, match="not a saved abstraction"):
        load_abstraction(tmp_path)
    path = tmp_path / MANIFEST
    path.write_text('{"format": "errai strategy", "version": 1}')
    with pytest.raises(ErraiError, match=r"abstraction\.json is not the manifest of a saved abstraction"):
        load_abstraction(tmp_path)
    content = json.loads((mixed / MANIFEST).read_text())
    for key in ("game", "parts", "rounds", "preset"):
        path.write_text(json.dumps(sealed({k: v for k, v in content.items() if k != key})))
        with pytest.raises(ErraiError, match=rf"abstraction\.json is damaged: '{key}' is missing"):
            load_abstraction(tmp_path)


def test_boards_of_a_wrong_size_are_refused(mixed):
    with pytest.raises(ErraiError, match="2 public cards are not those of the flop"):
        cells_on(load_description(mixed), 1, (0, 1))


def test_the_report_accounts_for_all_deals(mixed):
    reports = report(load_abstraction(mixed))
    assert [one.name for one in reports] == ["preflop", "flop", "turn", "river"]
    for one in reports[1:]:
        assert one.used == one.cells == one.buckets
        assert 0 < one.smallest <= one.median <= one.largest < 1
        assert one.spread < one.spread_of_all
        strengths = [example.strength for example in one.examples]
        assert strengths == sorted(strengths)
        assert all(example.hands for example in one.examples)
    assert json.dumps(report_json(reports))


@pytest.mark.parametrize("name", NAMED)
def test_named_presets_are_what_their_text_says(name):
    preset = parse_preset(name)
    assert preset.text == NAMED[name]
    assert parse_preset(preset.text).rounds == preset.rounds


def test_a_preset_can_be_spelled_out():
    preset = parse_preset("Lossless/emd:20000/ehs:30:kmeans/ochs:40:perfect")
    assert preset.rounds == (
        RoundPlan("lossless"),
        RoundPlan("emd", 20000, "kmeans"),
        RoundPlan("ehs", 30, "kmeans"),
        RoundPlan("ochs", 40, "kmeans", "perfect"),
    )
    assert preset.text == "lossless/emd:20000/ehs:30:kmeans/ochs:40:perfect"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("mediun", "did you mean medium"),
        ("nothing", "the names are tiny"),
        ("lossless/emd", "how many buckets"),
        ("lossless/magic:5", "unknown method 'magic'"),
        ("lossless/emd:0/x", "1 to"),
        ("lossless/emd:5:percentile", "no order"),
        ("lossless/ehs:5:often", "'often' is not understood"),
        ("lossless:5", "'5' is not understood"),
        ("potential:1", "2 buckets or more"),
        ("potential:5:kmeans", "by percentile"),
        ("potential:3,0,1", "no list of sizes"),
        ("ehs2:3,2", "from 0 to 1"),
    ],
)
def test_a_preset_that_is_not_understood_says_why(text, complaint):
    with pytest.raises(ErraiError, match=complaint):
        parse_preset(text)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("lossless/emd:5", "is for 2 rounds and little has 4"),
        ("lossless/ochs:5/emd:5/ochs:5", "ochs on the flop"),
        ("lossless/emd:5/emd:5/emd:5", "emd on the river"),
    ],
)
def test_a_preset_that_the_game_cannot_have_says_why(tmp_path, text, complaint):
    with pytest.raises(ErraiError, match=complaint):
        build(GAME, text, tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_a_query_of_a_large_table_checks_what_it_reads(tmp_path, monkeypatch):
    monkeypatch.setattr(saved, "PIECE", 1000)
    monkeypatch.setattr(pieces, "PIECE", 1000)
    built = build(GAME, "lossless/ehs:3/ehs:3/ehs:3", tmp_path, threads=1)
    path = tmp_path / "river_cells.npy"
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    opened = load_abstraction(tmp_path)
    board = tuple(int(card) for card in opened.rounds[3].boards.cards[0])
    np.testing.assert_array_equal(opened.rounds[3].on(board), built.rounds[3].on(board))
    last = tuple(int(card) for card in opened.rounds[3].boards.cards[-1])
    with pytest.raises(ErraiError, match=r"river_cells\.npy is damaged in piece"):
        opened.rounds[3].on(last)
    with pytest.raises(ErraiError, match=r"river_cells\.npy is damaged: its checksum"):
        opened.read_tables()


def test_strength_classes_have_the_sizes_that_are_given(tmp_path):
    made = build(little_holdem(ranks=5), "ehs:3/potential:4,3,2,1/potential:4/potential:4,3,2,1", tmp_path)
    assert parse_preset(made.name).rounds[1].text == "potential:4,3,2,1"
    classes = shares(made)[1]
    assert len(classes) == 5
    assert classes[:4] / classes[:4].sum() == pytest.approx([0.4, 0.3, 0.2, 0.1], abs=0.05)
    assert len(shares(made)[3]) == 4  # no draws when all cards are out
