# An expression of each kind, a name, a loop and a command.
x = kayles:5
x + *2
over > upon
{0|pass} + over
w^2 + 1
for n in 3,5: loopy *{n}
search kayles 1..99 --where 'value = 0'
