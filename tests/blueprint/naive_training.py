"""Training on sampled boards as docs/blueprint.md describes it: one betting history and one pair of hands at a time.

The naive twin of errai.blueprint.kernels.sampling. Regrets and averages are dictionaries from the betting so far to
[buckets, actions]; reach and values are vectors over all hands, zero where the board blocks the hand; a fold and a
showdown are matrices [my hand, the opponent's hand]. Shared with the kernels are the buckets of a board and the order
in which a sample uses its random numbers:

    of the sample: the cards of all boards; those of the run-outs, round by round
    of the sample, a line and a seat: is the line walked; for every board of the last round and every chunk of its
    contexts: is the chunk walked

In a batch of samples both play the first round as they did when it began.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations
from math import comb, inf

import numpy as np

from errai.abstraction.abstraction import Abstraction
from errai.blueprint.rules import TrainingRule
from errai.games.definition import GameDefinition
from tests import naive

Table = dict[str, np.ndarray]  # betting so far -> [buckets, actions]
Leaf = Callable[[naive.Betting, np.ndarray], np.ndarray]  # (what goes on, reach) -> [hands] values
Seats = dict[int, np.ndarray]  # seat -> [hands]
BITS = (1 << 64) - 1


def hashed(seed: int, number: int) -> int:
    """64 bits of both."""
    state = ((seed + 1) * 0xD1342543DE82EF95 + number * 0xAEF17502108EF2D9) & BITS
    state = ((state ^ (state >> 32)) * 0xD6E8FEB86659FD93) & BITS
    return state ^ (state >> 29)


def random_numbers(state: int) -> Iterator[float]:
    """splitmix64 in [0, 1)."""
    while True:
        state = (state + 0x9E3779B97F4A7C15) & BITS
        z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & BITS
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & BITS
        yield ((z ^ (z >> 31)) >> 11) / 2**53


def deal(numbers: Iterator[float], deck: int, known: tuple[int, ...], more: int) -> tuple[int, ...]:
    """`known` and `more` different cards."""
    cards = list(known)
    while len(cards) < len(known) + more:
        card = int(next(numbers) * deck)
        if card not in cards:
            cards.append(card)
    return tuple(cards)


def matched(regret: np.ndarray) -> np.ndarray:
    """Regret matching, [hands, actions]."""
    positive = np.maximum(regret, 0)
    total = positive.sum(axis=1, keepdims=True)
    return np.where(total > 0, positive / np.where(total > 0, total, 1), 1 / regret.shape[1])


@cache
def live(game: GameDefinition, cards: tuple[int, ...]) -> np.ndarray:
    """[hands] which ones share no card with the board."""
    return np.array([not set(hand) & set(cards) for hand in all_hands(game)])


@cache
def showdowns(game: GameDefinition, cards: tuple[int, ...]) -> np.ndarray:
    """[my hand, the opponent's] 1 where mine is stronger, -1 where it is weaker, 0 where they cannot meet."""
    hands = all_hands(game)
    strength = {
        hand: naive.strength(game, tuple(sorted(hand + cards)))
        for hand in hands
        if not set(hand) & set(cards)
    }

    def won(mine: tuple[int, ...], theirs: tuple[int, ...]) -> float:
        if mine not in strength or theirs not in strength or set(mine) & set(theirs):
            return 0.0
        return float((strength[mine] > strength[theirs]) - (strength[mine] < strength[theirs]))

    return np.array([[won(mine, theirs) for theirs in hands] for mine in hands])


def all_hands(game: GameDefinition) -> list[tuple[int, ...]]:
    """In the order of the buckets: by the highest card, then by the next."""
    return sorted(combinations(range(game.deck_size), game.hole_cards), key=lambda hand: hand[::-1])


@dataclass
class NaiveTraining:
    """The tables of a training, and how samples change them."""

    abstraction: Abstraction
    rule: TrainingRule
    seed: int
    regret: Table
    opponent_regret: Table  # of the CFR-BR opponent, where it learns
    average: Table
    visit: list[float]  # how likely each line is walked
    chunk_of: Callable[[str], int]  # the chunk of a betting history that begins the last round
    chunk_visit: list[float]  # how likely each chunk is walked
    runouts: int
    last_boards: int = 1

    def __post_init__(self) -> None:
        self.game = self.abstraction.game
        self.rounds = self.game.rounds
        self.public = [sum(self.game.board_cards[: r + 1]) for r in range(self.rounds)]
        self.hands = all_hands(self.game)
        self.apart = np.array([[float(not set(a) & set(b)) for b in self.hands] for a in self.hands])
        leaves = [s for s in naive.betting_states(self.game) if s.round == 1 and s.history.endswith("/")]
        self.lines = {state.history: number for number, state in enumerate(leaves)}

    def importance(self, round_: int) -> float:
        """One board of a round stands for its chance, given both hands, over the chance of drawing it."""
        before, new = self.public[round_ - 1], self.game.board_cards[round_]
        return comb(self.game.deck_size - before, new) / comb(
            self.game.deck_size - before - 2 * self.game.hole_cards, new
        )

    def batch(self, samples: Iterable[int]) -> None:
        """Walk samples that meet the same first round."""
        self.played = {
            id(table): {history: rows.copy() for history, rows in table.items() if "/" not in history}
            for table in (self.regret, self.opponent_regret)
        }
        for number in samples:
            self.sample(number)

    def sample(self, number: int) -> None:
        """Walk one sample for both seats."""
        numbers = random_numbers(hashed(self.seed, number))
        last, game = self.rounds - 1, self.game
        new = game.board_cards[last]
        cards = deal(numbers, self.game.deck_size, (), self.public[last - 1] + self.last_boards * new)
        common, own = cards[: self.public[last - 1]], cards[self.public[last - 1] :]
        boards = [[common[: self.public[round_]]] for round_ in range(last)]
        boards.append([common + own[e * new : (e + 1) * new] for e in range(self.last_boards)])
        complete = [
            [
                deal(numbers, self.game.deck_size, boards[round_][0], self.public[last] - self.public[round_])
                for _ in range(self.runouts)
            ]
            for round_ in range(1, last)
        ]
        runouts = dict(enumerate([*complete, boards[last]], start=1))
        t = (number + 1) / 1000
        weights = t ** self.rule.powers[0], t ** self.rule.powers[1]
        for player in (0, 1):
            Pass(self, player, boards, runouts, *weights, number).run()


@dataclass
class Pass:
    """One sample for one seat: its regrets, and in CFR-BR those of the opponent that it meets."""

    training: NaiveTraining
    player: int
    boards: list[list[tuple[int, ...]]]  # of each round
    runouts: dict[int, list[tuple[int, ...]]]  # complete boards that begin with the board of a round
    weight: float  # of the regrets
    averaging: float
    number: int  # of the sample

    def __post_init__(self) -> None:
        self.game, self.hands = self.training.game, self.training.hands
        self.opponent = 1 - self.player
        self.best_rounds = self.training.rule.best_response
        self.best_from = self.training.rounds - self.best_rounds  # the opponent responds best from here on
        # Whose values are computed, and whose average is taken: of the one that the learner meets.
        self.learners = (self.player, self.opponent) if self.best_rounds else (self.player,)
        self.averaged = self.player if self.best_rounds else self.opponent
        self.end = 0  # the board of the last round that is walked
        self.walked_chunks: dict[tuple[str, int, int], float] = {}

    def run(self) -> None:
        """From the first round, where every hand of both seats is as likely."""
        self.walked = dict.fromkeys(self.training.lines, 0.0)
        for history, line in self.training.lines.items():
            sample = hashed(self.training.seed, self.number)
            numbers = random_numbers(hashed(sample, 2 * line + self.player))
            if next(numbers) < self.training.visit[line]:
                self.walked[history] = 1 / self.training.visit[line]
                for end in range(len(self.boards[-1])):
                    for chunk, often in enumerate(self.training.chunk_visit):
                        walked = next(numbers) < often
                        self.walked_chunks[history, end, chunk] = 1 / often if walked else 0.0
        everyone = np.ones(len(self.hands))
        self.visit(naive.begin(self.game), {0: everyone, 1: everyone})

    # The hands of a board

    def board(self, round_: int) -> tuple[int, ...]:
        return self.boards[round_][self.end if round_ == self.training.rounds - 1 else 0]

    def live(self, round_: int) -> np.ndarray:
        return live(self.game, self.board(round_))

    def bucket(self, round_: int) -> np.ndarray:
        cards, public = self.board(round_), [0, *self.training.public]
        dealt = tuple(cards[public[r] : public[r + 1]] for r in range(round_ + 1))
        return self.training.abstraction.buckets(dealt)[-1]

    @cached_property
    def checked_down(self) -> dict[int, np.ndarray]:
        """For each round the mean showdown of its run-outs."""
        return {
            round_: np.mean([showdowns(self.game, cards) for cards in boards], axis=0)
            for round_, boards in self.runouts.items()
            if boards
        }

    # The walk

    def visit(self, state: naive.Betting, reach: Seats) -> Seats:
        """Values of the learners, [hands] each, times the reach of the seat opposite and of chance."""
        if state.over:
            return {seat: self.ending(state, seat, reach[1 - seat]) for seat in self.learners}
        actor, history, round_ = state.player, state.history, state.round
        live, bucket = self.live(round_), self.bucket(round_)
        table = self.table(actor)
        rows = self.training.played[id(table)].get(history, table[history])
        share = np.zeros((len(self.hands), len(naive.legal_actions(self.game, state))))
        share[live] = matched(rows[bucket[live]])
        if actor == self.averaged:
            np.add.at(
                self.training.average[history],
                bucket[live],
                self.averaging * (share * reach[actor][:, None])[live],
            )
        values = []
        for a, action in enumerate(naive.legal_actions(self.game, state)):
            after = naive.act(self.game, state, action)
            following = {actor: reach[actor] * share[:, a], 1 - actor: reach[1 - actor]}
            values.append(self.onward(state, after, following))
        return self.join(state, values, share)

    def join(self, state: naive.Betting, values: list[Seats], share: np.ndarray) -> Seats:
        """The values of a decision from those of its actions; the regrets of an actor who learns are updated."""
        actor = state.player
        found = {seat: sum(of[seat] for of in values) for seat in self.learners if seat != actor}
        if actor in self.learners:
            by_action = np.stack([of[actor] for of in values], axis=1)
            found[actor] = (share * by_action).sum(axis=1)
            live, table = self.live(state.round), self.table(actor)[state.history]
            bucket = self.bucket(state.round)[live]
            np.add.at(table, bucket, self.weight * (by_action - found[actor][:, None])[live])
            lowest = (
                0.0 if table is self.training.opponent_regret.get(state.history) else self.training.rule.floor
            )
            if lowest > -inf:
                table[bucket] = np.maximum(table[bucket], lowest)
        return found

    def table(self, seat: int) -> Table:
        """What a seat plays by in this pass."""
        if self.best_rounds and seat == self.opponent:
            return self.training.opponent_regret
        return self.training.regret

    def onward(self, before: naive.Betting, state: naive.Betting, reach: Seats) -> Seats:
        """What comes after an action: this round, the end of the hand, or the board of the next round."""
        if state.over or state.round == before.round:
            return self.visit(state, reach)
        if state.round == 1 and not self.walked[state.history]:
            return {seat: np.zeros(len(self.hands)) for seat in self.learners}
        return self.next_round(state, reach)

    def next_round(self, state: naive.Betting, reach: Seats) -> Seats:
        """The sampled board of the next round instead of all; its values are weighted by 1 / q."""
        round_ = state.round
        live = self.live(round_)
        inside = {seat: np.where(live, own, 0) for seat, own in reach.items()}
        if self.best_rounds == 2 and round_ == self.best_from:
            values = self.last_two_rounds(state, inside)
        elif self.times(state) == 0:
            values = {seat: np.zeros(len(self.hands)) for seat in self.learners}
        elif self.best_rounds == 1 and round_ == self.best_from:
            values = self.last_round(state, inside)
        else:
            values = self.visit(state, inside)
        return {seat: self.sampled(state, values[seat], seat, reach[1 - seat]) for seat in self.learners}

    def times(self, state: naive.Betting) -> float:
        """The importance weight 1 / q, or 0, of what begins here: a line, or a context of the last round."""
        times = self.walked[state.history] if state.round == 1 else 1.0
        if state.round == self.training.rounds - 1:
            line = state.history.split("/")[0] + "/"
            times *= self.walked_chunks[line, self.end, self.training.chunk_of(state.history)]
        return times

    def sampled(
        self,
        state: naive.Betting,
        values: np.ndarray,
        seat: int,
        reach: np.ndarray,
        times: float | None = None,
    ) -> np.ndarray:
        """Values of a board for the leaf above it, with what checking down wins as a control variate."""
        times = self.times(state) if times is None else times
        found = np.where(self.live(state.round), values, 0) * times * self.training.importance(state.round)
        if state.round > 1 and self.training.runouts:
            above, last = state.round - 1, self.training.rounds - 1
            here = (
                showdowns(self.game, self.board(last))
                if state.round == last
                else self.checked_down[state.round]
            )
            difference = self.checked_down[above] - here * (times if state.round == last else 1.0)
            for round_ in range(state.round, last + 1):
                difference = difference * self.training.importance(round_)
            found = found + np.where(self.live(above), state.spent[seat] * difference @ reach, 0)
        return found

    def ending(self, state: naive.Betting, seat: int, reach: np.ndarray) -> np.ndarray:
        """What every hand of a seat wins against the opponent's reach."""
        if state.folded is not None:
            chips = state.spent[seat] if state.folded == seat else state.spent[1 - seat]
            sign = -1 if state.folded == seat else 1
            return sign * chips * (self.training.apart @ reach)
        return state.spent[seat] * (showdowns(self.game, self.board(state.round)) @ reach)

    # The CFR-BR opponent

    def last_round(self, state: naive.Betting, reach: Seats) -> Seats:
        """The opponent's best response to the current strategy on this very board, and what the player learns."""
        choices: dict[str, np.ndarray] = {}
        best = self.respond(state, reach[self.player], choices, self.terminal)
        met = self.against(state, reach[self.opponent], choices, self.terminal)
        return {self.opponent: best, self.player: met}

    def last_two_rounds(self, state: naive.Betting, reach: Seats) -> Seats:
        """Several boards of the last round: on each the opponent does before it what is best on all the others."""
        ends = range(len(self.boards[-1]))
        # The best response on each board of the last round, at each way to get there.
        leaf_values: list[dict[str, np.ndarray]] = [{} for _ in ends]
        choices: list[dict[str, np.ndarray]] = [{} for _ in ends]

        def leaf(after: naive.Betting, own: np.ndarray) -> np.ndarray:
            for self.end in ends:
                inside = np.where(self.live(after.round), own, 0)
                best = self.respond(after, inside, choices[self.end], self.terminal)
                leaf_values[self.end][after.history] = self.sampled(
                    after, best, self.opponent, own, times=1.0
                )
            return np.zeros(len(self.hands))

        def known(values: dict[str, np.ndarray]) -> Leaf:
            return lambda after, own: values[after.history]

        def meet(after: naive.Betting, own: np.ndarray) -> np.ndarray:
            values = np.zeros(len(self.hands))
            if self.times(after):
                inside = np.where(self.live(after.round), own, 0)
                values = self.against(after, inside, choices[self.end], self.terminal)
            return self.sampled(after, values, self.player, own)

        self.respond(state, reach[self.player], {}, leaf)
        # All that the opponent does is a response to the strategy as it was before this sample.
        found = {seat: np.zeros(len(self.hands)) for seat in self.learners}
        chosen: list[dict[str, np.ndarray]] = [{} for _ in ends]
        for end in ends:
            others = {
                history: sum(leaf_values[e][history] for e in ends if e != end) / (len(ends) - 1)
                for history in leaf_values[end]
            }
            self.respond(state, reach[self.player], chosen[end], known(others), average=False)
            found[self.opponent] += self.respond(
                state, reach[self.player], chosen[end], known(leaf_values[end]), average=False
            )
        for self.end in ends:
            found[self.player] += self.against(state, reach[self.opponent], chosen[self.end], meet)
        return {seat: values / len(ends) for seat, values in found.items()}

    def terminal(self, state: naive.Betting, reach: np.ndarray) -> np.ndarray:
        raise AssertionError("the last round has no leaves that go on")

    def respond(
        self,
        state: naive.Betting,
        reach: np.ndarray,
        choices: dict[str, np.ndarray],
        leaf: Leaf,
        average: bool = True,
    ) -> np.ndarray:
        """The opponent's values on a round against the player's reach: by its choices, the best where it has none."""
        if state.over:
            return self.ending(state, self.opponent, reach)
        live, bucket = self.live(state.round), self.bucket(state.round)
        table = self.training.regret[state.history] if state.player == self.player else None
        share = np.zeros((len(self.hands), 3))
        if table is not None:
            share[live, : table.shape[1]] = matched(table[bucket[live]])
            if average:
                gained = self.averaging * (share * reach[:, None])[live, : table.shape[1]]
                np.add.at(self.training.average[state.history], bucket[live], gained)
        values = []
        for a, action in enumerate(naive.legal_actions(self.game, state)):
            after = naive.act(self.game, state, action)
            own = reach * share[:, a] if table is not None else reach
            goes_on = after.round == state.round or after.over
            values.append(self.respond(after, own, choices, leaf, average) if goes_on else leaf(after, own))
        if table is not None:
            return sum(values)
        chosen = choices.setdefault(state.history, np.argmax(values, axis=0))
        return np.stack(values)[chosen, np.arange(len(self.hands))]

    def against(
        self,
        state: naive.Betting,
        reach: np.ndarray,
        choices: dict[str, np.ndarray],
        leaf: Leaf,
    ) -> np.ndarray:
        """The player's values on a round against an opponent who has chosen; its regrets are updated."""
        if state.over:
            return self.ending(state, self.player, reach)
        values = []
        for a, action in enumerate(naive.legal_actions(self.game, state)):
            after = naive.act(self.game, state, action)
            own = reach if state.player == self.player else np.where(choices[state.history] == a, reach, 0)
            goes_on = after.round == state.round or after.over
            values.append(self.against(after, own, choices, leaf) if goes_on else leaf(after, own))
        if state.player != self.player:
            return sum(values)
        live = self.live(state.round)
        table = self.training.regret[state.history]
        share = np.zeros((len(self.hands), table.shape[1]))
        share[live] = matched(table[self.bucket(state.round)[live]])
        return self.join(state, [{self.player: of, self.opponent: of} for of in values], share)[self.player]
