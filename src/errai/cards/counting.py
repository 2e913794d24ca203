"""How many deals there are, and how many differ once suits are interchangeable. Nothing is enumerated.

A deal is a list of disjoint card sets of given sizes, in the order dealt: hole cards, flop, turn, river.
Two deals are the same up to suits when a permutation g of the suits takes one to the other, and Burnside's
lemma counts the classes as the average number of deals that a permutation leaves alone:

    classes = 1/suits! * sum over g of |deals fixed by g|

A deal is fixed by g when each of its sets is a union of g's cycles on the deck. A cycle of length L lies in
no set or wholly in set i, which is the factor (1 + sum over i of x_i^L). The deck has each of g's suit cycles
once for every rank, so the fixed deals are one coefficient of a product of such factors.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from math import comb, factorial, prod
from operator import add, le

from errai.errors import ErraiError

# Coefficients by exponents: one exponent for each card set.
_Polynomial = dict[tuple[int, ...], int]


def deals(ranks: int, suits: int, groups: Sequence[int]) -> int:
    """Ways to deal disjoint card sets of these sizes: (2, 3) on 13 x 4 is hole cards and a flop."""
    sizes = _sizes(ranks, suits, groups)
    left = ranks * suits
    ways = 1
    for size in sizes:
        ways *= comb(left, size)
        left = max(left - size, 0)
    return ways


def canonical_deals(ranks: int, suits: int, groups: Sequence[int]) -> int:
    """Such deals up to a permutation of the suits: (3,) on 13 x 4 has 1,755 classes, the canonical flops."""
    sizes = _sizes(ranks, suits, groups)
    fixed = 0
    for cycles in _partitions(suits):
        deck = [_cycle_factor(length, len(sizes)) for length in cycles * ranks]
        fixed += _permutations_with(cycles) * _coefficient(deck, sizes)
    return fixed // factorial(suits)


def rank_deals(ranks: int, suits: int, groups: Sequence[int]) -> int:
    """Such deals when suits mean nothing, so that only the ranks in each set count: games without flushes.

    Of one rank, set i holds k_i cards with k_1 + k_2 + ... <= suits, which is one term of that rank's factor.
    """
    sizes = _sizes(ranks, suits, groups)
    choices = product(*(range(min(size, suits) + 1) for size in sizes))
    one_rank = {held: 1 for held in choices if sum(held) <= suits}
    return _coefficient([one_rank] * ranks, sizes)


def _sizes(ranks: int, suits: int, groups: Sequence[int]) -> tuple[int, ...]:
    if ranks < 1 or suits < 1:
        raise ErraiError(f"a deck of {ranks} ranks and {suits} suits has no cards; both must be 1 or more")
    if any(size < 0 for size in groups):
        raise ErraiError(f"card sets of sizes {tuple(groups)} cannot be dealt; sizes must be 0 or more")
    return tuple(groups)


def _cycle_factor(length: int, sets: int) -> _Polynomial:
    """1 + x_1^L + x_2^L + ...: a cycle of cards lies in no set, or wholly in one."""
    factor = {tuple(length * (one == other) for other in range(sets)): 1 for one in range(sets)}
    return {(0,) * sets: 1} | factor


def _coefficient(factors: Sequence[_Polynomial], sizes: tuple[int, ...]) -> int:
    """The coefficient of x_1^sizes_1 x_2^sizes_2 ... in a product; larger powers are dropped on the way."""
    product_so_far: _Polynomial = {(0,) * len(sizes): 1}
    for factor in factors:
        following: _Polynomial = {}
        for powers, ways in product_so_far.items():
            for more, times in factor.items():
                total = tuple(map(add, powers, more))
                if all(map(le, total, sizes)):
                    following[total] = following.get(total, 0) + ways * times
        product_so_far = following
    return product_so_far.get(sizes, 0)


def _partitions(total: int, largest: int | None = None) -> Iterator[tuple[int, ...]]:
    """The cycle types of permutations: 3, 2+1 and 1+1+1 for three suits."""
    if total == 0:
        yield ()
    for part in range(min(total, largest or total), 0, -1):
        for rest in _partitions(total - part, part):
            yield (part, *rest)


def _permutations_with(cycles: tuple[int, ...]) -> int:
    """How many permutations have these cycle lengths: n! / prod(length^m * m!)."""
    repeats = Counter(cycles)
    alike: int = prod(length**m * factorial(m) for length, m in repeats.items())
    return factorial(sum(cycles)) // alike
