"""The golden corpus and its tests."""
