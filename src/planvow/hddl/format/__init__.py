"""HDDL text in one common layout: comments stay, words and their order stay, only space moves."""
