"""The tour behind `planvow demo`: one small world per part of planvow, run for real, offline, in a scratch folder."""
