"""The test that shows the mistake: ends with 1 while it is there."""

from calc import add, double

assert add(2, 3) == 5, add(2, 3)
assert double(4) == 8, double(4)
print("the calculator is right")
