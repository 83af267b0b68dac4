"""A token on a ring: one or two steps on, from some places also one back. Who reaches place 0 ends the game."""

from nimoon import Ruleset


class Ring(Ruleset):
    def __init__(self, places, back):
        self.places, self.back = places, back

    def options(self, place):
        if place:
            yield (place + 1) % self.places
            yield (place + 2) % self.places
        if place in self.back:
            yield place - 1


if __name__ == "__main__":
    ring = Ring(8, back={3, 5})
    for place in range(8):
        print(place, ring.value(place))
