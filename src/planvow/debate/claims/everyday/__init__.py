"""How everyday talk is told apart: plain facts, words for ideas, concepts, remarks on the talk and sayings."""
