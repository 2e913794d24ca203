"""The tree that finds the nearest of many points, and k-means++ drawn from it.

Legend: n points, d coordinates, L leaves of W = 16 lanes each, G groups of W boxes.

The points are halved at the median of their widest axis until at most W are left: a leaf. A leaf keeps its points
lane by lane, [d, W], so that W distances are one run down the coordinates. Boxes around the leaves, and around W
boxes of the level below, are kept in the same way. The distance from x to a box bounds that to any point in it:

    bound(x, box) = sum_j gap_j or sum_j gap_j^2,    gap_j = max(low_j - x_j, x_j - high_j, 0)

so a box farther away than the best point so far is never opened, and what is found is the nearest point.

A rotation keeps Euclid's distance. For it the boxes, but not the leaves, are those of the rotated points.

What is found is exactly the point whose distance, rounded after every step in the order of the coordinates, is the
least, and of several the one with the lowest number; whatever the tree looks like, on every CPU. For rounding never
turns an order round: on the points' own axes no gap, no square and no sum of a bound is rounded above that of the
distance. On rotated axes, those of squared distances, the boxes are wider by more than a rotation can be wrong
(`rotation_error`), and bounds are lowered by a ten-thousandth.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic
from numpy.typing import NDArray

from errai.kernels.lanes import W, load, splat, store

LEVELS = 4  # halvings between a box and the W boxes in it
FAR = np.float32(1e29)  # farther than any point, nearer than an empty lane
EMPTY = -1  # the number of the point in an empty lane

# On rotated axes a box is passed over only if it is farther by more than rounding can be wrong.
_ROUNDING = np.float32(1 - 1e-4)
_STACK = 8 * W  # at most W entries for each level, and W^8 leaves are more than fit into a computer


class Tree(NamedTuple):
    leaves: NDArray[np.float32]  # [L, d, W], flat, as `load` wants it
    numbers: NDArray[np.int32]  # [L, W] which point it is
    low: NDArray[np.float32]  # [G, d, W], flat
    high: NDArray[np.float32]  # [G, d, W], flat
    first: NDArray[np.int64]  # [levels] the first group of each level; level 0 holds the boxes of the leaves
    origin: NDArray[np.float32]  # [d]
    axes: NDArray[
        np.float32
    ]  # [d, d] a point, less the origin, times this is on the axes of the boxes; or []
    squared: bool  # Euclid's distance, squared; else the sum of the absolute differences


@njit(cache=True, nogil=True, error_model="numpy")
def _halve(column, order, start, end, middle):
    """Quickselect: nothing in order[start:middle] has a greater column than anything in order[middle:end]."""
    low, high = start, end - 1
    while low < high:
        a, b, c = column[order[low]], column[order[(low + high) // 2]], column[order[high]]
        pivot = max(min(a, b), min(max(a, b), c))
        i, j = low, high
        while i <= j:
            while column[order[i]] < pivot:
                i += 1
            while column[order[j]] > pivot:
                j -= 1
            if i <= j:
                order[i], order[j] = order[j], order[i]
                i += 1
                j -= 1
        if middle <= j:
            high = j
        elif middle >= i:
            low = i
        else:
            return


@njit(cache=True, nogil=True, error_model="numpy")
def split(columns, depth):
    """([n] the points in the order of the leaves, [2^depth + 1] where each leaf starts), from columns [d, n]."""
    d, n = columns.shape
    order = np.arange(n)
    starts = np.zeros(2**depth + 1, np.int64)
    starts[-1] = n
    width = 2**depth
    while width > 1:
        for node in range(0, 2**depth, width):
            start, end = starts[node], starts[node + width]
            widest, spread = 0, -1.0
            for j in range(d):
                total, squares = 0.0, 0.0
                origin = columns[j, order[start]]
                for i in range(start, end):
                    x = columns[j, order[i]] - origin
                    total += x
                    squares += x * x
                variance = squares - total * total / (end - start)
                if variance > spread:
                    widest, spread = j, variance
            middle = (start + end) // 2
            _halve(columns[widest], order, start, end, middle)
            starts[node + width // 2] = middle
        width //= 2
    return order, starts


@njit(cache=True, nogil=True, error_model="numpy")
def _rotate(origin, axes, point, rotated):
    """The point [d] on the axes of the boxes."""
    d = len(point)
    if len(axes) == 0:
        for j in range(d):
            rotated[j] = point[j] - origin[j]
        return
    rotated[:] = 0
    for j in range(d):
        x, column = point[j] - origin[j], axes[j]
        for i in range(d):
            rotated[i] += x * column[i]


@njit(cache=True, nogil=True, error_model="numpy")
def rotate_all(origin, axes, points, rotated):
    """The points [n, d] on the axes of the boxes."""
    for i in range(len(points)):
        _rotate(origin, axes, points[i], rotated[i])


def rotation_error(rotated: NDArray[np.float32]) -> np.float32:
    """By how much boxes of rotated points [n, d] must be wider, so that no bound is above a distance.

    Legend: u half the precision of a float32, R the largest distance of a point from the origin, M their largest
    coordinate, R <= sqrt(d) M. A coordinate of a rotated point x is wrong by at most (d + 2) u |x|. As long as
    |x| <= 2 R, the points of the tree and x are together wrong by 3 (d + 2) u sqrt(d) M at most. Else the distance is
    at least |x| / 2, and the bound is too large by 4 (d + 2) u sqrt(d) of it: less than a ten-thousandth for d <= 50.
    """
    d = rotated.shape[1]
    largest = max(float(rotated.max()), -float(rotated.min()))
    return np.float32(5 * d * math.sqrt(d) * float(np.finfo(np.float32).eps) * largest)


@intrinsic
def larger(typing_context, left, right):
    """Lane by lane the larger number."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.select(builder.fcmp_ordered(">", args[0], args[1]), args[0], args[1])

    return left(left, right), generate


