"""Seals evidence into kits that anyone can check, and verifies them. Needs nothing but Python.

Integrity and issuance evidence only. Not audit, certification, or compliance guarantee.
"""

from ._transport import RetryPolicy
from .async_client import AsyncClient
from .client import Client, SealedKit, VerifiedKit
from .errors import ApiError, KitsealError, NetworkError, NotSealedError, NotVerifiedError, RedirectError, WaitTimeout
from .evidence import Evidence, evidence_file, evidence_in
from .verification import NO_TRUST, Signer, Trust, VerificationReport, trust_keys, verify_kit
from .webhooks import WebhookError, verify_webhook

__version__ = "1.0.0rc1"

__all__ = ["AsyncClient", "Client", "RetryPolicy", "SealedKit", "VerifiedKit"]
__all__ += ["NO_TRUST", "Signer", "Trust", "VerificationReport", "trust_keys", "verify_kit"]
__all__ += ["Evidence", "evidence_file", "evidence_in"]
__all__ += ["ApiError", "KitsealError", "NetworkError", "NotSealedError", "NotVerifiedError", "RedirectError", "WaitTimeout"]
__all__ += ["WebhookError", "verify_webhook"]
