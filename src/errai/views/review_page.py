"""A review as one HTML page that needs nothing else: no script, no font, no picture from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from errai.cards.notation import Deck
from errai.figure import CALL, FOLD, RAISE
from errai.formatting import ORDER, percent_texts
from errai.play.coach import Judgement
from errai.play.review import Leak, Review, Reviewed
from errai.strategy.query import Query
from errai.strategy.strategy import Strategy
from errai.views.decision import grid_view
from errai.views.grid import GridCell, grid_cells, legend
from errai.views.review_style import STYLE
from errai.views.reviews import KINDS, hands_text, loss_text, summary
from errai.views.seat import SUITS, blinds_text, cost_text, round_name
from errai.views.seats import history, pot_text

_RANKS = {"A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "ten"}
_SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
_COLOURS = {"r": RAISE, "c": CALL, "f": FOLD}


def review_page(found: Review, strategy: Strategy, judge: str, faults: Sequence[str] = ()) -> str:
    """The page; `judge` is the name of the strategy."""
    title = f"{found.player}: {hands_text(found)} by {judge}"
    leaks = "".join(_leaks(found, kind) for kind in KINDS)
    worst = "".join(_decision(one, number, strategy) for number, one in enumerate(found.worst(), 1))
    rare = "".join(_decision(one, number, strategy, False) for number, one in enumerate(found.rare(5), 1))
    nothing = "<p>No decision is known to have cost anything.</p>"
    return _page(
        title,
        f"<header><h1>{escape(found.player)}</h1>"
        f"<p>{hands_text(found)} of {escape(strategy.title)}, judged by {escape(judge)}</p></header>"
        f"<main>{_facts(found)}"
        f"<section aria-labelledby='leaks'><h2 id='leaks'>Where it was lost</h2>"
        f"<div class='leaks'>{leaks}</div></section>"
        f"<section aria-labelledby='worst'><h2 id='worst'>The costliest decisions</h2>{worst or nothing}</section>"
        + (
            f"<section aria-labelledby='rare'><h2 id='rare'>Hardly ever made by the strategy</h2>{rare}</section>"
            if rare
            else ""
        )
        + f"</main>{_foot(found, faults)}",
    )


def _page(title: str, body: str) -> str:
    return (
        "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>"
        "<meta name='color-scheme' content='light dark'>"
        f"<title>{escape(title)}</title><style>{STYLE}</style></head>\n<body>{body}</body></html>\n"
    )


def _facts(found: Review) -> str:
    """Winnings with and without luck, and losses."""
    tiles = []
    for label, text in summary(found):
        figure, _, rest = text.partition(" mbb/g") if " mbb/g" in text else (text, "", "")
        unit = " <small>mbb/g</small>" if " mbb/g" in text else ""
        note = rest.strip(" ,")
        tiles.append(
            f"<div><dt>{escape(label)}</dt><dd><b>{escape(figure)}</b>{unit}<span>{escape(note)}</span></dd></div>"
        )
    return f"<dl class='facts'>{''.join(tiles)}</dl>"


def _leaks(found: Review, kind: str) -> str:
    leaks = found.leaks(KINDS[kind])
    most = max((leak.loss for leak in leaks.values()), default=0.0)
    rows = "".join(_leak(found, name, leak, most) for name, leak in leaks.items())
    return (
        f"<table><caption>By {kind}</caption><thead><tr><th scope='col'>{kind}</th>"
        "<th scope='col' class='n'>decisions</th><th scope='col' class='n'>lost, mbb/g</th></tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )


def _leak(found: Review, name: str, leak: Leak, most: float) -> str:
    lost, error = found.mbb(leak.loss), found.mbb(leak.error)
    figure = (
        f"{lost:,.1f}" + (f" <small>± {error:,.1f}</small>" if error else "") if leak.judged else "not known"
    )
    width = 100 * max(leak.loss, 0.0) / most if most > 0 else 0.0
    return (
        f"<tr><th scope='row'>{escape(name)}</th><td class='n'>{leak.decisions:,}</td>"
        f"<td class='n'>{figure}<i class='bar' style='width:{width:.1f}%'></i></td></tr>"
    )


def _decision(one: Reviewed, number: int, strategy: Strategy, grid: bool = True) -> str:
    judgement = one.judgement
    state = judgement.state
    loss = judgement.loss
    cost = "" if loss is None else f"<b class='cost'>{escape(cost_text(judgement))}</b>"
    board = "".join(cards_html(state.deck, dealt) for dealt in state.board if dealt)
    held = cards_html(state.deck, one.hand.state.hole[one.seat] or ())
    happened = history(state, strategy.seats) or f"{strategy.seats[one.seat]} is first to act"
    public = f"<dt>Board</dt><dd>{board}</dd>" if board else ""
    return (
        f"<article><h3>{number}. {escape(round_name(state).capitalize())}: "
        f"{escape(state.action_name(judgement.action))} {cost}</h3>"
        f"<div class='spot'><dl><dt>Hand</dt><dd>{held}</dd>{public}</dl>"
        f"<p>{_suited(escape(happened))}.<br>{escape(strategy.seats[one.seat].capitalize())} to act, "
        f"{escape(pot_text(state.pot, state.pot / state.game.unit))}.</p>"
        f"{_actions(judgement)}</div>"
        f"{_grid(one, strategy) if grid else ''}"
        f"<p class='where'>Hand {one.hand.number}, {escape(str(one.hand.place))}</p></article>"
    )


def _actions(judgement: Judgement) -> str:
    """What the strategy does with the hand, and what every action is worth."""
    state, values = judgement.state, judgement.values
    errors = {} if judgement.sampled is None else dict(
        zip(judgement.sampled.actions, judgement.sampled.errors.tolist(), strict=True)
    )  # fmt: skip
    percents = percent_texts(list(judgement.shares.values()), 0)
    rows = []
    for (action, _), percent in zip(judgement.shares.items(), percents, strict=True):
        worth = "" if values is None else blinds_text(state, values[action], sign=True)
        if errors.get(action):
            worth += f" <small>± {errors[action] / state.game.unit:.2g}</small>"
        taken = action == judgement.action
        rows.append(
            f"<tr{' class=taken' if taken else ''}><th scope='row'><i class='key {action[0]}'></i>"
            f"{escape(state.action_name(action))}{' <small>taken</small>' if taken else ''}</th>"
            f"<td class='n'>{percent}</td><td class='n'>{worth or '–'}</td></tr>"
        )
    return (
        "<table class='actions'><thead><tr><th scope='col'>action</th><th scope='col' class='n'>strategy</th>"
        f"<th scope='col' class='n'>worth</th></tr></thead><tbody>{''.join(rows)}</tbody></table>"
    )


def _grid(one: Reviewed, strategy: Strategy) -> str:
    """The 169 classes at the decision, the hand marked."""
    state = one.judgement.state
    query = Query(strategy, state, strategy.decision(state))
    if not query.has_grid:
        return ""
    view = grid_view(query)
    own = _class_of(state.deck, one.hand.state.hole[one.seat] or ())
    hidden = view.hidden() - {own}
    stray = ": the strategy hardly ever gets here with it" if own in view.rare else ""
    rows = "".join(
        f"<tr>{''.join(_cell(cell, view.names, cell.hand == own) for cell in row)}</tr>"
        for row in grid_cells(view.shares, hidden)
    )
    keys = "".join(
        f"<span><i class='key {letter}'></i>{escape(view.names[letter])}{_share(view.overall, letter)}</span>"
        for letter in ORDER
        if letter in view.names
    )
    return (
        "<details open><summary>What the strategy does with every hand here</summary>"
        "<div class='scroll' role='region' tabindex='0' aria-label='Grid of all hands'>"
        f"<table class='grid'><tbody>{rows}</tbody></table></div>"
        f"<p class='keys'>{escape(legend(view.names))}; your hand {own} is outlined{stray}</p><p class='keys'>{keys}"
        "<span><i class='key out'></i>does not get here</span></p></details>"
    )


def _share(overall: dict[str, float], letter: str) -> str:
    return f" {100 * overall[letter]:.1f}% of all" if letter in overall else ""


def _cell(cell: GridCell, names: dict[str, str], own: bool) -> str:
    mark = " own" if own else ""
    if cell.shares is None:
        return f"<td class='out{mark}'>{cell.hand}</td>"
    stops, reached = [], 0.0
    letters = [letter for letter in ORDER if cell.shares.get(letter, 0) > 0]
    for letter in letters:
        start, reached = reached, reached + 100 * cell.shares[letter]
        stops.append(f"{_COLOURS[letter]} {start:.0f}% {reached:.0f}%")
    said = ", ".join(
        f"{names[letter]} {text}"
        for letter, text in zip(
            letters, percent_texts([cell.shares[letter] for letter in letters], 0), strict=True
        )
    )
    yours = ", your hand" if own else ""
    return (
        f"<td class='in{mark}' title='{cell.hand}: {escape(said)}{yours}' "
        f"style='background:linear-gradient(90deg,{','.join(stops)})'>{cell.hand}<small>{cell.text}</small></td>"
    )


def cards_html(deck: Deck, cards: Sequence[int]) -> str:
    """Cards as they are drawn, in the four colours of the suits."""
    return "".join(_card(deck.format(card)) for card in cards)


def _card(text: str) -> str:
    rank, suit = text[0], text[1]
    name = f"{_RANKS.get(rank, rank)} of {_SUITS[suit]}"
    return f"<span class='card {suit}' role='img' aria-label='{name}'>{rank}{SUITS[suit]}</span>"


def _suited(text: str) -> str:
    """Ks 7h 2d in a sentence, with the signs of the suits."""
    words = text.split(" ")
    return " ".join(
        f"<span class='{word[1]}'>{word[0]}{SUITS[word[1]]}</span>{word[2:]}"
        if len(word) in (2, 3)
        and word[0] in "23456789TJQKA"
        and word[1] in SUITS
        and word[2:] in ("", ":", ";")
        else word
        for word in words
    )


def _class_of(deck: Deck, cards: Sequence[int]) -> str:
    """AKs, QJo or 77."""
    first, second = (deck.format(card) for card in sorted(cards, reverse=True))
    kind = "" if first[0] == second[0] else "s" if first[1] == second[1] else "o"
    return first[0] + second[0] + kind


def _foot(found: Review, faults: Sequence[str]) -> str:
    skipped = ""
    if faults:
        listed = "".join(f"<li>{escape(fault)}</li>" for fault in faults[:20])
        count = f"{len(faults):,} hand{'' if len(faults) == 1 else 's'}"
        skipped = f"<details><summary>{count} could not be read</summary><ul>{listed}</ul></details>"
    how = "A loss is what the best action wins more than the one taken, with both ranges as the strategy plays them."
    if any(one.judgement.sampled is not None for one in found.decisions):
        how += " With ± it is estimated from sampled cards, against all that the strategy does, ± standard error."
    lost = escape(loss_text(found.loss_mbb, found.error_mbb))
    return f"<footer><p>{how}</p><p>Lost in all: {lost}.</p>{skipped}</footer>"
