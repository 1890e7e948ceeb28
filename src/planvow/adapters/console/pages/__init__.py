"""The pages, a module each: from a request to a view and its template."""
