"""Ed25519 verification (RFC 8032, section 5.1.7) with the stricter rules of kit-format.md, R21. Slow, but short."""

import hashlib

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
SQRT_MINUS_ONE = pow(2, (P - 1) // 4, P)


def _order_eight_y():
    """The y of the points of order eight: where x² = −y² on the curve, the double has y = 0."""
    found = set()
    # y⁴·d + 2y² − 1 = 0, so y² = (−1 ± √(1 + d)) / d
    root = _sqrt((1 + D) % P)
    for sign in (1, -1):
        y = _sqrt((-1 + sign * root) * pow(D, P - 2, P) % P)
        if y is not None:
            found |= {y, P - y}
    return found


def _sqrt(square):
    root = pow(square, (P + 3) // 8, P)
    for candidate in (root, root * SQRT_MINUS_ONE % P):
        if candidate * candidate % P == square:
            return candidate
    return None


LOW_ORDER_Y = {0, 1, P - 1} | _order_eight_y()


def _add(p, q):
    a = (p[1] - p[0]) * (q[1] - q[0]) % P
    b = (p[1] + p[0]) * (q[1] + q[0]) % P
    c = 2 * p[3] * q[3] * D % P
    d = 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def _multiply(scalar, point):
    total = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            total = _add(total, point)
        point = _add(point, point)
        scalar >>= 1
    return total


def _decode(encoded):
    number = int.from_bytes(encoded, "little")
    y, sign = number & (2**255 - 1), number >> 255
    if y >= P or y in LOW_ORDER_Y:
        return None
    x = _sqrt((y * y - 1) * pow(D * y * y + 1, P - 2, P) % P)
    if x is None:
        return None
    if x & 1 != sign:
        x = P - x
    return (x, y, 1, x * y % P)


BASE_Y = 4 * pow(5, P - 2, P) % P
_base_x = _sqrt((BASE_Y * BASE_Y - 1) * pow(D * BASE_Y * BASE_Y + 1, P - 2, P) % P)
_base_x = _base_x if _base_x % 2 == 0 else P - _base_x
BASE = (_base_x, BASE_Y, 1, _base_x * BASE_Y % P)


def verify(public_key, message, signature):
    if len(public_key) != 32 or len(signature) != 64:
        return False
    key, r = _decode(public_key), _decode(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if key is None or r is None or s >= L:
        return False
    digest = hashlib.sha512(signature[:32] + public_key + message).digest()
    k = int.from_bytes(digest, "little") % L
    left, right = _multiply(s, BASE), _add(r, _multiply(k, key))
    return (left[0] * right[2] - right[0] * left[2]) % P == 0 and (left[1] * right[2] - right[1] * left[2]) % P == 0
