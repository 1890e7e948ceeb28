"""HDDL problems as kernel domains, so that they can be repaired, certified and explained."""
