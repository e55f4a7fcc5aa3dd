"""SPARX-64/128, after "Design Strategies for ARX with Provable Bounds: SPARX and LAX" (ASIACRYPT
2016).

A block has four 16-bit words in two branches, and a key has eight words. There are eight steps of
three rounds, 24 rounds in all. In a round, each branch is xored with a third of its subkey and
passes the ARX box. At the end of a step, a linear layer mixes the branches. At the end, the block
is xored with a last subkey. Words are big-endian.
"""

STEPS = 8
ROUNDS = 3
WORD = 0xFFFF


def rotated(word: int, left: int) -> int:
    return (word << left | word >> (16 - left)) & WORD


def box(left: int, right: int) -> tuple[int, int]:
    """The ARX box "SPECKEY": rotate left by 9 (= right by 7), add, rotate left by 2, xor."""
    left = (rotated(left, 9) + right) & WORD
    return left, rotated(right, 2) ^ left


def unbox(left: int, right: int) -> tuple[int, int]:
    right = rotated(right ^ left, 14)
    return rotated((left - right) & WORD, 7), right


def mixing(left: int, right: int) -> tuple[int, int]:
    """The Feistel function of the linear layer, which encryption and decryption share."""
    both = rotated(left ^ right, 8)
    return left ^ both, right ^ both


def subkeys(key: bytes) -> list[list[int]]:
    """Returns 2 * STEPS subkeys of six words, and the last one, of which four words are used."""
    assert len(key) == 16
    state = [int.from_bytes(key[i : i + 2], "big") for i in range(0, 16, 2)]
    result = []
    for counter in range(1, 2 * STEPS + 2):
        result.append(state[:6])
        state[0], state[1] = box(state[0], state[1])
        state[2] = (state[2] + state[0]) & WORD
        state[3] = (state[3] + state[1]) & WORD
        state[7] = (state[7] + counter) & WORD
        state = state[6:] + state[:6]
    return result


def words(block: bytes) -> list[int]:
    assert len(block) == 8
    return [int.from_bytes(block[i : i + 2], "big") for i in range(0, 8, 2)]


def joined(parts: list[int]) -> bytes:
    return b"".join(part.to_bytes(2, "big") for part in parts)


def encrypt(key: bytes, plaintext: bytes) -> bytes:
    keys = subkeys(key)
    x = words(plaintext)
    for step in range(STEPS):
        for branch in (0, 1):
            subkey = keys[2 * step + branch]
            left, right = x[2 * branch], x[2 * branch + 1]
            for i in range(ROUNDS):
                left, right = box(left ^ subkey[2 * i], right ^ subkey[2 * i + 1])
            x[2 * branch], x[2 * branch + 1] = left, right
        left, right = mixing(x[0], x[1])
        x = [x[2] ^ left, x[3] ^ right, x[0], x[1]]
    return joined([word ^ mask for word, mask in zip(x, keys[-1])])


def decrypt(key: bytes, ciphertext: bytes) -> bytes:
    keys = subkeys(key)
    x = [word ^ mask for word, mask in zip(words(ciphertext), keys[-1])]
    for step in reversed(range(STEPS)):
        left, right = mixing(x[2], x[3])
        x = [x[2], x[3], x[0] ^ left, x[1] ^ right]
        for branch in (0, 1):
            subkey = keys[2 * step + branch]
            left, right = x[2 * branch], x[2 * branch + 1]
            for i in reversed(range(ROUNDS)):
                left, right = unbox(left, right)
                left, right = left ^ subkey[2 * i], right ^ subkey[2 * i + 1]
            x[2 * branch], x[2 * branch + 1] = left, right
    return joined(x)
