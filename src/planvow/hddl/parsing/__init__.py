"""Text and files into the values of `language`, with an error that says where."""
