"""What the console refuses."""

from __future__ import annotations

from planvow.errors import RefusedError


class ForeignFormError(RefusedError):
    """A form was sent that no page of this console has made for this browser.

    Pages carry a seal that belongs to the browser they were made for. It changes when the server starts anew: load the
    page again and send the form from there.
    """

    code = "FOREIGN_FORM"
