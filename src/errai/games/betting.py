"""The one betting walker: two-player limit betting, action by action, by the rules of the ACPC dealer.

- `f` folds, and only when there is a bet to match.
- `c` matches the larger amount spent: a call when there is a bet to match, a check when not.
- `r` matches it and adds the round's raise size: a raise, or a bet when there was nothing to match. It is
  allowed while the round has had fewer raises than `maxRaises`; the blinds are not raises.

A round ends with the first `c` that is not its first action. So the big blind may still check or raise after
the small blind calls, and every raise is answered. Betting is written as these letters with `/` between
rounds: `crc/cc/` is a limp, a raise and a call, then two checks, with the third round about to begin.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from errai.errors import ErraiError
from errai.games.definition import GameDefinition

# What people also write: k and x for check, b for bet.
_CHECKS = "kx"
_BETS = "b"


@dataclass(frozen=True)
class BettingState:
    """A point in the betting of one hand."""

    round: int
    player: int  # whose turn it is; without meaning when the hand is over
    spent: tuple[int, int]  # chips put in so far in the whole hand, by seat
    raises: int  # in this round
    acted: int  # actions so far in this round
    folded: int | None = None  # the seat that folded
    over: bool = False  # somebody folded, or the last round ended: showdown

    @property
    def facing_bet(self) -> bool:
        """Whether the player to act must pay to go on."""
        return self.spent[self.player] < max(self.spent)


def start(game: GameDefinition) -> BettingState:
    """The betting before the first action: the blinds are in, nobody has acted."""
    _require_limit(game)
    small, large = game.blinds
    return BettingState(round=0, player=game.first_player[0], spent=(small, large), raises=0, acted=0)


def legal_actions(game: GameDefinition, state: BettingState) -> str:
    """The letters of the allowed actions in the order f, c, r; empty when the hand is over."""
    _require_limit(game)
    if state.over:
        return ""
    fold = "f" if state.facing_bet else ""
    bet = "r" if state.raises < game.max_raises[state.round] else ""
    return fold + "c" + bet


def act(game: GameDefinition, state: BettingState, action: str) -> BettingState:
    """The betting after one action: the same round, the beginning of the next one, or the end of the hand."""
    legal = legal_actions(game, state)
    if len(action) != 1 or action not in legal:
        raise ErraiError(f"action {action!a} is not allowed; {_allowed(game, state)}")
    if action == "f":
        return replace(state, acted=state.acted + 1, folded=state.player, over=True)
    raised = game.raise_sizes[state.round] if action == "r" else 0
    mine = max(state.spent) + raised
    spent = (mine, state.spent[1]) if state.player == 0 else (state.spent[0], mine)
    if action == "r" or state.acted == 0:
        return BettingState(
            round=state.round,
            player=1 - state.player,
            spent=spent,
            raises=state.raises + (action == "r"),
            acted=state.acted + 1,
        )
    if state.round + 1 == game.rounds:
        return replace(state, spent=spent, acted=state.acted + 1, over=True)
    following = state.round + 1
    return BettingState(round=following, player=game.first_player[following], spent=spent, raises=0, acted=0)


def parse_betting(game: GameDefinition, text: str) -> BettingState:
    """Where a written betting such as `rc/rc` has arrived.

    `/` stands exactly where a round ends; at the end of the text it may be left out. Capitals are fine, and
    so are `k` or `x` for a check and `b` for a bet.
    """
    return _walk(game, text)[1]


def betting_actions(game: GameDefinition, text: str) -> str:
    """The plain letters f, c and r of a written betting, without the `/`: `Rc/Xb` becomes `rccr`."""
    return _walk(game, text)[0]


def format_betting(game: GameDefinition, actions: Iterable[str]) -> str:
    """The canonical text of plain actions: `rccc` becomes `rc/cc/`, with `/` wherever a next round begins."""
    state = start(game)
    written = ""
    for action in actions:
        following = act(game, state, action)
        written += action + "/" * (following.round - state.round)
        state = following
    return written


def action_name(state: BettingState, action: str) -> str:
    """What a player calls an action here: fold, check, call, bet or raise."""
    names = {"f": "fold", "c": "call", "r": "raise"} if state.facing_bet else {"c": "check", "r": "bet"}
    return names.get(action, action)


def _walk(game: GameDefinition, text: str) -> tuple[str, BettingState]:
    state = start(game)
    actions = ""
    round_ended = False  # and its `/` has not been read yet
    for position, letter in enumerate(text.strip(), start=1):
        where = f"betting {text.strip()!a}, position {position}"
        if letter == "/":
            if not round_ended:
                rest = (
                    "the hand is over" if state.over else f"the round has not ended, {_allowed(game, state)}"
                )
                raise ErraiError(f"{where}: '/' does not belong here; {rest}")
            round_ended = False
            continue
        if state.over:
            end = "showdown" if state.folded is None else "fold"
            raise ErraiError(
                f"{where}: {letter!a} follows the {end} that ends the hand; nothing is allowed here"
            )
        if round_ended:
            raise ErraiError(f"{where}: {letter!a} follows the end of a round; '/' is needed before it")
        action = _plain(letter, state)
        if action not in legal_actions(game, state):
            raise ErraiError(f"{where}: {_described(letter)} is not allowed; {_allowed(game, state)}")
        following = act(game, state, action)
        round_ended = following.round > state.round or (following.over and following.folded is None)
        actions += action
        state = following
    return actions, state


def _plain(letter: str, state: BettingState) -> str:
    """f, c or r for a letter that means it here, and otherwise a letter that no rule allows."""
    lower = letter.lower()
    if lower in _CHECKS:
        return "?" if state.facing_bet else "c"
    if lower in _BETS:
        return "?" if state.facing_bet else "r"
    return lower if lower in ("f", "c", "r") else "?"


def _described(letter: str) -> str:
    names = {"f": "fold", "c": "check or call", "r": "raise", "k": "check", "x": "check", "b": "bet"}
    name = names.get(letter.lower())
    return f"{letter!a} ({name})" if name else ascii(letter)


def _allowed(game: GameDefinition, state: BettingState) -> str:
    legal = legal_actions(game, state)
    if not legal:
        return "the hand is over"
    return "allowed: " + ", ".join(f"{action} ({action_name(state, action)})" for action in legal)


def _require_limit(game: GameDefinition) -> None:
    if game.betting != "limit":
        raise ErraiError(f"{game.name}: no-limit betting is not supported; Errai solves only limit games")
