"""A sentence in other words: without courtesy, fillers and remarks, as the order it amounts to, with slips mended.
What comes out is read by the grammar like anything else; a word that vetoes is never left out. How an order may be said
stands in files of frames (`frames`)."""
