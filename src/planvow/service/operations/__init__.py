"""The operations themselves, a module for each subject: question, answer, function and declaration side by side."""