@intrinsic
def at_most(typing_context, lanes, most):
    """A bit for each lane that is at most a number, lane 0 the lowest."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        bits = builder.bitcast(builder.fcmp_ordered("<=", *args), ir.IntType(W))
        return builder.zext(bits, ir.IntType(64))

    return types.int64(lanes, most), generate


@intrinsic
def lowest(typing_context, bits):
    """The number of the lowest bit that is set; there must be one."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


@njit(cache=True, nogil=True, error_model="numpy")
def _distances(leaves, leaf, point, squared):
    """[W] |leaf[:, lane] - point|"""
    d = len(point)
    start = leaf * d * W
    total = splat(np.float32(0))
    if squared:
        for j in range(d):
            gap = load(leaves, start + j * W) - splat(point[j])
            total = total + gap * gap
    else:
        for j in range(d):
            x, y = load(leaves, start + j * W), splat(point[j])
            total = total + larger(x - y, y - x)
    return total


@njit(cache=True, nogil=True, error_model="numpy")
def _bounds(low, high, group, rotated, squared):
    """[W] bound(rotated, the box of a lane of the group)"""
    d = len(rotated)
    start = group * d * W
    zero = splat(np.float32(0))
    total = zero
    if squared:
        for j in range(d):
            x = splat(rotated[j])
            gap = larger(larger(load(low, start + j * W) - x, x - load(high, start + j * W)), zero)
            total = total + gap * gap
        total = total * splat(_ROUNDING)
    else:
        for j in range(d):
            x = splat(rotated[j])
            gap = larger(larger(load(low, start + j * W) - x, x - load(high, start + j * W)), zero)
            total = total + gap
    return total


@njit(cache=True, nogil=True, error_model="numpy")
def nearest(tree, points, out, distances):
    """The number [n] of the tree's nearest point, the lowest of equally near ones, and, if wanted, how far it is."""
    n, d = points.shape
    leaves, numbers, low, high, first, origin, axes, squared = tree
    top = len(first) - 1
    rotated = np.empty(d, np.float32)
    found = np.empty(W, np.float32)
    stack_level = np.empty(_STACK, np.int64)
    stack_place = np.empty(_STACK, np.int64)
    stack_bound = np.empty(_STACK, np.float32)
    for i in range(n):
        point = points[i]
        _rotate(origin, axes, point, rotated)
        best, number = FAR, 0
        stack_level[0], stack_place[0], stack_bound[0] = top, 0, 0
        height = 1
        while height > 0:
            height -= 1
            if stack_bound[height] > best:
                continue
            level, place = stack_level[height], stack_place[height]
            if level < 0:
                lanes = _distances(leaves, place, point, squared)
                near = at_most(lanes, splat(best))
                if near:
                    store(found, 0, lanes)
                while near:
                    lane = lowest(near)
                    near &= near - 1
                    other = numbers[place, lane]
                    if found[lane] < best or (found[lane] == best and other < number):
                        best, number = found[lane], other
                continue
            lanes = _bounds(low, high, first[level] + place, rotated, squared)
            near = at_most(lanes, splat(best))
            if near:
                store(found, 0, lanes)
            base = height
            while near:
                lane = lowest(near)
                near &= near - 1
                bound = found[lane]
                slot = height
                while slot > base and stack_bound[slot - 1] < bound:
                    stack_level[slot], stack_place[slot] = stack_level[slot - 1], stack_place[slot - 1]
                    stack_bound[slot] = stack_bound[slot - 1]
                    slot -= 1
                stack_level[slot], stack_place[slot] = level - 1, place * W + lane
                stack_bound[slot] = bound
                height += 1
        out[i] = number
        if len(distances) > 0:
            distances[i] = best


