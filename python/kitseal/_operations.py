# Generated from spec/openapi.json by server/test/write-generated-files.ts.
"""One method for each operation of the API."""

from typing import Any, Generic, Literal, Mapping, Optional, Sequence, TypeVar

from ._files import Target

Answer = TypeVar("Answer")
Nothing = TypeVar("Nothing")
#: The default of what is not sent. None is sent, as null.
ABSENT: Any = object()


class Operations(Generic[Answer, Nothing]):
    """What Client and AsyncClient have in common. Names and values are those of the API."""

    def _ask(self, method: str, path: str, ids: Any, query: Any, body: Any = None, key: Any = None) -> Answer:
        raise NotImplementedError

    def _act(self, method: str, path: str, ids: Any, query: Any, body: Any = None, key: Any = None) -> Nothing:
        raise NotImplementedError

    def _save(self, path: str, ids: Any, query: Any, into: Target) -> Nothing:
        raise NotImplementedError

    def create_intake_job(
        self, *, tenant_id: str, scope_label: str, status: Literal["DRAFT", "SUBMITTED"] = ABSENT,
        job_id: str = ABSENT, created_at: str = ABSENT, updated_at: str = ABSENT, kit_id: Optional[str] = ABSENT,
        boundary: str = ABSENT, idempotency_key: Optional[str] = None,
    ) -> Answer:
        """Create an intake job."""
        return self._ask(
            "POST", "/v1/intake/jobs", {}, {}, {"tenant_id": tenant_id, "scope_label": scope_label, "status": status,
            "job_id": job_id, "created_at": created_at, "updated_at": updated_at, "kit_id": kit_id,
            "boundary": boundary}, idempotency_key or "",
        )

    def get_intake_job(self, job_id: str) -> Answer:
        """Poll an intake job."""
        return self._ask("GET", "/v1/intake/jobs/{job_id}", {"job_id": job_id}, {})

    def get_manifest(self, kit_id: str) -> Answer:
        """Get the manifest of a kit."""
        return self._ask("GET", "/v1/kits/{kit_id}/manifest", {"kit_id": kit_id}, {})

    def get_receipt(self, kit_id: str) -> Answer:
        """Get the receipt of a kit."""
        return self._ask("GET", "/v1/kits/{kit_id}/receipt", {"kit_id": kit_id}, {})

    def get_log_proof(self, kit_id: str, *, into: Target) -> Nothing:
        """Get the proof that a receipt is in the log."""
        return self._save("/v1/kits/{kit_id}/log-proof", {"kit_id": kit_id}, {}, into)

    def get_erasure(self, kit_id: str) -> Answer:
        """Get the erasure record of a kit."""
        return self._ask("GET", "/v1/kits/{kit_id}/erasure", {"kit_id": kit_id}, {})

    def describe_kit(self, kit_id: str) -> Answer:
        """Describe a kit."""
        return self._ask("GET", "/v1/kits/{kit_id}", {"kit_id": kit_id}, {})

    def get_kit_file(self, kit_id: str, file_path: str, *, into: Target) -> Nothing:
        """Download one file of a kit."""
        return self._save(
            "/v1/kits/{kit_id}/files/{file_path}", {"kit_id": kit_id, "file_path": file_path}, {}, into,
        )

    def export_kit(
        self, kit_id: str, format: Literal["cose", "in-toto", "oscal"], *, into: Target,
    ) -> Nothing:
        """Export a kit in the format of another tool."""
        return self._save(
            "/v1/kits/{kit_id}/export/{format}", {"kit_id": kit_id, "format": format}, {}, into,
        )

    def get_keys(self) -> Answer:
        """The public verification keys."""
        return self._ask("GET", "/.well-known/jwks.json", {}, {})

    def verify_receipt(self, body: Mapping[str, Any]) -> Answer:
        """Verify a receipt."""
        return self._ask("POST", "/v1/verify/receipt", {}, {}, dict(body))

    def create_submission(
        self, *, label: str, job_id: Optional[str] = ABSENT, profile: Optional[str] = ABSENT,
        accept: Sequence[str] = ABSENT, confirm: Sequence[Mapping[str, Any]] = ABSENT,
        provenance: Optional[Mapping[str, Any]] = ABSENT, external_id: Optional[str] = ABSENT,
        tags: Sequence[str] = ABSENT, metadata: Mapping[str, Any] = ABSENT, series: Optional[str] = ABSENT,
        idempotency_key: Optional[str] = None,
    ) -> Answer:
        """Create a submission."""
        return self._ask(
            "POST", "/v1/submissions", {}, {}, {"label": label, "job_id": job_id, "profile": profile,
            "accept": accept, "confirm": confirm, "provenance": provenance, "external_id": external_id, "tags": tags,
            "metadata": metadata, "series": series}, idempotency_key or "",
        )

    def list_submissions(
        self, *, cursor: str = ABSENT, limit: int = ABSENT, status: Literal["PENDING", "RUNNING", "PASS", "FAIL",
        "EXPIRED"] = ABSENT, q: str = ABSENT, label: str = ABSENT, path: str = ABSENT, series: str = ABSENT,
        tag: str = ABSENT, external_id: str = ABSENT, created_after: str = ABSENT, created_before: str = ABSENT,
        sort: Literal["-created_at", "created_at", "label", "-label", "size_bytes", "-size_bytes"] = ABSENT,
    ) -> Answer:
        """List and search submissions."""
        return self._ask(
            "GET", "/v1/submissions", {}, {"cursor": cursor, "limit": limit, "status": status, "q": q,
            "label": label, "path": path, "series": series, "tag": tag, "external_id": external_id,
            "created_after": created_after, "created_before": created_before, "sort": sort},
        )

    def get_submission(self, submission_id: str, *, findings: Literal["all", "summary"] = ABSENT) -> Answer:
        """Poll a submission."""
        return self._ask(
            "GET", "/v1/submissions/{submission_id}", {"submission_id": submission_id}, {"findings": findings},
        )

    def update_submission(
        self, submission_id: str, *, external_id: Optional[str] = ABSENT, tags: Sequence[str] = ABSENT,
        metadata: Mapping[str, Any] = ABSENT, series: str = ABSENT,
    ) -> Answer:
        """Change tags, metadata and external ID, or add to a series."""
        return self._ask(
            "PATCH", "/v1/submissions/{submission_id}", {"submission_id": submission_id}, {},
            {"external_id": external_id, "tags": tags, "metadata": metadata, "series": series},
        )

    def delete_submission(self, submission_id: str) -> Nothing:
        """Delete the evidence of a submission."""
        return self._act(
            "DELETE", "/v1/submissions/{submission_id}", {"submission_id": submission_id}, {},
        )

    def list_deliverables(self, submission_id: str) -> Answer:
        """What a submission came to."""
        return self._ask(
            "GET", "/v1/submissions/{submission_id}/deliverables", {"submission_id": submission_id}, {},
        )

    def get_deliverable(self, submission_id: str, name: str, *, into: Target) -> Nothing:
        """Download a deliverable."""
        return self._save(
            "/v1/submissions/{submission_id}/deliverables/{name}", {"submission_id": submission_id, "name": name},
            {}, into,
        )

    def reissue_kit(self, submission_id: str, *, idempotency_key: Optional[str] = None) -> Answer:
        """Re-issue a kit whose signing key was revoked."""
        return self._ask(
            "POST", "/v1/submissions/{submission_id}/reissue", {"submission_id": submission_id}, {}, None,
            idempotency_key or "",
        )

    def resubmit(
        self, submission_id: str, *, keep: Sequence[int], label: Optional[str] = ABSENT,
        profile: Optional[str] = ABSENT, accept: Sequence[str] = ABSENT, confirm: Sequence[Mapping[str,
        Any]] = ABSENT, idempotency_key: Optional[str] = None,
    ) -> Answer:
        """Resubmit a failed submission."""
        return self._ask(
            "POST", "/v1/submissions/{submission_id}/resubmit", {"submission_id": submission_id}, {}, {"keep": keep,
            "label": label, "profile": profile, "accept": accept, "confirm": confirm}, idempotency_key or "",
        )

    def place_hold(self, submission_id: str, *, reason: str) -> Answer:
        """Place a legal hold."""
        return self._ask(
            "PUT", "/v1/submissions/{submission_id}/hold", {"submission_id": submission_id}, {}, {"reason": reason},
        )

    def release_hold(self, submission_id: str) -> Nothing:
        """Release a legal hold."""
        return self._act(
            "DELETE", "/v1/submissions/{submission_id}/hold", {"submission_id": submission_id}, {},
        )

    def get_revocations(self) -> Answer:
        """Get kits whose signing key was revoked."""
        return self._ask("GET", "/v1/revocations", {}, {})

    def list_series(self, *, cursor: str = ABSENT, limit: int = ABSENT) -> Answer:
        """List series, newest first."""
        return self._ask("GET", "/v1/series", {}, {"cursor": cursor, "limit": limit})

    def get_series(self, series: str, *, cursor: str = ABSENT, limit: int = ABSENT) -> Answer:
        """Get the timeline of a series."""
        return self._ask(
            "GET", "/v1/series/{series}", {"series": series}, {"cursor": cursor, "limit": limit},
        )

    def compare_kits(self, from_: str, to: str) -> Answer:
        """Compare two kits."""
        return self._ask("GET", "/v1/compare", {}, {"from": from_, "to": to})

    def list_profiles(self) -> Answer:
        """List profiles."""
        return self._ask("GET", "/v1/profiles", {}, {})

    def create_profile(
        self, *, profile: str, title: str, description: str, items: Sequence[Mapping[str, Any]],
        evidence_policy: Literal["open", "examined_only"] = ABSENT, finding_classes: Mapping[str, Any] = ABSENT,
        idempotency_key: Optional[str] = None,
    ) -> Answer:
        """Create a profile."""
        return self._ask(
            "POST", "/v1/profiles", {}, {}, {"profile": profile, "title": title, "description": description,
            "evidence_policy": evidence_policy, "finding_classes": finding_classes, "items": items},
            idempotency_key or "",
        )

    def get_profile(self, profile: str) -> Answer:
        """Get a profile."""
        return self._ask("GET", "/v1/profiles/{profile}", {"profile": profile}, {})

    def replace_profile(
        self, profile: str, *, title: str, description: str, items: Sequence[Mapping[str, Any]],
        evidence_policy: Literal["open", "examined_only"] = ABSENT, finding_classes: Mapping[str, Any] = ABSENT,
    ) -> Answer:
        """Change a profile."""
        return self._ask(
            "PUT", "/v1/profiles/{profile}", {"profile": profile}, {}, {"profile": profile, "title": title,
            "description": description, "evidence_policy": evidence_policy, "finding_classes": finding_classes,
            "items": items},
        )

    def delete_profile(self, profile: str) -> Nothing:
        """Delete a profile."""
        return self._act("DELETE", "/v1/profiles/{profile}", {"profile": profile}, {})

    def create_share(
        self, *, kit_id: str, expires_at: str, paths: Sequence[str] = ABSENT, note: str = ABSENT,
        max_downloads: int = ABSENT, password: str = ABSENT, notify_downloads: bool = ABSENT,
        recipients: Sequence[str] = ABSENT,
    ) -> Answer:
        """Share a kit."""
        return self._ask(
            "POST", "/v1/shares", {}, {}, {"kit_id": kit_id, "paths": paths, "expires_at": expires_at, "note": note,
            "max_downloads": max_downloads, "password": password, "notify_downloads": notify_downloads,
            "recipients": recipients},
        )

    def list_shares(self, *, cursor: str = ABSENT, limit: int = ABSENT, kit_id: str = ABSENT) -> Answer:
        """List shares, newest first."""
        return self._ask(
            "GET", "/v1/shares", {}, {"cursor": cursor, "limit": limit, "kit_id": kit_id},
        )

    def get_share(self, share_id: str) -> Answer:
        """Get a share."""
        return self._ask("GET", "/v1/shares/{share_id}", {"share_id": share_id}, {})

    def change_share(
        self, share_id: str, *, expires_at: str = ABSENT, max_downloads: Optional[int] = ABSENT,
        password: Optional[str] = ABSENT, notify_downloads: bool = ABSENT,
    ) -> Answer:
        """Change a share."""
        return self._ask(
            "PATCH", "/v1/shares/{share_id}", {"share_id": share_id}, {}, {"expires_at": expires_at,
            "max_downloads": max_downloads, "password": password, "notify_downloads": notify_downloads},
        )

    def revoke_share(self, share_id: str) -> Nothing:
        """Revoke a share."""
        return self._act("DELETE", "/v1/shares/{share_id}", {"share_id": share_id}, {})

    def list_share_accesses(self, share_id: str, *, cursor: str = ABSENT, limit: int = ABSENT) -> Answer:
        """Get the access log of a share."""
        return self._ask(
            "GET", "/v1/shares/{share_id}/accesses", {"share_id": share_id}, {"cursor": cursor, "limit": limit},
        )

    def create_share_link(self, share_id: str, *, recipient: str = ABSENT) -> Answer:
        """Create or replace a link of a share."""
        return self._ask(
            "POST", "/v1/shares/{share_id}/links", {"share_id": share_id}, {}, {"recipient": recipient},
        )

    def revoke_share_link(self, share_id: str, *, recipient: str = ABSENT) -> Nothing:
        """Revoke the link of one recipient of a share."""
        return self._act(
            "DELETE", "/v1/shares/{share_id}/links", {"share_id": share_id}, {"recipient": recipient},
        )

    def create_room(
        self, *, title: str, expires_at: str, kits: Sequence[str] = ABSENT, series: str = ABSENT,
        program: str = ABSENT, note: str = ABSENT, max_downloads: int = ABSENT, password: str = ABSENT,
        notify_downloads: bool = ABSENT, recipients: Sequence[str] = ABSENT,
    ) -> Answer:
        """Open a room."""
        return self._ask(
            "POST", "/v1/rooms", {}, {}, {"title": title, "kits": kits, "series": series, "program": program,
            "expires_at": expires_at, "note": note, "max_downloads": max_downloads, "password": password,
            "notify_downloads": notify_downloads, "recipients": recipients},
        )

    def list_rooms(self, *, cursor: str = ABSENT, limit: int = ABSENT) -> Answer:
        """List rooms, newest first."""
        return self._ask("GET", "/v1/rooms", {}, {"cursor": cursor, "limit": limit})

    def get_room(self, room_id: str) -> Answer:
        """Get a room."""
        return self._ask("GET", "/v1/rooms/{room_id}", {"room_id": room_id}, {})

    def change_room(
        self, room_id: str, *, expires_at: str = ABSENT, max_downloads: Optional[int] = ABSENT,
        password: Optional[str] = ABSENT, notify_downloads: bool = ABSENT,
    ) -> Answer:
        """Change a room."""
        return self._ask(
            "PATCH", "/v1/rooms/{room_id}", {"room_id": room_id}, {}, {"expires_at": expires_at,
            "max_downloads": max_downloads, "password": password, "notify_downloads": notify_downloads},
        )

    def revoke_room(self, room_id: str) -> Nothing:
        """Revoke a room."""
        return self._act("DELETE", "/v1/rooms/{room_id}", {"room_id": room_id}, {})

    def list_room_accesses(self, room_id: str, *, cursor: str = ABSENT, limit: int = ABSENT) -> Answer:
        """Get the access log of a room."""
        return self._ask(
            "GET", "/v1/rooms/{room_id}/accesses", {"room_id": room_id}, {"cursor": cursor, "limit": limit},
        )

    def create_room_link(self, room_id: str, *, recipient: str = ABSENT) -> Answer:
        """Create or replace a link of a room."""
        return self._ask(
            "POST", "/v1/rooms/{room_id}/links", {"room_id": room_id}, {}, {"recipient": recipient},
        )

    def revoke_room_link(self, room_id: str, *, recipient: str = ABSENT) -> Nothing:
        """Revoke the link of one recipient of a room."""
        return self._act(
            "DELETE", "/v1/rooms/{room_id}/links", {"room_id": room_id}, {"recipient": recipient},
        )

    def list_room_comments(self, room_id: str, *, cursor: str = ABSENT, limit: int = ABSENT) -> Answer:
        """List comments and questions of a room."""
        return self._ask(
            "GET", "/v1/rooms/{room_id}/comments", {"room_id": room_id}, {"cursor": cursor, "limit": limit},
        )

    def comment_in_room(
        self, room_id: str, *, kit_id: str, text: str, path: str = ABSENT, item_id: str = ABSENT,
        is_question: bool = ABSENT, reply_to: str = ABSENT, idempotency_key: Optional[str] = None,
    ) -> Answer:
        """Comment in a room, or answer."""
        return self._ask(
            "POST", "/v1/rooms/{room_id}/comments", {"room_id": room_id}, {}, {"kit_id": kit_id, "path": path,
            "item_id": item_id, "text": text, "is_question": is_question, "reply_to": reply_to},
            idempotency_key or "",
        )

    def change_room_comment(self, room_id: str, comment_id: str, *, state: Literal["open", "resolved"]) -> Answer:
        """Resolve a question, or open it again."""
        return self._ask(
            "PATCH", "/v1/rooms/{room_id}/comments/{comment_id}", {"room_id": room_id, "comment_id": comment_id}, {},
            {"state": state},
        )

    def erase_room_comment(self, room_id: str, comment_id: str) -> Nothing:
        """Erase a comment."""
        return self._act(
            "DELETE", "/v1/rooms/{room_id}/comments/{comment_id}", {"room_id": room_id, "comment_id": comment_id}, {},
        )

    def list_room_reviews(self, room_id: str, *, cursor: str = ABSENT, limit: int = ABSENT) -> Answer:
        """List what reviewers say that they have reviewed."""
        return self._ask(
            "GET", "/v1/rooms/{room_id}/reviews", {"room_id": room_id}, {"cursor": cursor, "limit": limit},
        )

    def get_overview(self) -> Answer:
        """Get what waits for a person."""
        return self._ask("GET", "/v1/overview", {}, {})

    def create_request(
        self, *, title: str, message: Optional[str] = ABSENT, items: Sequence[Mapping[str, Any]] = ABSENT,
        profile: Optional[str] = ABSENT, recipients: Sequence[str] = ABSENT, due_at: Optional[str] = ABSENT,
        series: Optional[str] = ABSENT, idempotency_key: Optional[str] = None,
    ) -> Answer:
        """Create a request."""
        return self._ask(
            "POST", "/v1/requests", {}, {}, {"title": title, "message": message, "items": items, "profile": profile,
            "recipients": recipients, "due_at": due_at, "series": series}, idempotency_key or "",
        )

    def list_requests(
        self, *, cursor: str = ABSENT, limit: int = ABSENT, status: Literal["open", "submitted", "accepted",
        "closed"] = ABSENT,
    ) -> Answer:
        """List requests, newest first."""
        return self._ask(
            "GET", "/v1/requests", {}, {"cursor": cursor, "limit": limit, "status": status},
        )

    def get_request(self, evidence_request_id: str) -> Answer:
        """Get a request."""
        return self._ask(
            "GET", "/v1/requests/{evidence_request_id}", {"evidence_request_id": evidence_request_id}, {},
        )

    def change_request(
        self, evidence_request_id: str, *, title: str = ABSENT, message: Optional[str] = ABSENT,
        recipients: Sequence[str] = ABSENT, due_at: Optional[str] = ABSENT,
    ) -> Answer:
        """Change a request."""
        return self._ask(
            "PATCH", "/v1/requests/{evidence_request_id}", {"evidence_request_id": evidence_request_id}, {},
            {"title": title, "message": message, "recipients": recipients, "due_at": due_at},
        )

    def list_request_comments(
        self, evidence_request_id: str, *, cursor: str = ABSENT, limit: int = ABSENT,
    ) -> Answer:
        """List the comments of a request."""
        return self._ask(
            "GET", "/v1/requests/{evidence_request_id}/comments", {"evidence_request_id": evidence_request_id},
            {"cursor": cursor, "limit": limit},
        )

    def copy_request(
        self, evidence_request_id: str, *, title: str = ABSENT, due_at: Optional[str] = ABSENT,
        recipients: Sequence[str] = ABSENT, idempotency_key: Optional[str] = None,
    ) -> Answer:
        """Copy a request."""
        return self._ask(
            "POST", "/v1/requests/{evidence_request_id}/copy", {"evidence_request_id": evidence_request_id}, {},
            {"title": title, "due_at": due_at, "recipients": recipients}, idempotency_key or "",
        )

    def create_request_link(self, evidence_request_id: str, *, replace: bool = ABSENT) -> Answer:
        """Create a link for the supplier."""
        return self._ask(
            "POST", "/v1/requests/{evidence_request_id}/links", {"evidence_request_id": evidence_request_id}, {},
            {"replace": replace},
        )

    def revoke_request_links(self, evidence_request_id: str) -> Nothing:
        """Revoke the links of a request."""
        return self._act(
            "DELETE", "/v1/requests/{evidence_request_id}/links", {"evidence_request_id": evidence_request_id}, {},
        )

    def remind_supplier(self, evidence_request_id: str) -> Answer:
        """Remind the supplier."""
        return self._ask(
            "POST", "/v1/requests/{evidence_request_id}/remind", {"evidence_request_id": evidence_request_id}, {}, {},
        )

    def review_item(
        self, evidence_request_id: str, item_id: str, *, status: Literal["accepted", "needs_changes",
        "not_applicable", "to_review"] = ABSENT, reason: str = ABSENT, comment: str = ABSENT,
    ) -> Answer:
        """Review an item, or comment on it."""
        return self._ask(
            "POST", "/v1/requests/{evidence_request_id}/items/{item_id}",
            {"evidence_request_id": evidence_request_id, "item_id": item_id}, {}, {"status": status,
            "reason": reason, "comment": comment},
        )

    def accept_request(self, evidence_request_id: str) -> Answer:
        """Accept every item with files to review."""
        return self._ask(
            "POST", "/v1/requests/{evidence_request_id}/accept", {"evidence_request_id": evidence_request_id}, {}, {},
        )

    def close_request(self, evidence_request_id: str) -> Answer:
        """Close a request."""
        return self._ask(
            "POST", "/v1/requests/{evidence_request_id}/close", {"evidence_request_id": evidence_request_id}, {}, {},
        )

    def create_program(
        self, *, name: str, cadence: Literal["monthly", "quarterly", "half_yearly", "yearly", "none"],
        starts_on: str, items: Sequence[Mapping[str, Any]] = ABSENT, profile: Optional[str] = ABSENT,
        message: Optional[str] = ABSENT, idempotency_key: Optional[str] = None,
    ) -> Answer:
        """Create a program."""
        return self._ask(
            "POST", "/v1/programs", {}, {}, {"name": name, "cadence": cadence, "starts_on": starts_on,
            "items": items, "profile": profile, "message": message}, idempotency_key or "",
        )

    def list_programs(self, *, cursor: str = ABSENT, limit: int = ABSENT) -> Answer:
        """List programs, newest first."""
        return self._ask("GET", "/v1/programs", {}, {"cursor": cursor, "limit": limit})

    def get_program(self, program_id: str) -> Answer:
        """Get a program."""
        return self._ask("GET", "/v1/programs/{program_id}", {"program_id": program_id}, {})

    def change_program(
        self, program_id: str, *, name: str = ABSENT, message: Optional[str] = ABSENT, cadence: Literal["monthly",
        "quarterly", "half_yearly", "yearly", "none"] = ABSENT, items: Sequence[Mapping[str, Any]] = ABSENT,
        ended: bool = ABSENT,
    ) -> Answer:
        """Change a program, or end it."""
        return self._ask(
            "PATCH", "/v1/programs/{program_id}", {"program_id": program_id}, {}, {"name": name, "message": message,
            "cadence": cadence, "items": items, "ended": ended},
        )

    def get_program_board(self, program_id: str, *, cursor: str = ABSENT, limit: int = ABSENT) -> Answer:
        """Get the board of a program."""
        return self._ask(
            "GET", "/v1/programs/{program_id}/board", {"program_id": program_id}, {"cursor": cursor, "limit": limit},
        )

    def open_period(self, program_id: str, *, idempotency_key: Optional[str] = None) -> Answer:
        """Open the next period now."""
        return self._ask(
            "POST", "/v1/programs/{program_id}/periods", {"program_id": program_id}, {}, {}, idempotency_key or "",
        )

    def get_period(self, program_id: str, period: str) -> Answer:
        """Get a period."""
        return self._ask(
            "GET", "/v1/programs/{program_id}/periods/{period}", {"program_id": program_id, "period": period}, {},
        )

    def list_period_comments(
        self, program_id: str, period: str, *, cursor: str = ABSENT, limit: int = ABSENT,
    ) -> Answer:
        """List the comments of a period."""
        return self._ask(
            "GET", "/v1/programs/{program_id}/periods/{period}/comments", {"program_id": program_id,
            "period": period}, {"cursor": cursor, "limit": limit},
        )

    def change_period_item(
        self, program_id: str, period: str, item_id: str, *, status: Literal["accepted", "needs_changes",
        "not_applicable", "to_review"] = ABSENT, reason: str = ABSENT, comment: str = ABSENT,
        owner: Optional[str] = ABSENT, due_at: str = ABSENT,
    ) -> Answer:
        """Review an item of a period, comment on it, or change its owner or due date."""
        return self._ask(
            "PATCH", "/v1/programs/{program_id}/periods/{period}/items/{item_id}", {"program_id": program_id,
            "period": period, "item_id": item_id}, {}, {"status": status, "reason": reason, "comment": comment,
            "owner": owner, "due_at": due_at},
        )

    def remove_period_file(self, program_id: str, period: str, position: str) -> Nothing:
        """Remove a file from a period."""
        return self._act(
            "DELETE", "/v1/programs/{program_id}/periods/{period}/files/{position}", {"program_id": program_id,
            "period": period, "position": position}, {},
        )

    def seal_period(
        self, program_id: str, period: str, *, accept: Sequence[str] = ABSENT, early: bool = ABSENT,
    ) -> Answer:
        """Seal a period."""
        return self._ask(
            "POST", "/v1/programs/{program_id}/periods/{period}/seal", {"program_id": program_id, "period": period},
            {}, {"accept": accept, "early": early},
        )

    def get_period_file(self, program_id: str, period: str, file_path: str, *, into: Target) -> Nothing:
        """Download one file of a period."""
        return self._save(
            "/v1/programs/{program_id}/periods/{period}/evidence/{file_path}", {"program_id": program_id,
            "period": period, "file_path": file_path}, {}, into,
        )

    def get_credits(self, *, cursor: str = ABSENT, limit: int = ABSENT) -> Answer:
        """Get credits and the credit ledger."""
        return self._ask("GET", "/v1/credits", {}, {"cursor": cursor, "limit": limit})

    def get_trust(self) -> Answer:
        """Get the pinned issuers."""
        return self._ask("GET", "/v1/trust", {}, {})

    def set_trust(self, *, data: Sequence[Mapping[str, Any]]) -> Answer:
        """Replace the pinned issuers."""
        return self._ask("PUT", "/v1/trust", {}, {}, {"data": data})

    def get_audit_trail(
        self, *, cursor: str = ABSENT, limit: int = ABSENT, after: int = ABSENT, names: Literal["true"] = ABSENT,
        action: str = ABSENT, by: str = ABSENT, subject: str = ABSENT, since: str = ABSENT, until: str = ABSENT,
    ) -> Answer:
        """Get the audit log."""
        return self._ask(
            "GET", "/v1/audit", {}, {"cursor": cursor, "limit": limit, "after": after, "names": names,
            "action": action, "by": by, "subject": subject, "since": since, "until": until},
        )

    def get_audit_people(self) -> Answer:
        """Get the people of the audit log."""
        return self._ask("GET", "/v1/audit/people", {}, {})

    def get_audit_head(self) -> Answer:
        """Get the head of the audit log."""
        return self._ask("GET", "/v1/audit/head", {}, {})

    def export_audit(self, *, into: Target) -> Nothing:
        """Export the audit log."""
        return self._save("/v1/audit/export", {}, {}, into)

    def list_events(self, *, cursor: str = ABSENT, after: int = ABSENT, limit: int = ABSENT) -> Answer:
        """Get events."""
        return self._ask("GET", "/v1/events", {}, {"cursor": cursor, "after": after, "limit": limit})

    def create_webhook(
        self, *, url: str, types: Optional[Sequence[str]] = ABSENT, description: str = ABSENT,
        idempotency_key: Optional[str] = None,
    ) -> Answer:
        """Create a webhook."""
        return self._ask(
            "POST", "/v1/webhooks", {}, {}, {"url": url, "types": types, "description": description},
            idempotency_key or "",
        )

    def list_webhooks(self) -> Answer:
        """List webhooks."""
        return self._ask("GET", "/v1/webhooks", {}, {})

    def get_webhook(self, webhook_id: str) -> Answer:
        """Get a webhook."""
        return self._ask("GET", "/v1/webhooks/{webhook_id}", {"webhook_id": webhook_id}, {})

    def change_webhook(
        self, webhook_id: str, *, url: str = ABSENT, types: Optional[Sequence[str]] = ABSENT,
        description: str = ABSENT, enabled: bool = ABSENT,
    ) -> Answer:
        """Change a webhook."""
        return self._ask(
            "PATCH", "/v1/webhooks/{webhook_id}", {"webhook_id": webhook_id}, {}, {"url": url, "types": types,
            "description": description, "enabled": enabled},
        )

    def delete_webhook(self, webhook_id: str) -> Nothing:
        """Delete a webhook."""
        return self._act("DELETE", "/v1/webhooks/{webhook_id}", {"webhook_id": webhook_id}, {})

    def rotate_webhook_secret(self, webhook_id: str, *, grace_hours: int = ABSENT) -> Answer:
        """Rotate the secret of a webhook."""
        return self._ask(
            "POST", "/v1/webhooks/{webhook_id}/rotate", {"webhook_id": webhook_id}, {}, {"grace_hours": grace_hours},
        )

    def replay_webhook(self, webhook_id: str, *, after: int) -> Answer:
        """Send events again."""
        return self._ask(
            "POST", "/v1/webhooks/{webhook_id}/replay", {"webhook_id": webhook_id}, {}, {"after": after},
        )

    def ping_webhook(self, webhook_id: str) -> Answer:
        """Test a webhook."""
        return self._ask("POST", "/v1/webhooks/{webhook_id}/ping", {"webhook_id": webhook_id}, {})

    def list_webhook_attempts(self, webhook_id: str, *, cursor: str = ABSENT, limit: int = ABSENT) -> Answer:
        """Get the delivery log of a webhook."""
        return self._ask(
            "GET", "/v1/webhooks/{webhook_id}/attempts", {"webhook_id": webhook_id}, {"cursor": cursor,
            "limit": limit},
        )

    def list_api_keys(self) -> Answer:
        """List API keys."""
        return self._ask("GET", "/v1/keys", {}, {})

    def create_api_key(
        self, *, label: str, scopes: Sequence[Literal["submit", "read", "requests", "shares", "admin"]] = ABSENT,
        expires_days: Optional[int] = ABSENT, idempotency_key: Optional[str] = None,
    ) -> Answer:
        """Create an API key."""
        return self._ask(
            "POST", "/v1/keys", {}, {}, {"label": label, "scopes": scopes, "expires_days": expires_days},
            idempotency_key or "",
        )

    def rotate_api_key(self, key_id: str, *, grace_hours: Optional[int] = ABSENT) -> Answer:
        """Rotate an API key."""
        return self._ask(
            "POST", "/v1/keys/{key_id}/rotate", {"key_id": key_id}, {}, {"grace_hours": grace_hours},
        )

    def revoke_api_key(self, key_id: str) -> Nothing:
        """Revoke an API key."""
        return self._act("DELETE", "/v1/keys/{key_id}", {"key_id": key_id}, {})

    def me(self) -> Answer:
        """Get who you are."""
        return self._ask("GET", "/v1/me", {}, {})

    def list_federations(self) -> Answer:
        """List federations."""
        return self._ask("GET", "/v1/federation", {}, {})

    def create_federation(
        self, *, label: str, issuer: str, claims: Sequence[Mapping[str, Any]], audience: str = ABSENT,
        scopes: Sequence[Literal["submit", "read", "requests", "shares", "admin"]] = ABSENT,
        idempotency_key: Optional[str] = None,
    ) -> Answer:
        """Create a federation."""
        return self._ask(
            "POST", "/v1/federation", {}, {}, {"label": label, "issuer": issuer, "claims": claims,
            "audience": audience, "scopes": scopes}, idempotency_key or "",
        )

    def get_federation(self, federation_id: str) -> Answer:
        """Get a federation."""
        return self._ask(
            "GET", "/v1/federation/{federation_id}", {"federation_id": federation_id}, {},
        )

    def change_federation(
        self, federation_id: str, *, label: str, issuer: str, claims: Sequence[Mapping[str, Any]],
        audience: str = ABSENT, scopes: Sequence[Literal["submit", "read", "requests", "shares", "admin"]] = ABSENT,
    ) -> Answer:
        """Change a federation."""
        return self._ask(
            "PUT", "/v1/federation/{federation_id}", {"federation_id": federation_id}, {}, {"label": label,
            "issuer": issuer, "claims": claims, "audience": audience, "scopes": scopes},
        )

    def delete_federation(self, federation_id: str) -> Nothing:
        """Delete a federation."""
        return self._act(
            "DELETE", "/v1/federation/{federation_id}", {"federation_id": federation_id}, {},
        )

    def list_uploads(self, submission_id: str) -> Answer:
        """List unfinished uploads."""
        return self._ask(
            "GET", "/v1/submissions/{submission_id}/uploads", {"submission_id": submission_id}, {},
        )
