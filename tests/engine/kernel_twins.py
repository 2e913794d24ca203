"""The obvious version of every kernel: one number, one hand and one pair of hands at a time."""

from math import floor, sqrt

import numpy as np

# Regret matching


def matched(weights):
    """Probabilities in proportion to the positive weights, all alike where there are none. Roots are squared."""
    power = 2 if weights.dtype == np.int8 else 1
    positive = [max(float(weight), 0.0) ** power for weight in weights]
    total = sum(positive)
    return [weight / total if total > 0 else 1 / len(weights) for weight in positive]


def split(weights, reach):
    """[actions, n] reach of each action."""
    columns = [
        [float(r) * p for p in matched(column)]
        for column, r in zip(np.transpose(weights), reach, strict=True)
    ]
    return np.transpose(columns)


def mix(weights, values):
    """[n] mean of the actions' values."""
    return np.array(
        [
            sum(p * float(v) for p, v in zip(matched(column), worth, strict=True))
            for column, worth in zip(np.transpose(weights), np.transpose(values), strict=True)
        ]
    )


def regret_step(regret, value, mean, positive, negative, weight, lowest):
    return np.array(
        [
            max(float(R) * (positive if R > 0 else negative) + weight * (float(v) - float(m)), lowest)
            for R, v, m in zip(regret, value, mean, strict=True)
        ]
    )


def nearest_codes(value, scale):
    """The two 16-bit codes that a number lies between."""
    below = [floor(float(v) / scale) for v in value]
    return np.array(below), np.array(below) + 1


def nearest_squares(value, scale):
    """The two signed squares that a number lies between."""
    roots = [floor(sqrt(abs(float(v)) / scale)) for v in value]
    signs = [-1 if v < 0 else 1 for v in value]
    nearer = [sign * root**2 for sign, root in zip(signs, roots, strict=True)]
    further = [sign * (root + 1) ** 2 for sign, root in zip(signs, roots, strict=True)]
    return np.array(nearer), np.array(further)


# Folds and showdowns


def folds(hands, reach):
    """[n] what each hand wins when the opponent folds: the reach of all hands that share no card with it."""
    return np.array(
        [
            sum(r for other, r in zip(hands, reach, strict=True) if not set(hand) & set(other))
            for hand in hands
        ]
    )


def showdowns(hands, strengths, reach):
    """[n] reach of the weaker hands less that of the stronger ones, of those that share no card."""

    def wins(mine, theirs):
        return (mine > theirs) - (mine < theirs)

    return np.array(
        [
            sum(
                wins(strength, against) * r
                for other, against, r in zip(hands, strengths, reach, strict=True)
                if not set(hand) & set(other)
            )
            for hand, strength in zip(hands, strengths, strict=True)
        ]
    )


def gather(reach, bases, count, H, K, W):
    """[H, W] with stretch j of K contexts (or W of them) in the lanes from j * K on; other lanes are nan."""
    tile = np.full((H, W), np.nan)
    for hand in range(H):
        for stretch in range(count):
            for context in range(min(K, W)):
                tile[hand, stretch * K + context] = reach[bases[stretch] + hand * K + context]
    return tile


def scatter(out, amount, lane, width, H, K, base, value):
    """value with `width` lanes written to their contexts, and nothing else changed."""
    value = value.copy()
    for hand in range(H):
        for context in range(width):
            value[base + hand * K + context] = out[hand, lane + context] * amount[lane + context]
    return value
