"""Nim: take any number of tokens from one heap."""

from nimoon import Ruleset


class Nim(Ruleset):
    def options(self, heaps):
        for i, heap in enumerate(heaps):
            for left in range(heap):
                yield heaps[:i] + (left,) + heaps[i + 1 :]

    def components(self, heaps):
        return [(heap,) for heap in heaps if heap]

    def words(self, heaps, to):
        return f"take {sum(heaps) - sum(to)}"


if __name__ == "__main__":
    print(Nim().sum((3, 4), (5,)))
