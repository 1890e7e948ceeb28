"""English as a grammar: tokens, a lexicon, rules, a chart that finds every reading, and the words that veto one."""
