"""Green-Lime Hackenbush: edges (vertex, vertex, colour) that stand on the ground 0."""

from nimoon import Ruleset, again


class GreenLime(Ruleset):
    name = "glasses"

    def options(self, edges):
        for edge in sorted(edges):
            standing = self.grounded(edges - {edge})
            lime_falls = any(colour == "l" for _, _, colour in edges - standing - {edge})
            yield again(standing) if edge[2] == "g" and lime_falls else standing
        for a, b, green in sorted(edges):
            for c, d, lime in sorted(edges):
                if green == "g" and lime == "l" and {a, b} & {c, d}:
                    yield edges - {(a, b, "g"), (c, d, "l")} | {(a, b, "l"), (c, d, "g")}

    def grounded(self, edges, reached=frozenset({0})):
        standing = frozenset(edge for edge in edges if reached & set(edge[:2]))
        more = reached.union(*(edge[:2] for edge in standing))
        return standing if more == reached else self.grounded(edges, more)


if __name__ == "__main__":
    glass = frozenset({(0, 1, "g"), (1, 2, "l"), (1, 3, "l")})
    print(GreenLime().value(glass, theory="carry-on"))