@njit(cache=True, nogil=True, error_model="numpy")
def _chance(weight, cost, squared):
    """weight * distance^2"""
    distance = np.float64(cost)
    return weight * (distance if squared else distance * distance)


@njit(cache=True, nogil=True, error_model="numpy")
def _drawn(total, cost, weights, squared, at):
    """(leaf, lane) of the point at a place 0 <= at < total[1] along the chances, laid end to end."""
    node, leaves = 1, len(cost)
    while node < leaves:
        node *= 2
        if at >= total[node] and total[node + 1] > 0:
            at -= total[node]
            node += 1
    leaf = node - leaves
    lane = 0
    for other in range(W):
        share = _chance(weights[leaf, other], cost[leaf, other], squared)
        if share > 0:
            lane = other
            if at < share:
                break
            at -= share
    return leaf, lane


@njit(cache=True, nogil=True, error_model="numpy")
def plus_plus(tree, weights, draws, before, cost, total, reach, picked):
    """k-means++: picked [k] points, each drawn with a chance of weight * distance^2 to the nearest picked so far.
    Returns how many were picked before no point had a chance left. So many were picked `before`, by earlier calls.

    `cost` [L, W] is the tree's distance to the nearest picked. A new centre opens only the boxes in which it can
    lower one. The nodes of the halvings are numbered as a heap, 1 at the top: `total` [2 L] is the sum of the chances
    below each, `reach` [2 L] the largest cost. These three go from call to call.
    """
    leaves, numbers, low, high, first, origin, axes, squared = tree
    L, d = len(numbers), len(origin)
    top = len(first) - 1
    point = np.empty(d, np.float32)
    rotated = np.empty(d, np.float32)
    found = np.empty(W, np.float32)
    stack_level = np.empty(_STACK, np.int64)
    stack_place = np.empty(_STACK, np.int64)
    touched = np.empty(L, np.int64)
    if before == 0:
        cost[:] = 1
        total[:] = 0
        reach[:] = FAR
        for leaf in range(L):
            for lane in range(W):
                total[L + leaf] += weights[leaf, lane]
        for node in range(L - 1, 0, -1):
            total[node] = total[2 * node] + total[2 * node + 1]

    for k in range(len(picked)):
        if total[1] <= 0:
            return k
        leaf, lane = _drawn(total, cost, weights, squared, draws[k] * total[1])
        picked[k] = numbers[leaf, lane]
        if before + k == 0:
            cost[:] = FAR
        for j in range(d):
            point[j] = leaves[(leaf * d + j) * W + lane]
        _rotate(origin, axes, point, rotated)

        count = 0
        stack_level[0], stack_place[0] = top, 0
        height = 1
        while height > 0:
            height -= 1
            level, place = stack_level[height], stack_place[height]
            if level < 0:
                store(found, 0, _distances(leaves, place, point, squared))
                most, below = np.float32(0), 0.0
                for other in range(W):
                    nearer = min(cost[place, other], found[other])
                    cost[place, other] = nearer
                    if weights[place, other] > 0:
                        most = max(most, nearer)
                        below += _chance(weights[place, other], nearer, squared)
                reach[L + place], total[L + place] = most, below
                touched[count] = L + place
                count += 1
                continue
            store(found, 0, _bounds(low, high, first[level] + place, rotated, squared))
            nodes = max(L >> (LEVELS * level), 1)
            for other in range(min(W, nodes) - 1, -1, -1):
                if found[other] < reach[nodes + place * W + other]:
                    stack_level[height], stack_place[height] = level - 1, place * W + other
                    height += 1

        while count > 0 and touched[0] > 1:
            parents = 0
            for i in range(count):
                parent = touched[i] // 2
                if parents == 0 or touched[parents - 1] != parent:
                    total[parent] = total[2 * parent] + total[2 * parent + 1]
                    reach[parent] = max(reach[2 * parent], reach[2 * parent + 1])
                    touched[parents] = parent
                    parents += 1
            count = parents
    return len(picked)


@njit(cache=True, nogil=True, error_model="numpy")
def add_up(points, weights, labels, sums, counts):
    """Adds the weighted points [n, d] to the sums [k, d] of their clusters, and their weights to the counts [k]."""
    for i in range(len(points)):
        label = labels[i]
        weight = np.float64(weights[i])
        counts[label] += weight
        for j in range(points.shape[1]):
            sums[label, j] += weight * points[i, j]
