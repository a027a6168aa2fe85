"""The errors of the client. All of them are KitsealError."""

from typing import Any, Dict, List, Mapping, Optional
from urllib.parse import urljoin, urlsplit

from .verification import VerificationReport


class KitsealError(Exception):
    """Any error of the client."""


class ApiError(KitsealError):
    """The service returned an error.

    `code` is one of the documented error codes, or `answer_not_understood` for a response that is not from kitseal. `param`
    is what the error is about. `request_id` identifies the request in the log of the service. `retry_after` is in seconds.
    """

    def __init__(
        self, message: str, status: int, code: str, param: Optional[str] = None, request_id: str = "",
        retry_after: Optional[float] = None
    ) -> None:
        super().__init__(message)
        self.status, self.code, self.param = status, code, param
        self.request_id, self.retry_after = request_id, retry_after


class NetworkError(KitsealError):
    """There was no response, or an incomplete one: connection refused or lost, timeout, certificate, proxy."""

    #: Whether another attempt may help.
    is_transient = True

    def __init__(self, method: str, url: str, reason: str, is_transient: bool = True) -> None:
        super().__init__("%s %s: %s" % (method, url, reason))
        self.method, self.url, self.is_transient = method, url, is_transient


class RedirectError(NetworkError):
    """The URL redirects. The client follows no redirects, which could send the API key to another host."""

    def __init__(self, method: str, url: str, location: Optional[str]) -> None:
        target, own = urlsplit(urljoin(url, location or "")), urlsplit(url)
        origin = "%s://%s" % (target.scheme, target.netloc.rpartition("@")[2])
        is_elsewhere = (target.scheme, target.netloc) != (own.scheme, own.netloc)
        reason = "redirects to %s. Use that URL instead." % origin if is_elsewhere else "redirects. Check the URL."
        super().__init__(method, url, reason, is_transient=False)


class NotVerifiedError(KitsealError):
    """A downloaded kit failed verification and was discarded. `report` says why."""

    def __init__(self, kit_id: str, report: VerificationReport) -> None:
        errors = report["errors"] or ["unknown reason"]
        more = " (and %d more)" % (len(errors) - 1) if len(errors) > 1 else ""
        super().__init__("%s failed verification: %s%s" % (kit_id, errors[0], more))
        self.kit_id, self.report = kit_id, report


class NotSealedError(KitsealError):
    """There is no kit: the evidence failed its checks, or the submission expired. `blockers` says what to change."""

    def __init__(self, submission: Mapping[str, Any]) -> None:
        self.submission_id: str = submission["submission_id"]
        self.status: str = submission["status"]
        self.blockers: List[Dict[str, Any]] = list(submission["blockers"])
        lines = ["%s: %s" % (one.get("path") or one.get("code"), one.get("message")) for one in self.blockers[:5]]
        more = ["and %d more" % (len(self.blockers) - 5)] if len(self.blockers) > 5 else []
        super().__init__("\n  ".join(["%s is %s" % (self.submission_id, self.status)] + lines + more))


class WaitTimeout(KitsealError):
    """The result did not come in time. Wait again to continue.

    `id` is that of the submission or job, and `status` the last one seen. `waiting` is what holds the submission: its `reason`, and `since` when.
    """

    def __init__(self, id: str, timeout: float, status: str, waiting: Optional[Mapping[str, Any]] = None) -> None:
        held = "" if waiting is None else ", waiting for %s since %s" % (waiting.get("reason"), waiting.get("since"))
        super().__init__("%s is still %s after %g s%s" % (id, status, timeout, held))
        self.id, self.status, self.waiting = id, status, waiting
