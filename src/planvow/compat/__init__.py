"""Drop-ins for the planners people come from: `from planvow.compat import gtpyhop` runs files written for GTPyhop.

What lives here only translates: states that are open while they are built, domains that are declared by side effect,
plans as lists. The planning is the kernel's.
"""
