# A research session: when is a position of Wythoff's game a win for the previous player?
# Run it by `nimoon run examples/session.nim`; each line is a command of the program.

# Conjecture: whoever faces two equal heaps wins, and each P-position (a, b) has a difference of its own.
table 'wythoff:{a},{b}' a=0..20 b=0..20 --where 'value = 0 and a <= b'
search 'wythoff:{a},{a}' a=1..30 --where 'outcome = P'

# A guess that fails: the value is the nim-sum of the heaps. The first counterexample:
search 'wythoff:{a},{b}' a=0..20 b=0..20 --where 'value != a xor b'

# With entailing diagonals the P-positions are others.
load examples/rules/queens.rhai
search 'queens:{a},{b}' a=0..8 b=0..8 --where 'value = moon'
explore queens:2,3 --where 'outcome = P'

# What shows that (3, 5) is lost: a certificate, and what it proves.
game = wythoff:3,5
value game
explain game
game + *2

# The same in other theories.
over > upon
{0|pass} + over
w^2 + 1
time period kayles

# A picture of the values up to 7.
table 'wythoff:{a},{b}' a=0..7 b=0..7 --format svg
