"""Plans between HDDL and unified-planning: converted, judged, improved."""
