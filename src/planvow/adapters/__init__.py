"""Where planvow meets the outside: command line, clocks, databases' drivers, solvers, models, notebooks."""
