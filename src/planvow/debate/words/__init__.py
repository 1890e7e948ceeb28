"""Words, sentences and word classes of English, read by rule."""
