// Generated from spec/openapi.json by server/test/write-generated-files.ts.
/** An intake job, from draft to issued kit. */
export interface IntakeJob {
  readonly job_id: string
  readonly tenant_id: string
  readonly scope_label: string
  readonly status: 'DRAFT' | 'SUBMITTED' | 'PASS' | 'FAIL' | 'ISSUED' | 'EXPIRED'
  readonly created_at: string
  readonly updated_at: string
  readonly kit_id?: string | null
  /** What the service does and does not claim. */
  readonly boundary: string
}

/** Send `tenant_id`, `scope_label` and optionally `status`. Other members of IntakeJob are accepted and ignored. */
export interface IntakeJobRequest {
  /** The tenant, one line of text. With an API key: its workspace ID. */
  readonly tenant_id: string
  /** What the evidence is about. Becomes `scope` in the receipt. */
  readonly scope_label: string
  /** Default: `SUBMITTED`. */
  readonly status?: 'DRAFT' | 'SUBMITTED'
  /** Accepted and ignored. The service assigns it. */
  readonly job_id?: string
  readonly created_at?: string
  readonly updated_at?: string
  readonly kit_id?: string | null
  readonly boundary?: string
}

/** Says that the evidence of a kit was deleted, when and why. Signed by the issuer, and in the transparency log. */
export interface Erasure {
  readonly erasure_version: 'kitseal-erasure-1'
  readonly kit_id: string
  readonly job_id: string
  /** Of the canonical receipt with its signature. */
  readonly receipt_sha256: string
  readonly issuer: string
  readonly erased_at: string
  readonly reason: 'retention' | 'request'
  /** The rule, if the reason is retention. */
  readonly rule: string | null
  /** `member:ID` or `key:ID`, if the reason is a request. */
  readonly ordered_by: string | null
  /** Files of evidence. */
  readonly files: number
  readonly bytes: number
  readonly public_key_kid: string
  readonly signature_algorithm: 'Ed25519'
  /** Base64url. */
  readonly signature: string
  /** What the service does and does not claim. */
  readonly boundary: string
}

/** What is in a kit, and where it is in the log. */
export interface KitDetail {
  readonly kit_id: string
  /** The scope of its receipt. */
  readonly label: string
  /** Of its receipt. */
  readonly issuer: string
  readonly issued_at: string
  /** Key ID of the signing key. */
  readonly kid: string
  /** As sealed in the kit. Null if it names none, or its evidence was deleted. */
  readonly supplier: {
    readonly workspace_id: string
    readonly name: string
    readonly confirmed_by?: 'operator' | null
  } | null
  readonly requested_by?: {
    readonly workspace_id: string
    readonly name: string
    readonly confirmed_by?: 'operator' | null
  }
  /** Hash of the manifest. */
  readonly manifest_sha256: string
  /** Merkle tree hash of the artifacts. */
  readonly manifest_root_hash: string
  /** Hash of the receipt without its signature. */
  readonly canonical_receipt_sha256: string
  /** Of `kit.zip`. */
  readonly size_bytes: number
  /** Of `kit.zip`. */
  readonly sha256: string
  readonly files: readonly {
    readonly path: string
    readonly sha256: string
    readonly size_bytes: number
    readonly kind: 'evidence' | 'report' | 'binder' | 'guide' | 'verifier' | 'bag' | 'envelope'
    /** What the file says about itself, if it is the output of a known tool: `Prowler 5.9 · account 123456789012 · 12 Nov 2026 · 412 pass, 9 fail`. It is not verified. */
    readonly summary: string | null
  }[]
  /** What was asked for, with the status of each item when the kit was sealed. Null if the kit answers no request and is of no period, or if its evidence was deleted. */
  readonly items: readonly {
    readonly item_id: string
    readonly title: string
    readonly status: string
    /** Paths in the kit. */
    readonly files: readonly string[]
  }[] | null
  /** Where the evidence came from, as in `reports/provenance.json`. */
  readonly provenance: readonly ProvenanceEntry[]
  /** The place of the receipt in the log. Null if the log is not available. */
  readonly log: {
    readonly origin: string
    /** From 0. */
    readonly index: number
    /** Of the log, in the newest proof. */
    readonly size: number
    /** The witnesses in the newest proof, as they name themselves. */
    readonly cosigned: readonly {
      readonly name: string
      readonly at: string
    }[]
  } | null
  /** What the service does and does not claim. */
  readonly boundary: string
}

/** The list of every file in a kit. */
export interface Manifest {
  readonly receipt_version: string
  readonly kit_id: string
  readonly job_id: string
  readonly issued_at: string
  /** Sorted by the UTF-8 bytes of `path`. */
  readonly artifacts: readonly Artifact[]
  /** SHA-256 of this object in RFC 8785 form, without this member. */
  readonly manifest_sha256: string
  /** What the service does and does not claim. */
  readonly boundary: string
}

/** The signed statement that a kit was issued. */
export interface Receipt {
  readonly receipt_version: string
  readonly job_id: string
  readonly kit_id: string
  readonly issued_at: string
  readonly issuer: string
  /** RFC 7638 thumbprint of the signing key. */
  readonly public_key_kid: string
  /** `manifest_sha256` of the kit's manifest. */
  readonly manifest_sha256: string
  /** RFC 9162 Merkle tree hash of the artifacts, in order. */
  readonly manifest_root_hash: string
  /** SHA-256 of this object in RFC 8785 form, without this member and `signature`. */
  readonly canonical_receipt_sha256: string
  readonly signature_algorithm: 'Ed25519'
  /** Ed25519 signature of this object in RFC 8785 form without this member, as base64url without padding. */
  readonly signature: string
  readonly scope: string
  /** What the service does and does not claim. */
  readonly boundary: string
}

/** PASS if the verdict is verified. */
export interface VerificationResult {
  readonly status: 'PASS' | 'FAIL'
  /** What the result means: `verified` is PASS, the others say why it is FAIL. */
  readonly verdict?: 'verified' | 'sender_unconfirmed' | 'signer_unknown' | 'key_revoked' | 'altered' | 'unreadable'
  readonly manifest_hash_valid: boolean
  readonly artifact_hashes_valid: boolean
  readonly receipt_canonical_hash_valid: boolean
  readonly ed25519_signature_valid: boolean
  readonly kid_matched: boolean
  /** `code: text` for each failure. Empty on PASS. */
  readonly errors: readonly string[]
  /** By the index of `errors`. Null for one that is only in English. */
  readonly error_messages?: readonly ({
    readonly key: string
    /** Text, numbers, or other messages. Never markup. */
    readonly args?: {
      readonly [name: string]: unknown
    }
  } | null)[]
  /** The result of each check. */
  readonly checks?: readonly CheckResult[]
  readonly signer?: Signer
  readonly log?: LogStatement
  /** Where the evidence came from. Only if the kit is intact and has `reports/provenance.json`. */
  readonly provenance?: {
    /** Whether the kit is verified. If not, nothing in the report counts as verified. */
    readonly confirmed: boolean
    /** Why nothing of the report is shown: it is malformed. */
    readonly problem: string | null
    /** Where the evidence came from, as in `reports/provenance.json`. */
    readonly entries: readonly ProvenanceEntry[]
  }
  /** What the service does and does not claim. */
  readonly boundary: string
}

/** Returned with every error. */
export interface ErrorResponse {
  /** Reason phrase of the status. */
  readonly error: string
  readonly code: ErrorCode
  /** For people. Do not parse it. */
  readonly message: string
  /** Values in `message`, for programs that say it in another language. Never markup. */
  readonly args?: {
    readonly [name: string]: string | number
  }
  /** What the error is about: a member of the body such as `items[2].title`, a form field, a parameter of the query or path, or a header. The first one, if there are several. */
  readonly param?: string
  /** Also in `X-Request-Id`. */
  readonly request_id: string
  /** What the service does and does not claim. */
  readonly boundary?: string
}

/** The public key set with active and retired keys, and the IDs of revoked keys. */
export interface JWKS {
  readonly keys: readonly PublicKey[]
  /** Keys that must not be trusted. Always sent, even if empty. */
  readonly revoked_keys?: readonly RevokedKey[]
}

/** The files of a finished submission. Empty until then. */
export interface DeliverableList {
  readonly submission_id: string
  /** EXPIRED: the evidence was deleted, at the end of its retention or on request, or a draft was not submitted in time. Manifest and receipt of a kit remain. */
  readonly status: 'PENDING' | 'RUNNING' | 'PASS' | 'FAIL' | 'EXPIRED'
  readonly data: readonly Deliverable[]
  /** Send it as `cursor` to get the next page. Null on the last page. */
  readonly next_cursor: string | null
  /** What the service does and does not claim. */
  readonly boundary: string
}

/** `fail_report.json`: why no kit was issued, and how to fix it. */
export interface FailReport {
  readonly report: 'fail_report'
  readonly submission_id: string
  readonly job_id: string
  readonly label: string
  readonly profile: string
  readonly status: 'FAIL'
  readonly failed_at: string
  readonly credits_charged: number
  readonly blockers: readonly Blocker[]
  /** What the service does and does not claim. */
  readonly boundary: string
}

/** What waits for a person. */
export interface Overview {
  /** The workspace has no submissions yet. */
  readonly is_empty: boolean
  readonly waiting: readonly {
    /** `period_failed`: a period that was not sealed because of its files. `item`, `item_late` and `item_sent_back`: items of open periods that the signed-in member owns. `review`: an answer to a request. `unanswered`: the answer is reviewed, and items have no files. `sent_back`: items that the supplier changes. `question`: of a reviewer in a room. `draft`: files that nobody submitted. `share`, `key` and `evidence` end soon. `mail` was not sent. `name`: nobody has named the workspace. */
    readonly what: 'failed' | 'mail' | 'period_failed' | 'item_late' | 'item_sent_back' | 'item' | 'review' | 'overdue' | 'due' | 'unanswered' | 'sent_back' | 'question' | 'draft' | 'share' | 'key' | 'name' | 'evidence'
    /** Of the program, request, submission, share, room or key. */
    readonly id: string | null
    /** Of the answer to review. */
    readonly submission_id: string | null
    /** Of the request or submission; of a mail, its recipient. */
    readonly title: string
    /** Since when, or when it is due or ends. */
    readonly at: string
    /** Items, questions or kits, of which at most 1,000 are counted. */
    readonly count: number | null
    /** Why a mail was not sent. */
    readonly reason: string | null
    /** Of a program. */
    readonly period: string | null
    /** Of an item of a period. */
    readonly item_id: string | null
  }[]
  /** There is more than this list can hold. */
  readonly has_more: boolean
  /** What the service does and does not claim. */
  readonly boundary: string
}

/** What a new draft takes over from a failed submission. */
export interface Resubmission {
  /** Positions of the files to keep, from 0. They are not uploaded again. */
  readonly keep: readonly number[]
  readonly label?: string | null
  readonly profile?: string | null
  /** Codes of findings that you acknowledge. */
  readonly accept?: readonly string[]
  /** Files that you say are for an item of the profile: `path` in the kit, without `data/`. A name that matches only suggests a file. */
  readonly confirm?: readonly {
    readonly item: string
    readonly path: string
  }[]
}

/** One delivery of evidence, from draft to kit. */
export interface Submission {
  readonly submission_id: string
  readonly label: string
  /** EXPIRED: the evidence was deleted, at the end of its retention or on request, or a draft was not submitted in time. Manifest and receipt of a kit remain. */
  readonly status: 'PENDING' | 'RUNNING' | 'PASS' | 'FAIL' | 'EXPIRED'
  /** What holds the submission, and since when. Null while it is processed, and once the status is final. */
  readonly waiting: SubmissionWaiting | null
  /** The intake job of this submission. */
  readonly job_id: string
  /** Null until the kit is issued. */
  readonly kit_id: string | null
  readonly profile: string
  /** The series, if it belongs to one. */
  readonly series: string | null
  /** Your own ID. */
  readonly external_id: string | null
  readonly tags: readonly string[]
  readonly metadata: {
    readonly [name: string]: string
  }
  readonly created_at: string
  readonly updated_at: string
  readonly evidence: readonly EvidenceFile[]
  /** The codes of findings that the supplier acknowledges. */
  readonly accept: readonly string[]
  /** What the supplier states about where the evidence came from. */
  readonly provenance: {
    /** The program that collected the evidence. */
    readonly collector?: {
      readonly name: string
      readonly version?: string
      readonly command?: string
    }
    /** The time that the evidence is about. */
    readonly period?: {
      readonly from: string
      readonly to: string
    }
    /** A date (`2026-01-31`), or a time with its zone (RFC 3339). */
    readonly collected_at?: string
    /** The system, account or repository that the evidence is about. */
    readonly system?: string
    /** What was asked for. */
    readonly query?: string
    readonly files?: {
      readonly [name: string]: {
        /** The program that collected the evidence. */
        readonly collector?: {
          readonly name: string
          readonly version?: string
          readonly command?: string
        }
        /** The time that the evidence is about. */
        readonly period?: {
          readonly from: string
          readonly to: string
        }
        /** A date (`2026-01-31`), or a time with its zone (RFC 3339). */
        readonly collected_at?: string
        /** The system, account or repository that the evidence is about. */
        readonly system?: string
        /** What was asked for. */
        readonly query?: string
      }
    }
  } | null
  /** Why no kit was issued. Empty unless the status is FAIL. */
  readonly blockers: readonly Blocker[]
  /** Everything that was noticed in the evidence. Those that block the submission come first. */
  readonly findings: readonly Finding[]
  readonly credits_charged: number
  /** Name and path of each deliverable. */
  readonly deliverables: {
    readonly [name: string]: string
  }
  /** The legal hold, which keeps the evidence from being deleted. */
  readonly hold: {
    readonly reason: string
    readonly created_at: string
  } | null
  /** When and why the evidence of the kit was deleted. */
  readonly erasure: {
    readonly erased_at: string
    readonly reason: 'retention' | 'request'
    /** The rule, if the reason is retention. */
    readonly rule: string | null
    /** `member:ID` or `key:ID`, if the reason is a request. */
    readonly ordered_by: string | null
    readonly files: number
    readonly bytes: number
  } | null
  /** When the key that signed the kit was revoked. The kit no longer verifies: re-issue it. */
  readonly key_revoked_at: string | null
  /** The submission whose kit this one replaces, because its signing key was revoked. */
  readonly replaces: {
    readonly submission_id: string
    /** The kit. */
    readonly kit_id: string | null
  } | null
  /** The submission whose kit replaces the one of this submission. */
  readonly replaced_by: {
    readonly submission_id: string
    /** Null until the kit is issued. */
    readonly kit_id: string | null
  } | null
  /** What the service does and does not claim. */
  readonly boundary: string
}

/** Newest first, unless `sort` says otherwise. */
export interface SubmissionList {
  readonly data: readonly SubmissionSummary[]
  /** Send it as `cursor` to get the next page. Null on the last page. */
  readonly next_cursor: string | null
  /** What the service does and does not claim. */
  readonly boundary: string
}

/** The body of a new submission. */
export interface SubmissionRequest {
  /** One line of text. */
  readonly label: string
  /** A draft job of the same workspace. Without it, a new job is created. */
  readonly job_id?: string | null
  /** The checklist for the evidence. `default` requires nothing. */
  readonly profile?: string | null
  /** Codes of findings that you acknowledge. They no longer block the submission. A danger cannot be accepted. */
  readonly accept?: readonly string[]
  /** Files that you say are for an item of the profile: `path` in the kit, without `data/`. A name that matches only suggests a file. */
  readonly confirm?: readonly {
    readonly item: string
    readonly path: string
  }[]
  readonly provenance?: {
    /** The program that collected the evidence. */
    readonly collector?: {
      readonly name: string
      readonly version?: string
      readonly command?: string
    }
    /** The time that the evidence is about. */
    readonly period?: {
      readonly from: string
      readonly to: string
    }
    /** A date (`2026-01-31`), or a time with its zone (RFC 3339). */
    readonly collected_at?: string
    /** The system, account or repository that the evidence is about. */
    readonly system?: string
    /** What was asked for. */
    readonly query?: string
    /** Statements about single files, by their path in the kit without `data/`. They replace the one about all files. */
    readonly files?: {
      readonly [name: string]: {
        /** The program that collected the evidence. */
        readonly collector?: {
          readonly name: string
          readonly version?: string
          readonly command?: string
        }
        /** The time that the evidence is about. */
        readonly period?: {
          readonly from: string
          readonly to: string
        }
        /** A date (`2026-01-31`), or a time with its zone (RFC 3339). */
        readonly collected_at?: string
        /** The system, account or repository that the evidence is about. */
        readonly system?: string
        /** What was asked for. */
        readonly query?: string
      }
    }
  } | null
  /** Your own ID, such as a ticket number. It need not be unique. */
  readonly external_id?: string | null
  /** Up to 20 tags of up to 50 characters, without commas. Case does not matter in a search. */
  readonly tags?: readonly string[]
  /** Up to 50 names of up to 40 letters, digits, `_`, `.` and `-`, each with a text of up to 500 characters. The service only stores it. */
  readonly metadata?: {
    readonly [name: string]: string
  }
  /** The series that this submission belongs to, such as a review that is repeated every quarter. */
  readonly series?: string | null
}

/** A submission in a list, without its files and findings. */
export interface SubmissionSummary {
  readonly submission_id: string
  readonly label: string
  /** EXPIRED: the evidence was deleted, at the end of its retention or on request, or a draft was not submitted in time. Manifest and receipt of a kit remain. */
  readonly status: 'PENDING' | 'RUNNING' | 'PASS' | 'FAIL' | 'EXPIRED'
  /** What holds the submission, and since when. Null while it is processed, and once the status is final. */
  readonly waiting: SubmissionWaiting | null
  /** The intake job of this submission. */
  readonly job_id: string
  /** Null until the kit is issued. */
  readonly kit_id: string | null
  readonly profile: string
  /** The series, if it belongs to one. */
  readonly series: string | null
  /** Your own ID. */
  readonly external_id: string | null
  readonly tags: readonly string[]
  readonly metadata: {
    readonly [name: string]: string
  }
  readonly created_at: string
  readonly updated_at: string
  /** When the key that signed the kit was revoked. The kit no longer verifies: re-issue it. */
  readonly key_revoked_at: string | null
  /** The submission whose kit replaces the one of this submission. */
  readonly replaced_by: {
    readonly submission_id: string
    /** Null until the kit is issued. */
    readonly kit_id: string | null
  } | null
  /** The email address of the member, or the label of the API key. */
  readonly created_by: string | null
  /** Files of evidence. */
  readonly file_count: number
  /** Of the evidence. */
  readonly size_bytes: number
  /** Why no kit was issued. 0 unless the status is FAIL. */
  readonly blocker_count: number
  /** How many possible secrets and other problems were acknowledged. */
  readonly accepted: {
    readonly secrets: number
    readonly problems: number
  }
}

/** A resumable upload of one file. */
export interface Upload {
  readonly upload_id: string
  readonly submission_id: string
  /** The file name, as sent. */
  readonly name: string
  readonly size_bytes: number
  /** How much has arrived. */
  readonly offset_bytes: number
  /** As sent by the client. */
  readonly resume_key: string | null
  readonly created_at: string
  readonly expires_at: string
  /** When the file became evidence of the submission. */
  readonly finished_at: string | null
  /** What the service does and does not claim. */
  readonly boundary: string
}

/** Uploads that can be continued, oldest first. */
export interface UploadList {
  readonly data: readonly Upload[]
  /** Send it as `cursor` to get the next page. Null on the last page. */
  readonly next_cursor: string | null
  /** What the service does and does not claim. */
  readonly boundary: string
}

/** A token that lives 15 minutes (RFC 8693). */
export interface Token {
  /** An API key. Send it in `X-API-Key`, or as a bearer token. */
  readonly access_token: string
  readonly issued_token_type: string
  readonly token_type: 'Bearer'
  /** Seconds. */
  readonly expires_in: number
  /** Separated by spaces. */
  readonly scope: string
  readonly workspace_id: string
  /** What the service does and does not claim. */
  readonly boundary: string
}

/** The state of an audit log, with the proof that it is in the transparency log. */
export interface AuditHead {
  readonly audit_version: 'kitseal-audit-1'
  /** Identifies the audit log in the transparency log without naming the workspace. */
  readonly audit_tag: string
  /** `seq` of the newest event. */
  readonly count: number
  /** `hash` of the newest event. */
  readonly head: string
  /** A tlog-proof (C2SP) of the leaf with these members. */
  readonly log_proof: string
}

/** The audit log of a workspace: who changed or downloaded what, and when. */
export interface AuditTrail {
  readonly workspace_id: string
  /** Newest first, or with `after` oldest first. Append-only, without gaps in `seq`. */
  readonly data: readonly AuditEvent[]
  /** Send it as `cursor` to get the next page. Null on the last page. */
  readonly next_cursor: string | null
  /** What the service does and does not claim. */
  readonly boundary: string
}

/** Events, oldest first and without gaps. */
export interface EventList {
  readonly workspace_id: string
  /** Send it as `after`, now or later, to get what is newer. */
  readonly last_seq: number
  readonly data: readonly Event[]
  /** Send it as `cursor` to get the next page. Null on the last page. */
  readonly next_cursor: string | null
  /** What the service does and does not claim. */
  readonly boundary: string
}

/** The members and API keys of a workspace, also those that are removed or revoked. */
export interface PersonList {
  readonly data: readonly {
    readonly id: string
    readonly name: string
    readonly is: 'member' | 'key'
  }[]
  /** Send it as `cursor` to get the next page. Null on the last page. */
  readonly next_cursor: string | null
  /** What the service does and does not claim. */
  readonly boundary: string
}

/** Newest first. */
export interface ApiKeyList {
  readonly data: readonly ApiKey[]
  /** Send it as `cursor` to get the next page. Null on the last page. */
  readonly next_cursor: string | null
  /** What the service does and does not claim. */
  readonly boundary: string
}

/** The body of a new API key. */
export interface ApiKeyRequest {
  /** One line of text, such as the program that uses the key. */
  readonly label: string
  /** What the key may do. A key cannot create one with scopes that it does not have. Default: `submit`, `read`. */
  readonly scopes?: readonly ('submit' | 'read' | 'requests' | 'shares' | 'admin')[]
  /** Lifetime in days. Without it, the key does not expire. A key that another key creates expires no later than that one. */
  readonly expires_days?: number | null
}

/** A new API key, with its secret. */
export interface CreatedApiKey {
  readonly key: ApiKey
  /** The secret. Null in the response to a retry. */
  readonly api_key: string | null
  /** Only in the response to a retry: why there is no secret. */
  readonly notice?: string
  /** What the service does and does not claim. */
  readonly boundary: string
}

/** An API key, without its secret. */
export interface ApiKey {
  readonly key_id: string
  readonly label: string
  /** ID of the member, API key or federation that made or extended it, or `operator` or `service`. Null if unknown. */
  readonly created_by: string | null
  readonly created_at: string
  /** Null if the key does not expire. */
  readonly expires_at: string | null
  /** Null unless the key is revoked. */
  readonly revoked_at: string | null
  /** Within about 10 seconds. Null if the key was never used. */
  readonly last_used_at: string | null
  /** What the key may do. */
  readonly scopes: readonly ('submit' | 'read' | 'requests' | 'shares' | 'admin')[]
  /** The email address of the member, or the label of the key or federation. */
  readonly created_by_name: string | null
  /** `ending`: it works, and has an expiry. */
  readonly status: 'active' | 'ending' | 'expired' | 'revoked'
  /** What the service does and does not claim. */
  readonly boundary: string
}

export interface KeyRotation {
  /** Hours until the old key expires. Default: 24. */
  readonly grace_hours?: number | null
}

/** The new key with its secret, and the key that it replaces. */
export interface RotatedApiKey {
  readonly key: ApiKey
  /** The key itself. Shown only now: it is not stored. */
  readonly api_key: string
  readonly replaced: ApiKey
  /** What the service does and does not claim. */
  readonly boundary: string
}

/** Newest first. */
export interface FederationList {
  readonly data: readonly Federation[]
  /** Send it as `cursor` to get the next page. Null on the last page. */
  readonly next_cursor: string | null
  /** What the service does and does not claim. */
  readonly boundary: string
}

/** The body of a federation. */
export interface FederationRequest {
  /** One line of text. It names the tokens in the audit log. */
  readonly label: string
  /** URL of the OpenID Connect issuer, exactly as in the claim `iss`. */
  readonly issuer: string
  /** All of them must match. */
  readonly claims: readonly ClaimRule[]
  /** What the claim `aud` must be or contain. Default: the issuer of this service. */
  readonly audience?: string
  /** Scopes of the tokens. A key cannot give scopes that it does not have. Default: `submit`, `read`. */
  readonly scopes?: readonly ('submit' | 'read' | 'requests' | 'shares' | 'admin')[]
}

/** An issuer whose tokens the workspace accepts, if their claims match. */
export interface Federation {
  readonly federation_id: string
  /** One line of text. It names the tokens in the audit log. */
  readonly label: string
  /** URL of the OpenID Connect issuer, exactly as in the claim `iss`. */
  readonly issuer: string
  readonly audience: string
  /** All of them must match. */
  readonly claims: readonly ClaimRule[]
  /** ID of the member, API key or federation that made or extended it, or `operator` or `service`. Null if unknown. */
  readonly created_by: string | null
  readonly created_at: string
  readonly updated_at: string
  /** When the API key that made it expires. Null if it does not. */
  readonly expires_at: string | null
  /** Scopes of the tokens. */
  readonly scopes: readonly ('submit' | 'read' | 'requests' | 'shares' | 'admin')[]
  /** What the service does and does not claim. */
  readonly boundary: string
}

/** The credits of a workspace and their ledger. */
export interface CreditAccount {
  readonly workspace_id: string
  /** Credits that can be spent. Null: unlimited, because the operator gave no number. */
  readonly available: number | null
  /** Credits held for submissions in progress. */
  readonly held: number
  /** The ledger, newest first. Append-only. The changes add up to `available` and `held`. */
  readonly data: readonly LedgerEntry[]
  /** Send it as `cursor` to get the next page. Null on the last page. */
  readonly next_cursor: string | null
  /** What the service does and does not claim. */
  readonly boundary: string
}

/** Keys of other issuers, which kits among the evidence are verified with. */
export interface TrustedIssuers {
  readonly data: readonly IssuerPin[]
  /** Send it as `cursor` to get the next page. Null on the last page. */
  readonly next_cursor: string | null
  /** What the service does and does not claim. */
  readonly boundary: string
}

export interface TrustRequest {
  readonly data: readonly {
    /** The URL in the receipts. */
    readonly issuer: string
    /** The key ID. */
    readonly kid: string
    readonly key?: PublicKey
    readonly created_at?: string
  }[]
}

/** Who calls, for which workspace, and what they may do. */
export interface Me {
  readonly workspace_id: string
  /** Sealed in kits as the supplier. */
  readonly workspace_name: string
  readonly actor: {
    /** `federation`: a key that was exchanged for the token of a CI system. */
    readonly type: 'key' | 'federation' | 'member'
    /** ID of the key or member, as in the audit log. */
    readonly id: string
    /** The label of the key, or the email address of the member. */
    readonly name: string
  }
  /** Of the member. Null for keys. */
  readonly role: 'viewer' | 'member' | 'manager' | 'owner' | null
  /** Of the key. Null for members, whose role says what they may do. */
  readonly scopes: readonly ('submit' | 'read' | 'requests' | 'shares' | 'admin')[] | null
  /** When the key expires, or the session ends. Null if never. */
  readonly expires_at: string | null
  /** The limits of the workspace. */
  readonly plan: {
    readonly name: string
    readonly upload_limit_bytes: number
    readonly unpacked_limit_bytes: number
    readonly unpacked_files: number
    readonly unpacked_ratio: number
    /** Null if kits are kept indefinitely. */
    readonly retention_days: number | null
    readonly rate_per_minute: number
    /** Of all submissions together. Null if there is no limit. */
    readonly storage_limit_bytes: number | null
    /** Mails to people who are not members. */
    readonly mails_per_day: number
    readonly evidence_policy: 'open' | 'examined_only'
    readonly finding_classes: {
      readonly [name: string]: 'danger' | 'damage' | 'notice'
    }
  }
  /** What the service does and does not claim. */
  readonly boundary: string
}

/** Body of POST /v1/shares. */
export interface ShareRequest {
  readonly kit_id: string
  /** Share only these files, each with its file proof: `data/report.pdf`, or a folder with a slash at the end. Without it, the whole kit. */
  readonly paths?: readonly string[]
  /** At most 366 days from now. */
  readonly expires_at: string
  /** Shown to the recipient. One line of text. */
  readonly note?: string
  /** After so many visits the share is closed. A visit counts once, when it first reads a file: to verify, preview or download it. */
  readonly max_downloads?: number
  /** The recipient needs it too. It cannot be shown again. */
  readonly password?: string
  /** Mail the member who created it when something is downloaded, at most once a day for each recipient. If a key created it, the owners. 409 `mail_off` if the service sends no mail. */
  readonly notify_downloads?: boolean
  /** Email addresses. Each recipient gets a link of their own by mail, so that the access log tells who used the share. There is no other link then. */
  readonly recipients?: readonly string[]
}

/** A link to a kit, or to some of its files, for someone without an account. */
export interface Share {
  readonly share_id: string
  /** For the recipient. */
  readonly note: string | null
  /** The download limit. */
  readonly max_downloads: number | null
  /** Whether downloads are mailed. */
  readonly notify_downloads: boolean
  /** Visits that read a file. A program without cookies makes one with each request. */
  readonly downloads: number
  /** Number of entries in the access log. */
  readonly accesses: number
  /** When the share was last used. */
  readonly last_access_at: string | null
  readonly created_at: string
  readonly expires_at: string
  /** When it was revoked. */
  readonly revoked_at: string | null
  readonly kit_id: string
  /** The label of the submission, which is the scope of the receipt. */
  readonly label: string
  /** The shared files. Null if the whole kit is shared. */
  readonly paths: readonly string[] | null
  /** A share is exhausted when its download limit is reached. */
  readonly status: 'active' | 'expired' | 'revoked' | 'exhausted'
  /** The link for anyone, only in the response that created it. It is not stored and cannot be shown again. Null if the share is for recipients. */
  readonly url: string | null
  /** Who has a link of their own. */
  readonly recipients: readonly ShareRecipient[]
  readonly has_password: boolean
  /** What the service does and does not claim. */
  readonly boundary: string
}

/** The shares of a workspace, newest first. */
export interface ShareList {
  readonly data: readonly Share[]
  /** Send it as `cursor` to get the next page. Null on the last page. */
  readonly next_cursor: string | null
  /** What the service does and does not claim. */
  readonly boundary: string
}

/** The access log of a share or room. */
export interface ShareAccessList {
  /** The ID of the share or room. */
  readonly share_id: string
  /** Newest first. */
  readonly data: readonly ShareAccess[]
  /** Send it as `cursor` to get the next page. Null on the last page. */
  readonly next_cursor: string | null
  /** What the service does and does not claim. */
  readonly boundary: string
}

/** Body of PATCH /v1/shares/{share_id} and /v1/rooms/{room_id}. */
export interface ShareChange {
  /** At most 366 days from now. An expired share works again. */
  readonly expires_at?: string
  /** Null removes the limit. */
  readonly max_downloads?: number | null
  /** Null removes the password. */
  readonly password?: string | null
  /** Mail the member who created it when something is downloaded, at most once a day for each recipient. If a key created it, the owners. 409 `mail_off` if the service sends no mail. */
  readonly notify_downloads?: boolean
}

/** Body of POST /v1/shares/{share_id}/links and /v1/rooms/{room_id}/links. */
export interface ShareLinkRequest {
  /** Email address. Without it, the link is for anyone who has it. */
  readonly recipient?: string
}

/** Body of POST /v1/rooms. Send one of `kits`, `series` and `program`. */
export interface RoomRequest {
  /** Shown to the reviewers. */
  readonly title: string
  /** IDs of kits, in the order in which they are shown. */
  readonly kits?: readonly string[]
  /** The kits of this series, newest first, at most 100. Kits that come while the room is open are in it, too. */
  readonly series?: string
  /** ID of a program: the kits of its series. */
  readonly program?: string
  /** At most 366 days from now. */
  readonly expires_at: string
  /** Shown to the recipient. One line of text. */
  readonly note?: string
  /** After so many visits the share is closed. A visit counts once, when it first reads a file: to verify, preview or download it. */
  readonly max_downloads?: number
  /** The recipient needs it too. It cannot be shown again. */
  readonly password?: string
  /** Mail the member who created it when something is downloaded, at most once a day for each recipient. If a key created it, the owners. 409 `mail_off` if the service sends no mail. */
  readonly notify_downloads?: boolean
  /** Email addresses. Each recipient gets a link of their own by mail, so that the access log tells who used the share. There is no other link then. */
  readonly recipients?: readonly string[]
}

/** A share of several kits, with comments and reviews. Its links and its access log are those of a share. */
export interface Room {
  /** For the recipient. */
  readonly note: string | null
  /** The download limit. */
  readonly max_downloads: number | null
  /** Whether downloads are mailed. */
  readonly notify_downloads: boolean
  /** Visits that read a file. A program without cookies makes one with each request. */
  readonly downloads: number
  /** Number of entries in the access log. */
  readonly accesses: number
  /** When the share was last used. */
  readonly last_access_at: string | null
  readonly created_at: string
  readonly expires_at: string
  /** When it was revoked. */
  readonly revoked_at: string | null
  readonly room_id: string
  readonly title: string
  /** If the room has the kits of a series. */
  readonly series: string | null
  /** The kits that are in the room now. */
  readonly kits: readonly RoomKit[]
  /** Questions of reviewers that nobody of the workspace has answered. */
  readonly open_questions: number
  /** A share is exhausted when its download limit is reached. */
  readonly status: 'active' | 'expired' | 'revoked' | 'exhausted'
  /** The link for anyone, only in the response that created it. It is not stored and cannot be shown again. Null if the share is for recipients. */
  readonly url: string | null
  /** Who has a link of their own. */
  readonly recipients: readonly ShareRecipient[]
  readonly has_password: boolean
  /** What the service does and does not claim. */
  readonly boundary: string
}

/** The rooms of a workspace, newest first. */
export interface RoomList {
  readonly data: readonly Room[]
  /** Send it as `cursor` to get the next page. Null on the last page. */
  readonly next_cursor: string | null
  /** What the service does and does not claim. */
  readonly boundary: string
}

/** The comments of a room, newest first. */
export interface RoomCommentList {
  readonly data: readonly RoomComment[]
  /** Send it as `cursor` to get the next page. Null on the last page. */
  readonly next_cursor: string | null
  /** What the service does and does not claim. */
  readonly boundary: string
}

/** Body of POST /v1/rooms/{room_id}/comments. */
export interface RoomCommentRequest {
  readonly kit_id: string
  /** A file of the kit: `data/report.pdf`. */
  readonly path?: string
  /** An item of the request or program that the kit answers. */
  readonly item_id?: string
  readonly text: string
  /** A question waits until the other side answers it. False by default. */
  readonly is_question?: boolean
  /** ID of the first comment of a thread. Its place counts. */
  readonly reply_to?: string
}

/** What someone wrote in a room. */
export interface RoomComment {
  readonly comment_id: string
  /** The file that it is about. Null for the kit, or an item. */
  readonly path: string | null
  /** The item that it is about. */
  readonly item_id: string | null
  /** The first comment of the thread. */
  readonly reply_to: string | null
  /** Empty if the comment is erased. */
  readonly author: string
  /** Why the name is believed: a member or an API key of the workspace, or the address that the link was made for. `not_verified`: someone with the link typed it. */
  readonly author_basis: 'member' | 'key' | 'recipient' | 'not_verified'
  /** Null if the comment is erased. */
  readonly text: string | null
  readonly created_at: string
  /** When it was erased. */
  readonly erased_at: string | null
  readonly kit_id: string
  readonly side: 'workspace' | 'reviewer'
  /** Of the text in UTF-8. The audit log has it. */
  readonly sha256: string
  /** Of a question. It is answered when the other side replies. */
  readonly state: 'open' | 'answered' | 'resolved' | null
  /** What the service does and does not claim. */
  readonly boundary: string
}

/** Body of PATCH /v1/rooms/{room_id}/comments/{comment_id}. */
export interface RoomCommentChange {
  /** Resolves a question, or opens it again. */
  readonly state: 'open' | 'resolved'
}

/** What reviewers say that they have reviewed, newest first. */
export interface RoomReviewList {
  readonly data: readonly RoomReview[]
  /** Send it as `cursor` to get the next page. Null on the last page. */
  readonly next_cursor: string | null
  /** What the service does and does not claim. */
  readonly boundary: string
}

/** Body of POST /v1/webhooks. */
export interface WebhookRequest {
  /** An https URL with a public address. The operator can allow others. */
  readonly url: string
  /** Send only these types of events, such as `submission.passed`. Null or missing for all. */
  readonly types?: readonly string[] | null
  /** For you. One line of text. */
  readonly description?: string
}

/** A URL that events are sent to. */
export interface Webhook {
  readonly webhook_id: string
  readonly url: string
  readonly description: string
  /** Send only these types of events, such as `submission.passed`. Null or missing for all. */
  readonly types: readonly string[] | null
  /** When it was disabled. */
  readonly disabled_at: string | null
  /** Why. The service disables a webhook that fails for three days. */
  readonly disabled_reason: string | null
  /** `seq` of the newest event that was delivered. */
  readonly last_seq: number
  /** Until then, the previous secret signs too. */
  readonly previous_secret_until: string | null
  readonly created_at: string
  readonly updated_at: string
  readonly enabled: boolean
  /** When the current row of failures began. */
  readonly failing_since: string | null
  /** When a failed delivery is tried again. */
  readonly next_attempt_at: string | null
  /** What the service does and does not claim. */
  readonly boundary: string
  /** Verifies the signature `v1`. Only this response has it. Begins with `whsec_`. */
  readonly secret?: string
  /** Only in the response to a retry: why there is no secret. */
  readonly notice?: string
}

/** The webhooks of the workspace, oldest first. */
export interface WebhookList {
  readonly data: readonly {
    readonly webhook_id: string
    readonly url: string
    readonly description: string
    /** Send only these types of events, such as `submission.passed`. Null or missing for all. */
    readonly types: readonly string[] | null
    /** When it was disabled. */
    readonly disabled_at: string | null
    /** Why. The service disables a webhook that fails for three days. */
    readonly disabled_reason: string | null
    /** `seq` of the newest event that was delivered. */
    readonly last_seq: number
    /** Until then, the previous secret signs too. */
    readonly previous_secret_until: string | null
    readonly created_at: string
    readonly updated_at: string
    readonly enabled: boolean
    /** When the current row of failures began. */
    readonly failing_since: string | null
    /** When a failed delivery is tried again. */
    readonly next_attempt_at: string | null
    /** What the service does and does not claim. */
    readonly boundary: string
  }[]
  /** Send it as `cursor` to get the next page. Null on the last page. */
  readonly next_cursor: string | null
  /** What the service does and does not claim. */
  readonly boundary: string
}

/** What to change. */
export interface WebhookUpdate {
  /** An https URL with a public address. The operator can allow others. */
  readonly url?: string
  /** Send only these types of events, such as `submission.passed`. Null or missing for all. */
  readonly types?: readonly string[] | null
  /** For you. One line of text. */
  readonly description?: string
  /** A webhook that is enabled continues where it stopped. */
  readonly enabled?: boolean
}

export interface SecretRotation {
  /** Hours in which the old secret signs too. Default: 24. */
  readonly grace_hours?: number
}

export interface WebhookReplay {
  /** Send all events after this `seq` again. 0 for all. */
  readonly after: number
}

/** One request to a webhook. */
export interface WebhookAttempt {
  readonly number: number
  /** Of the event. 0 for a test. */
  readonly seq: number
  readonly type: string
  readonly created_at: string
  /** Of the response. Null if there was none. */
  readonly status: number | null
  readonly duration_ms: number
  /** Null if it was delivered. */
  readonly problem: string | null
  /** What the service does and does not claim. */
  readonly boundary: string
}

/** Newest first. */
export interface WebhookAttemptList {
  readonly webhook_id: string
  readonly data: readonly {
    readonly number: number
    /** Of the event. 0 for a test. */
    readonly seq: number
    readonly type: string
    readonly created_at: string
    /** Of the response. Null if there was none. */
    readonly status: number | null
    readonly duration_ms: number
    /** Null if it was delivered. */
    readonly problem: string | null
  }[]
  /** Send it as `cursor` to get the next page. Null on the last page. */
  readonly next_cursor: string | null
  /** What the service does and does not claim. */
  readonly boundary: string
}

/** What to change. Members that are absent stay as they are. */
export interface SubmissionUpdate {
  /** Your own ID, such as a ticket number. It need not be unique. */
  readonly external_id?: string | null
  /** Up to 20 tags of up to 50 characters, without commas. Case does not matter in a search. */
  readonly tags?: readonly string[]
  /** Up to 50 names of up to 40 letters, digits, `_`, `.` and `-`, each with a text of up to 500 characters. The service only stores it. */
  readonly metadata?: {
    readonly [name: string]: string
  }
  /** Adds a submission without a series to one, also after its kit was issued. A kit stays in its series. */
  readonly series?: string
}

export interface HoldRequest {
  /** One line of text, such as the name of the case. */
  readonly reason: string
}

/** Revoked signing keys with kits of the workspace that are not re-issued yet. */
export interface RevocationList {
  readonly data: readonly {
    readonly kid: string
    readonly revoked_at: string
    readonly compromised_since: string | null
    /** Kits that are not re-issued yet. */
    readonly kits: number
    /** Their submissions, oldest first, at most 500. */
    readonly submissions: readonly string[]
  }[]
  /** Send it as `cursor` to get the next page. Null on the last page. */
  readonly next_cursor: string | null
  /** What the service does and does not claim. */
  readonly boundary: string
}

/** The series of a workspace, newest first. */
export interface SeriesList {
  readonly data: readonly {
    /** Its name. */
    readonly series: string
    /** Kits that were issued. */
    readonly kits: number
    /** When its newest submission was created. */
    readonly last_at: string
  }[]
  /** Send it as `cursor` to get the next page. Null on the last page. */
  readonly next_cursor: string | null
  /** What the service does and does not claim. */
  readonly boundary: string
}

/** The kits of a series, with gaps. */
export interface SeriesTimeline {
  /** Its name. */
  readonly series: string
  /** When the next kit is due, if they come as often as usual. Null with fewer than three kits. */
  readonly next_due_at: string | null
  /** Newest first. Without re-issued kits, which have the evidence of the kits that they replace. */
  readonly data: readonly {
    readonly kit_id: string
    readonly submission_id: string
    readonly label: string
    readonly issued_at: string
    /** The kit of the series before it. Null for the first one. */
    readonly previous_kit_id: string | null
    /** Days since the previous kit, if they are many more than usual in this series: one may be missing. */
    readonly gap_days: number | null
  }[]
  /** Send it as `cursor` to get the next page. Null on the last page. */
  readonly next_cursor: string | null
  /** What the service does and does not claim. */
  readonly boundary: string
}

/** How the evidence of two kits differs. */
export interface KitDifferences {
  readonly from: {
    readonly kit_id: string
    /** The scope of its receipt. */
    readonly label: string
    readonly issued_at: string
  }
  readonly to: {
    readonly kit_id: string
    /** The scope of its receipt. */
    readonly label: string
    readonly issued_at: string
  }
  readonly added: readonly {
    readonly path: string
    readonly sha256: string
    readonly size_bytes: number
  }[]
  readonly removed: readonly {
    readonly path: string
    readonly sha256: string
    readonly size_bytes: number
  }[]
  readonly changed: readonly {
    readonly path: string
    readonly from: {
      readonly path: string
      readonly sha256: string
      readonly size_bytes: number
    }
    readonly to: {
      readonly path: string
      readonly sha256: string
      readonly size_bytes: number
    }
  }[]
  /** The same content at another path. */
  readonly moved: readonly {
    readonly from: string
    readonly to: string
    readonly sha256: string
    readonly size_bytes: number
  }[]
  readonly unchanged: number
  /** What the service does and does not claim. */
  readonly boundary: string
}

/** Sorted by title, `default` first. */
export interface ProfileList {
  readonly data: readonly {
    /** The name that submissions use. */
    readonly profile: string
    readonly title: string
    readonly description: string
    /** With `examined_only`, files that are not examined are not accepted. */
    readonly evidence_policy?: 'open' | 'examined_only'
    /** Stricter classes of findings, by code. */
    readonly finding_classes?: {
      readonly [name: string]: 'danger' | 'damage' | 'notice'
    }
    readonly items: readonly ProfileItem[]
    /** Profiles of the service are read-only. */
    readonly source: 'service' | 'workspace'
    /** Counted from 1. Null for profiles of the service. */
    readonly version: number | null
    /** Null for profiles of the service. */
    readonly updated_at: string | null
  }[]
  /** Send it as `cursor` to get the next page. Null on the last page. */
  readonly next_cursor: string | null
  /** What the service does and does not claim. */
  readonly boundary: string
}

/** A checklist of what evidence for one purpose must contain. */
export interface Profile {
  /** The name that submissions use. */
  readonly profile: string
  readonly title: string
  readonly description: string
  /** With `examined_only`, files that are not examined are not accepted. */
  readonly evidence_policy?: 'open' | 'examined_only'
  /** Stricter classes of findings, by code. */
  readonly finding_classes?: {
    readonly [name: string]: 'danger' | 'damage' | 'notice'
  }
  readonly items: readonly ProfileItem[]
  /** Profiles of the service are read-only. */
  readonly source: 'service' | 'workspace'
  /** Counted from 1. Null for profiles of the service. */
  readonly version: number | null
  /** Null for profiles of the service. */
  readonly updated_at: string | null
  /** What the service does and does not claim. */
  readonly boundary: string
}

/** A new profile, or a new version of one. */
export interface ProfileRequest {
  /** The name that submissions use. */
  readonly profile: string
  readonly title: string
  readonly description: string
  /** With `examined_only`, files that are not examined are not accepted. */
  readonly evidence_policy?: 'open' | 'examined_only'
  /** Stricter classes of findings, by code. */
  readonly finding_classes?: {
    readonly [name: string]: 'danger' | 'damage' | 'notice'
  }
  readonly items: readonly ProfileItemRequest[]
}

/** The body of a new request: its items, or the profile that they are taken from. */
export interface NewRequest {
  readonly title: string
  readonly message?: string | null
  /** What to supply. */
  readonly items?: readonly NewRequestItem[]
  readonly profile?: string | null
  /** Email addresses of the supplier. */
  readonly recipients?: readonly string[]
  readonly due_at?: string | null
  readonly series?: string | null
}

/** Evidence that a supplier is asked for, item by item. Statuses record what people said. */
export interface EvidenceRequest {
  readonly title: string
  /** For the supplier. */
  readonly message: string | null
  /** When the request is due. */
  readonly due_at: string | null
  /** The series that its kits belong to. */
  readonly series: string | null
  /** The profile that the items were taken from. */
  readonly profile: string | null
  readonly recipients: readonly string[]
  /** 0 until the supplier has added something. */
  readonly round: number
  readonly created_at: string
  readonly updated_at: string
  /** When the last reminder was queued. */
  readonly reminded_at: string | null
  /** When it was closed. */
  readonly closed_at: string | null
  readonly evidence_request_id: string
  /** `open`: the supplier has something to do. `submitted`: the requester has. `accepted`: every item is accepted or not applicable. */
  readonly status: 'open' | 'submitted' | 'accepted' | 'closed'
  readonly progress: RequestProgress
  /** The submission of the newest round. */
  readonly submission_id: string | null
  /** The newest kit. */
  readonly kit_id: string | null
  readonly items: readonly RequestItem[]
  /** Files of the newest round that belong to no item. */
  readonly other_files: readonly RequestFile[]
  /** Comments that are not in `items`, but in the list of comments. */
  readonly older_comments: number
  /** Oldest first. */
  readonly rounds: readonly RequestRound[]
  /** What became of the mail to each recipient. */
  readonly mails: readonly {
    readonly to: string
    /** Null if it was not mailed, or more than 90 days ago. */
    readonly request: {
      /** `sent`: the mail server accepted it. `queued`: it is tried again. */
      readonly status: 'queued' | 'sent' | 'failed'
      /** What went wrong last. */
      readonly reason: string | null
    } | null
    /** The last one. */
    readonly reminder: {
      /** `sent`: the mail server accepted it. `queued`: it is tried again. */
      readonly status: 'queued' | 'sent' | 'failed'
      /** What went wrong last. */
      readonly reason: string | null
    } | null
  }[]
  /** Only in the response that creates the request. It is not stored and cannot be shown again. */
  readonly link?: {
    /** For the supplier. Anyone who has it can answer the request. */
    readonly url: string
    readonly expires_at: string
  }
  /** What the service does and does not claim. */
  readonly boundary: string
}

/** Newest first. */
export interface EvidenceRequestList {
  readonly data: readonly {
    readonly title: string
    /** For the supplier. */
    readonly message: string | null
    /** When the request is due. */
    readonly due_at: string | null
    /** The series that its kits belong to. */
    readonly series: string | null
    /** The profile that the items were taken from. */
    readonly profile: string | null
    readonly recipients: readonly string[]
    /** 0 until the supplier has added something. */
    readonly round: number
    readonly created_at: string
    readonly updated_at: string
    /** When the last reminder was queued. */
    readonly reminded_at: string | null
    /** When it was closed. */
    readonly closed_at: string | null
    readonly evidence_request_id: string
    /** `open`: the supplier has something to do. `submitted`: the requester has. `accepted`: every item is accepted or not applicable. */
    readonly status: 'open' | 'submitted' | 'accepted' | 'closed'
    readonly progress: RequestProgress
    /** The submission of the newest round. */
    readonly submission_id: string | null
    /** The newest kit. */
    readonly kit_id: string | null
  }[]
  /** Send it as `cursor` to get the next page. Null on the last page. */
  readonly next_cursor: string | null
  /** What the service does and does not claim. */
  readonly boundary: string
}

/** The comments of a request. */
export interface RequestCommentList {
  readonly data: readonly {
    readonly comment_id: string
    readonly created_at: string
    readonly item_id: string
    readonly by: 'requester' | 'supplier'
    readonly text: string
  }[]
  /** Send it as `cursor` to get the next page. Null on the last page. */
  readonly next_cursor: string | null
  /** What the service does and does not claim. */
  readonly boundary: string
}

export interface RequestUpdate {
  readonly title?: string
  readonly message?: string | null
  /** Email addresses of the supplier. */
  readonly recipients?: readonly string[]
  readonly due_at?: string | null
}

export interface RequestCopy {
  readonly title?: string
  readonly due_at?: string | null
  /** Email addresses of the supplier. */
  readonly recipients?: readonly string[]
}

export interface NewRequestLink {
  /** Whether the links that exist stop working. */
  readonly replace?: boolean
}

/** A link for the supplier. It is not stored and cannot be shown again. */
export interface RequestLink {
  readonly evidence_request_id: string
  /** For the supplier. Anyone who has it can answer the request. */
  readonly url: string
  readonly expires_at: string
  /** What the service does and does not claim. */
  readonly boundary: string
}

export type Empty = Readonly<Record<string, unknown>>

export interface ItemReview {
  /** `accepted` needs a submitted file. `needs_changes` reopens this item for the supplier. `to_review` takes the review back, until it is sealed in the kit of a later round. */
  readonly status?: 'accepted' | 'needs_changes' | 'not_applicable' | 'to_review'
  /** Why the item is not applicable. Not needed if the supplier gave a reason. */
  readonly reason?: string
  readonly comment?: string
}

/** The body of a new program: its items, or the profile that they are taken from. */
export interface NewProgram {
  readonly name: string
  /** How often a period opens. With `none`, periods after the first open on request only. */
  readonly cadence: 'monthly' | 'quarterly' | 'half_yearly' | 'yearly' | 'none'
  /** When the first period starts. If it has passed, the current period opens at once. */
  readonly starts_on: string
  /** What to show each time. */
  readonly items?: readonly NewProgramItem[]
  readonly profile?: string | null
  readonly message?: string | null
}

/** What a workspace shows again and again, item by item. Each period becomes a kit. */
export interface Program {
  readonly program_id: string
  readonly name: string
  /** The series of its kits. */
  readonly series: string
  readonly cadence: 'monthly' | 'quarterly' | 'half_yearly' | 'yearly' | 'none'
  /** In the mails to owners and suppliers. */
  readonly message: string | null
  readonly created_at: string
  readonly updated_at: string
  /** When it was ended. */
  readonly ended_at: string | null
  /** Every period starts on this day of its month. */
  readonly starts_on: string
  /** When the next period opens by itself. Null if none does. */
  readonly next_period_on: string | null
  /** Periods since `starts_on` that had ended when the program was created. They were not opened. */
  readonly skipped_periods: number
  /** Those of the next period. */
  readonly items: readonly ProgramItem[]
  /** What the service does and does not claim. */
  readonly boundary: string
}

/** Newest first. */
export interface ProgramList {
  readonly data: readonly {
    readonly program_id: string
    readonly name: string
    /** The series of its kits. */
    readonly series: string
    readonly cadence: 'monthly' | 'quarterly' | 'half_yearly' | 'yearly' | 'none'
    /** In the mails to owners and suppliers. */
    readonly message: string | null
    readonly created_at: string
    readonly updated_at: string
    /** When it was ended. */
    readonly ended_at: string | null
    /** Every period starts on this day of its month. */
    readonly starts_on: string
    /** When the next period opens by itself. Null if none does. */
    readonly next_period_on: string | null
    readonly item_count: number
    /** The newest period. */
    readonly period: PeriodSummary | null
    /** When the next item of that period is due that has nothing to review yet. */
    readonly next_due_at: string | null
    /** Items of that period that are late. */
    readonly late: number
  }[]
  /** Send it as `cursor` to get the next page. Null on the last page. */
  readonly next_cursor: string | null
  /** What the service does and does not claim. */
  readonly boundary: string
}

export interface ProgramUpdate {
  readonly name?: string
  readonly message?: string | null
  /** How often a period opens. With `none`, periods after the first open on request only. */
  readonly cadence?: 'monthly' | 'quarterly' | 'half_yearly' | 'yearly' | 'none'
  /** What to show each time. */
  readonly items?: readonly NewProgramItem[]
  /** No further period opens. This cannot be undone. */
  readonly ended?: true
}

/** The items of a program in its periods. */
export interface ProgramBoard {
  readonly program: {
    readonly program_id: string
    readonly name: string
    /** The series of its kits. */
    readonly series: string
    readonly cadence: 'monthly' | 'quarterly' | 'half_yearly' | 'yearly' | 'none'
    /** In the mails to owners and suppliers. */
    readonly message: string | null
    readonly created_at: string
    readonly updated_at: string
    /** When it was ended. */
    readonly ended_at: string | null
    /** Every period starts on this day of its month. */
    readonly starts_on: string
    /** When the next period opens by itself. Null if none does. */
    readonly next_period_on: string | null
    readonly items: readonly ProgramItem[]
  }
  /** Newest first. */
  readonly periods: readonly PeriodSummary[]
  readonly cells: readonly BoardCell[]
  /** Send it as `cursor` to get older periods. Null if there are none. */
  readonly next_cursor: string | null
  /** What the service does and does not claim. */
  readonly boundary: string
}

/** A period of a program, with its items and their files. */
export interface Period {
  readonly program_id: string
  /** Its name, such as `2026-Q4`, `2026-11`, `2026-H2`, `2026` or `1`. */
  readonly period: string
  /** Its first day. */
  readonly from: string
  /** Its last day. Null without a cadence. */
  readonly to: string | null
  /** `failed`: the files were not sealed because of their findings. They can be corrected, and the period sealed again. */
  readonly status: 'open' | 'sealing' | 'sealed' | 'failed'
  /** When the last of its items is due. */
  readonly due_at: string | null
  /** Its draft, and then the submission of its kit. */
  readonly submission_id: string
  /** If its status is `failed`, the submission with the findings. */
  readonly failed_submission_id: string | null
  /** Null until it is sealed. */
  readonly kit_id: string | null
  readonly progress: RequestProgress
  readonly opened_at: string
  /** When the kit was issued. */
  readonly sealed_at: string | null
  /** In the order of the program. */
  readonly items: readonly PeriodItem[]
  /** Comments that are not in `items`, but in the lists of comments of the period and its requests. */
  readonly older_comments: number
  /** Requests to suppliers that are not accepted. Sealing the period closes them, and tells their recipients. */
  readonly open_requests: readonly {
    readonly evidence_request_id: string
    /** Email addresses of the supplier. */
    readonly recipients: readonly string[]
    readonly items: readonly string[]
  }[]
  /** What the service does and does not claim. */
  readonly boundary: string
}

/** The comments of a period. */
export interface PeriodCommentList {
  readonly data: readonly {
    readonly comment_id: string
    readonly created_at: string
    readonly item_id: string
    readonly by: 'requester' | 'supplier'
    readonly text: string
  }[]
  /** Send it as `cursor` to get the next page. Null on the last page. */
  readonly next_cursor: string | null
  /** What the service does and does not claim. */
  readonly boundary: string
}

/** A review, a comment, or a change of an item. */
export interface PeriodItemChange {
  /** `accepted` and `to_review` need files. `not_applicable` needs a reason. `to_review` also takes a review back. */
  readonly status?: 'accepted' | 'needs_changes' | 'not_applicable' | 'to_review'
  /** Why the item is not applicable. */
  readonly reason?: string
  readonly comment?: string
  readonly owner?: string | null
  /** A date, or a date and time. */
  readonly due_at?: string
}

export interface SealRequest {
  /** Codes of findings that you acknowledge. They no longer block the submission. A danger cannot be accepted. */
  readonly accept?: readonly string[]
  /** Seal it before it begins. False by default. */
  readonly early?: boolean
}

/** What went wrong. Later releases may add codes: treat an unknown one by its status. */
export type ErrorCode = 'request_malformed' | 'url_malformed' | 'json_malformed' | 'body_not_an_object' | 'body_invalid' | 'idempotency_key_malformed' | 'query_invalid' | 'multipart_malformed' | 'passkey_refused' | 'evidence_invalid' | 'upload_invalid' | 'api_key_required' | 'api_key_invalid' | 'token_rejected' | 'session_required' | 'session_stolen' | 'share_password_required' | 'share_password_wrong' | 'sign_in_failed' | 'credits_exhausted' | 'api_access_off' | 'scope_missing' | 'tenant_not_yours' | 'role_insufficient' | 'cross_site_refused' | 'route_not_found' | 'job_not_found' | 'kit_not_found' | 'submission_not_found' | 'upload_not_found' | 'deliverable_not_found' | 'request_not_found' | 'request_item_not_found' | 'program_not_found' | 'period_not_found' | 'period_item_not_found' | 'period_file_not_found' | 'link_not_found' | 'webhook_not_found' | 'federation_limit' | 'webhook_limit' | 'profile_not_found' | 'key_not_found' | 'federation_not_found' | 'workspace_not_found' | 'plan_not_found' | 'member_not_found' | 'invitation_not_found' | 'invitation_invalid' | 'series_not_found' | 'share_not_found' | 'comment_not_found' | 'room_not_found' | 'shared_file_not_found' | 'session_not_found' | 'passkey_not_found' | 'tile_not_found' | 'erasure_not_found' | 'schema_not_found' | 'method_not_allowed' | 'request_timeout' | 'idempotency_key_reused' | 'profile_exists' | 'profile_read_only' | 'profile_limit' | 'job_not_bindable' | 'submission_submitted' | 'upload_in_progress' | 'upload_offset_wrong' | 'upload_finished' | 'uploads_unfinished' | 'room_full' | 'request_not_open' | 'mail_off' | 'request_without_recipients' | 'request_item_locked' | 'request_item_without_files' | 'request_review_sealed' | 'program_ended' | 'period_not_begun' | 'request_unchanged' | 'period_sealed' | 'period_item_without_files' | 'comment_limit' | 'submission_of_period' | 'submission_of_request' | 'submission_not_failed' | 'evidence_gone' | 'key_not_revoked' | 'kit_unverified' | 'kit_already_reissued' | 'submission_held' | 'series_fixed' | 'submission_running' | 'ceremony_over' | 'member_exists' | 'sso_required' | 'email_fixed' | 'plan_exists' | 'workspace_name_changed' | 'last_owner' | 'last_passkey' | 'kit_expired' | 'share_replaced' | 'share_expired' | 'share_revoked' | 'share_exhausted' | 'upload_expired' | 'tus_version_unsupported' | 'precondition_failed' | 'body_too_large' | 'upload_too_large' | 'storage_limit_reached' | 'media_type_unsupported' | 'range_not_satisfiable' | 'expectation_failed' | 'host_unknown' | 'upload_locked' | 'rate_limited' | 'streams_exhausted' | 'headers_too_large' | 'checksum_mismatch' | 'internal_error' | 'overloaded' | 'store_unavailable' | 'object_unavailable' | 'issuer_unavailable' | 'oidc_unavailable' | 'pages_not_built' | 'stopping' | 'storage_full'

export interface Artifact {
  readonly path: string
  /** Hash of the file. */
  readonly sha256: string
  readonly size_bytes: number
}

export interface CheckResult {
  readonly check: string
  /** What a passed check guarantees. */
  readonly guarantee: string
  readonly result: 'pass' | 'fail' | 'not_run'
  /** Why the check failed or was not run. */
  readonly why?: string
  /** `why` as a message. Missing if it is only in English. */
  readonly why_message?: {
    readonly key: string
    /** Text, numbers, or other messages. Never markup. */
    readonly args?: {
      readonly [name: string]: unknown
    }
  }
}

export interface Signer {
  /** Key ID in the receipt. */
  readonly kid: string | null
  /** Where the key was found. `jwks` is the service's own key set. */
  readonly trust: 'pinned' | 'jwks' | 'kit' | 'none'
  /** Who says that this key is the issuer’s. This service: `site`. */
  readonly key_from?: {
    readonly source: 'given' | 'pinned' | 'address' | 'site'
    /** Who publishes the key. */
    readonly host?: string
    /** The day on which the reader pinned it. */
    readonly pinned_on?: string
    /** Whether the reader agreed to it, or only used it first. */
    readonly confirmed?: boolean
  }
  readonly revoked_at?: string
}

/** Only for kits with a log proof. */
export interface LogStatement {
  /** What the log adds, in one line. For people. Do not parse it. */
  readonly text: string
  /** `text` as a message. */
  readonly text_message?: {
    readonly key: string
    /** Text, numbers, or other messages. Never markup. */
    readonly args?: {
      readonly [name: string]: unknown
    }
  }
  /** The log that the log proof names. Null without a valid log proof. */
  readonly origin: string | null
  /** The position of the receipt in the log, from 0. */
  readonly index: number | null
  /** How many entries the log had. */
  readonly size: number | null
  /** When the quorum of the policy had cosigned. */
  readonly since: string | null
  readonly witnesses: {
    readonly cosigned: readonly string[]
    readonly total: number
  } | null
}

export interface ProvenanceEntry {
  readonly paths: 'all files' | readonly string[]
  readonly source: 'ci_token' | 'upload' | 'service' | 'confirmed_address' | 'supplier' | 'client' | 'recognised'
  /** `verified` by the issuer of the kit, or `stated` by someone else and not verified. */
  readonly statement: 'verified' | 'stated'
  /** The program that collected the evidence. */
  readonly collector?: {
    readonly name: string
    readonly version?: string
    readonly command?: string
  }
  /** The time that the evidence is about. */
  readonly period?: {
    readonly from: string
    readonly to: string
  }
  /** A date (`2026-01-31`), or a time with its zone (RFC 3339). */
  readonly collected_at?: string
  /** The system, account or repository that the evidence is about. */
  readonly system?: string
  /** What was asked for. */
  readonly query?: string
  readonly issuer?: string
  readonly repository?: string
  readonly ref?: string
  readonly commit?: string
  readonly workflow?: string
  readonly run?: string
  readonly attempt?: string
  readonly at?: string
  readonly route?: 'browser' | 'api' | 'request_link'
  readonly protocol?: 'form' | 'tus'
  readonly workspace_id?: string
  readonly key_id?: string
  readonly key_name?: string
  readonly member_id?: string
  readonly link_id?: string
  readonly address?: string
  readonly confirmed_at?: string
  readonly name?: string
  readonly version?: string
  readonly format?: string
  readonly tool?: string
  readonly target?: string
  readonly time?: string
  readonly counts?: readonly {
    readonly name: string
    readonly count: number
  }[]
  readonly summary?: string
}

export interface PublicKey {
  readonly kty: 'OKP'
  readonly crv: 'Ed25519'
  readonly x: string
  /** RFC 7638 thumbprint (SHA-256, base64url). */
  readonly kid: string
  readonly use: 'sig'
  readonly alg: 'EdDSA'
  /** When the key became active, in Unix seconds. */
  readonly iat?: number
  /** When the key was retired, in Unix seconds. */
  readonly exp?: number
}

export interface RevokedKey {
  readonly kid: string
  readonly revoked_at: string
  readonly compromised_since?: string
}

export interface ProfileItem {
  /** No two items of a profile have the same. */
  readonly id: string
  readonly title: string
  /** What to supply. */
  readonly description?: string
  /** The name of a file that would match. */
  readonly example?: string
  /** References to controls of a standard, such as `CC6.1`. */
  readonly controls?: readonly string[]
  /** Patterns of file names. A file in a folder with the ID of the item always counts, so patterns are optional. */
  readonly paths?: readonly string[]
  /** Types that count, such as `pdf`. Any, if absent. */
  readonly types?: readonly string[]
  /** 0 makes the item optional. Default: `1`. */
  readonly min_files?: number
  /** Counted from the last date YYYY-MM-DD in the path of a file. */
  readonly max_age_days?: number
}

export interface ProfileItemRequest {
  /** No two items of a profile have the same. */
  readonly id: string
  readonly title: string
  /** What to supply. */
  readonly description?: string
  /** The name of a file that would match. */
  readonly example?: string
  /** References to controls of a standard, such as `CC6.1`. */
  readonly controls?: readonly string[]
  /** Patterns of file names. A file in a folder with the ID of the item always counts, so patterns are optional. */
  readonly paths?: readonly string[]
  /** Types that count, such as `pdf`. Any, if absent. */
  readonly types?: readonly string[]
  /** 0 makes the item optional. Default: `1`. */
  readonly min_files?: number
  /** Counted from the last date YYYY-MM-DD in the path of a file. */
  readonly max_age_days?: number
}

export interface EvidenceFile {
  /** As uploaded. */
  readonly name: string
  readonly sha256: string
  readonly size_bytes: number
  /** Detected from the first bytes. */
  readonly media_type: string
}

export interface SubmissionWaiting {
  /** `evidence`: it is a draft: the final upload is missing. `queue`: no worker has taken it yet. `retry`: the last attempt failed, such as for a full disk or an unavailable signing key. It is tried again. `log_frozen`: the log of the service is frozen: no kits are issued until the operator has repaired it. `log`: the kit is sealed and is being recorded in the log. `witnesses`: the kit is sealed, and the witnesses have not cosigned the log yet. `time_stamp`: the kit is sealed, and no authority has time-stamped the log yet. */
  readonly reason: 'evidence' | 'queue' | 'retry' | 'log_frozen' | 'log' | 'witnesses' | 'time_stamp'
  readonly since: string
}

export interface Blocker {
  readonly code: string
  /** The file, or null for the whole submission. */
  readonly path: string | null
  readonly message: string
  /** How to fix it. */
  readonly remedy: string
  /** What `message` says beside what `code` stands for, for readers in other languages. */
  readonly args?: {
    /** What is said about this file, after what `code` stands for. */
    readonly detail?: {
      readonly key: string
      /** Text, numbers, or other messages. Never markup. */
      readonly args?: {
        readonly [name: string]: unknown
      }
    }
  }
}

export interface Finding {
  readonly code: string
  /** A danger always blocks the submission, damage and a secret unless they are acknowledged, a notice never. Secrets come first. */
  readonly class: 'danger' | 'damage' | 'secret' | 'notice'
  /** The file, or null for the whole submission. */
  readonly path: string | null
  readonly message: string
  /** How to fix it. */
  readonly remedy: string
  /** What `message` says beside what `code` stands for, for readers in other languages. */
  readonly args?: {
    /** What is said about this file, after what `code` stands for. */
    readonly detail?: {
      readonly key: string
      /** Text, numbers, or other messages. Never markup. */
      readonly args?: {
        readonly [name: string]: unknown
      }
    }
  }
  /** Whether `accept` of the submission names its code. */
  readonly acknowledged: boolean
  /** How many findings are equal. Only with `findings=summary`. */
  readonly count?: number
  /** The first files with this finding. Only with `findings=summary`. */
  readonly paths?: readonly string[]
}

export interface Deliverable {
  readonly name: string
  readonly path: string
  readonly media_type: string
  readonly size_bytes: number
  /** Of the whole file. */
  readonly sha256: string | null
}

export interface LedgerEntry {
  readonly seq: number
  readonly kind: 'grant' | 'hold' | 'capture' | 'release'
  readonly available_change: number
  readonly held_change: number
  readonly available_after: number
  /** The submission that the credit was held, captured or released for. */
  readonly submission_id: string | null
  /** A note by the operator. */
  readonly note: string | null
  readonly created_at: string
}

export interface AuditEvent {
  readonly seq: number
  /** `hash` of the event before. The first event has the audit tag of the workspace. */
  readonly prev: string
  /** Of this event and, through `prev`, of all before it. */
  readonly hash: string
  readonly at: string
  readonly actor: 'key' | 'member' | 'operator' | 'service' | 'link' | 'anonymous'
  /** The API key, if one was used. */
  readonly key_id: string | null
  /** The member, if it was done in the console. */
  readonly member_id: string | null
  readonly action: string
  /** ID of what was changed or downloaded. */
  readonly subject: string
  readonly details: {
    readonly [name: string]: unknown
  }
  /** With `names`: the email address of the member, or the label of the key. */
  readonly by?: string | null
  /** With `names`: of a member or an API key. */
  readonly subject_name?: string | null
  /** With `names`: the submission that the event belongs to. */
  readonly submission?: {
    readonly submission_id: string
    readonly label: string
  } | null
}

export interface Event {
  /** Without gaps in the workspace. The same as in the audit log. */
  readonly seq: number
  /** Such as `submission.passed`. */
  readonly type: string
  readonly timestamp: string
  readonly workspace_id: string
  readonly actor: 'key' | 'member' | 'operator' | 'service' | 'link' | 'anonymous'
  /** ID of what changed. */
  readonly subject: string
  /** IDs and numbers. `webhooks` in this document describes it for each type. */
  readonly data: {
    readonly [name: string]: unknown
  }
}

export interface ShareRecipient {
  readonly email: string
  /** The link of this recipient, only in the response that created it, and only if it is not mailed. Then send it yourself. */
  readonly url: string | null
  /** What became of the mail with the link. Null if none was sent, or more than 90 days ago. */
  readonly mail: {
    /** `sent`: the mail server accepted it. `queued`: it is tried again. */
    readonly status: 'queued' | 'sent' | 'failed'
    /** What went wrong last. */
    readonly reason: string | null
  } | null
  /** When the link of this recipient was revoked. */
  readonly revoked_at: string | null
  /** When the link of this recipient was last used. */
  readonly last_access_at: string | null
}

export interface ShareAccess {
  readonly created_at: string
  /** A file or kit is viewed when the page verifies or previews it. */
  readonly kind: 'opened' | 'viewed' | 'downloaded' | 'commented' | 'reviewed' | 'review_withdrawn' | 'password_refused'
  /** The kit that it is about. Null for a room as a whole. */
  readonly kit_id: string | null
  /** `kit.zip`, or the path of a file. */
  readonly name: string | null
  /** The network of the client: 203.0.113.0/24. */
  readonly address: string
  readonly seq: number
  /** Whose link was used. Null if it was `url`. */
  readonly recipient: string | null
}

export interface RoomKit {
  readonly kit_id: string
  /** Of the kit. Null if it was made without a submission. */
  readonly submission_id: string | null
  readonly label: string
  readonly issued_at: string
  /** When its evidence was deleted. */
  readonly erased_at: string | null
}

export interface RoomReview {
  /** The file that it is about. Null for the kit, or an item. */
  readonly path: string | null
  /** The item that it is about. */
  readonly item_id: string | null
  readonly created_at: string
  readonly kit_id: string
  /** Whose statement it is. The service does not check it. */
  readonly reviewer: string
  /** Why the name is believed: a member or an API key of the workspace, or the address that the link was made for. `not_verified`: someone with the link typed it. */
  readonly reviewer_basis: 'member' | 'key' | 'recipient' | 'not_verified'
}

export interface NewRequestItem {
  /** Also the folder of its files in the kit. */
  readonly id: string
  readonly title: string
  readonly description?: string | null
  readonly due_at?: string | null
}

export interface RequestItem {
  readonly title: string
  /** What to supply. */
  readonly description: string | null
  /** When this item is due. */
  readonly due_at: string | null
  readonly id: string
  /** `collected`: answered in the draft of the supplier. `to_review`: submitted. A review ends when other files are submitted. */
  readonly status: 'missing' | 'collected' | 'to_review' | 'needs_changes' | 'accepted' | 'not_applicable'
  /** Why it does not apply, and who says so. */
  readonly not_applicable: {
    readonly reason: string
    readonly by: 'requester' | 'supplier'
  } | null
  /** Whether the review can be taken back: no kit has it yet. */
  readonly can_undo: boolean
  /** Whether it was sent back, and its files are still the same in a later round. */
  readonly unchanged: boolean
  /** The submitted files. While it is `collected`, the names in the draft of the supplier. */
  readonly files: readonly RequestFile[]
  /** Names of files that the round before had. */
  readonly removed_files: readonly string[]
  /** The newest, oldest first. */
  readonly comments: readonly {
    readonly by: 'requester' | 'supplier'
    readonly text: string
    readonly created_at: string
  }[]
}

export interface RequestFile {
  readonly position: number
  /** With the folder of the item. */
  readonly name: string
  readonly sha256: string
  readonly size_bytes: number
  /** What is different from the round that was submitted before. Null in the first one. */
  readonly change: 'added' | 'replaced' | null
}

export interface RequestProgress {
  readonly items: number
  readonly missing: number
  readonly collected: number
  readonly to_review: number
  readonly needs_changes: number
  readonly accepted: number
  readonly not_applicable: number
}

export interface RequestRound {
  readonly round: number
  readonly submission_id: string
  /** Null until the kit is issued. */
  readonly kit_id: string | null
  /** Who submitted it. Null if that person said nothing. */
  readonly sender: {
    /** As the person wrote it. Nobody has verified it. */
    readonly name: string
  } | null
}

export interface NewProgramItem {
  /** Also the folder of its files in the kit. */
  readonly item_id: string
  readonly title: string
  readonly description?: string | null
  readonly owner?: string | null
  /** `internal`: members of the workspace add the files. `request`: a supplier is asked with a request when a period opens. Default: `internal`. */
  readonly source?: 'internal' | 'request'
  /** Email addresses of the supplier. */
  readonly recipients?: readonly string[]
  /** Days after the start of the period. Default: 30. */
  readonly due_days?: number
}

export interface ProgramItem {
  /** Also the folder of its files in the kit. */
  readonly item_id: string
  readonly title: string
  /** What to supply. */
  readonly description: string | null
  readonly source: 'internal' | 'request'
  /** Email addresses of the supplier. */
  readonly recipients: readonly string[]
  /** Days after the start of the period. */
  readonly due_days: number
  /** The email address of the member who supplies it. */
  readonly owner: string | null
}

export interface PeriodSummary {
  /** Its name, such as `2026-Q4`, `2026-11`, `2026-H2`, `2026` or `1`. */
  readonly period: string
  /** Its first day. */
  readonly from: string
  /** Its last day. Null without a cadence. */
  readonly to: string | null
  /** `failed`: the files were not sealed because of their findings. They can be corrected, and the period sealed again. */
  readonly status: 'open' | 'sealing' | 'sealed' | 'failed'
  /** When the last of its items is due. */
  readonly due_at: string | null
  /** Its draft, and then the submission of its kit. */
  readonly submission_id: string
  /** If its status is `failed`, the submission with the findings. */
  readonly failed_submission_id: string | null
  /** Null until it is sealed. */
  readonly kit_id: string | null
  readonly progress: RequestProgress
  readonly opened_at: string
  /** When the kit was issued. */
  readonly sealed_at: string | null
}

export interface PeriodItem {
  readonly title: string
  /** What to supply. */
  readonly description: string | null
  /** Also the folder of its files in the kit. */
  readonly item_id: string
  /** The email address of the member who supplies it. */
  readonly owner: string | null
  readonly source: 'internal' | 'request'
  /** Email addresses of the supplier. */
  readonly recipients: readonly string[]
  readonly due_at: string
  /** Whether it is past due, with nothing to review. */
  readonly is_late: boolean
  /** `collected`: it has files. `to_review`: someone asks for a review, or its files changed after one. */
  readonly status: 'missing' | 'collected' | 'to_review' | 'needs_changes' | 'accepted' | 'not_applicable'
  /** Why it does not apply. */
  readonly not_applicable: string | null
  /** The request to the supplier. */
  readonly evidence_request_id: string | null
  readonly files: readonly {
    /** The draft of the period, or the answer to the request. */
    readonly submission_id: string
    readonly position: number
    /** With the folder of the item. */
    readonly name: string
    readonly sha256: string
    readonly size_bytes: number
    /** The file of the period before with the same bytes. Its name can differ. */
    readonly same_as: {
      readonly period: string
      readonly name: string
    } | null
  }[]
  /** The newest, oldest first. */
  readonly comments: readonly {
    readonly by: 'workspace' | 'supplier'
    /** Of the member who wrote it. */
    readonly email: string | null
    readonly text: string
    readonly created_at: string
  }[]
}

export interface BoardCell {
  readonly period: string
  readonly item_id: string
  /** In this period. */
  readonly title: string
  /** Email address. */
  readonly owner: string | null
  readonly status: 'missing' | 'collected' | 'to_review' | 'needs_changes' | 'accepted' | 'not_applicable'
  readonly due_at: string
  readonly is_late: boolean
  /** How many it has. */
  readonly files: number
  /** How many of them the period before has, byte for byte. */
  readonly same_files: number
}

export interface IssuerPin {
  /** The URL in the receipts. */
  readonly issuer: string
  /** The key ID. */
  readonly kid: string
  readonly key?: PublicKey
  readonly created_at: string
}

/** What a claim must be: `equals` or `prefix`. Compared exactly. */
export interface ClaimRule {
  /** Such as `sub` or `repository`. */
  readonly claim: string
  readonly equals?: string
  /** Must end with `/`, `:` or `@`. */
  readonly prefix?: string
}

export interface EvidenceForm {
  /** A ZIP archive or any other file. Repeat for each file. */
  readonly file: readonly string[]
  /** Send `false` if more uploads follow. Default: `true`. */
  readonly final?: 'true' | 'false'
  /** The code of a finding that you acknowledge. Repeat for each code. */
  readonly accept?: readonly string[]
  /** JSON, as `provenance` of a new submission. It replaces what was stated before about all files, or about the same file. */
  readonly provenance?: string
}

export interface TokenRequest {
  readonly grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange'
  /** The token of your CI system. */
  readonly subject_token: string
  readonly subject_token_type: 'urn:ietf:params:oauth:token-type:id_token' | 'urn:ietf:params:oauth:token-type:jwt'
  /** The federation to use. It is not a secret. */
  readonly federation_id: string
  /** To renew a key: the API key that this subject token, or another one of the same run, was exchanged for, while it is valid. */
  readonly actor_token?: string
  readonly actor_token_type?: 'urn:ietf:params:oauth:token-type:access_token'
}

/** `data` of each type of event. */
export interface EventData {
  /** A workspace was created. */
  readonly 'workspace.created': {
    readonly plan?: string
    readonly name?: string
  }
  /** The name or the settings of the workspace changed. */
  readonly 'workspace.changed': {
    readonly name?: string
    readonly public_kits?: string
    readonly language?: string
  }
  /** The operator confirmed the name. */
  readonly 'workspace.name_confirmed': {
    readonly name: string
  }
  /** The limits of the plan changed. */
  readonly 'plan.changed': {
    readonly upload_limit_bytes?: number
  }
  /** An API key was created. */
  readonly 'key.created': {
    readonly label: string
    readonly expires_at: string | null
    readonly scopes?: string
    readonly federation_id?: string
  }
  /** An API key was replaced. */
  readonly 'key.rotated': {
    readonly replaced_by: string
    readonly expires_at: string | null
  }
  /** A member or the operator gave an API key a new expiry, or kept it when its maker was removed. */
  readonly 'key.extended': {
    readonly expires_at: string | null
    readonly created_by: string | null
  }
  /** An API key was revoked. */
  readonly 'key.revoked': {
    readonly ended_with?: string
  }
  /** A federation was created. */
  readonly 'federation.created': {
    readonly label: string
    readonly issuer: string
    readonly audience: string
    readonly claims: string
    readonly scopes: string
  }
  /** A federation was changed. */
  readonly 'federation.changed': {
    readonly label: string
    readonly issuer: string
    readonly audience: string
    readonly claims: string
    readonly scopes: string
  }
  /** A federation was deleted, and its tokens were revoked. */
  readonly 'federation.deleted': {
    readonly label: string
    readonly issuer: string
    readonly audience: string
    readonly claims: string
    readonly scopes: string
    readonly ended_with?: string
  }
  /** Credits were added. */
  readonly 'credits.granted': {
    readonly credits: number
    readonly note?: string
  }
  /** An intake job was created without a submission. */
  readonly 'job.created': {
    readonly status: string
  }
  /** The kit of such a job was issued. */
  readonly 'job.issued': {
    readonly kit_id?: string
  }
  /** Such a job failed. */
  readonly 'job.failed': {
    readonly blockers?: number
  }
  /** Such a job expired. */
  readonly 'job.expired': {
    readonly kit_id?: string
  }
  /** A draft was created. */
  readonly 'submission.created': {
    readonly job_id: string
    readonly profile: string
    readonly replaces?: string
  }
  /** Tags, metadata or the external ID changed. */
  readonly 'submission.changed': {
    readonly changed: string
  }
  /** Files were uploaded to a draft. */
  readonly 'evidence.received': {
    readonly files: number
    readonly bytes: number
  }
  /** All files are there; the check begins. */
  readonly 'submission.sealed': {
    readonly files: number
    readonly bytes: number
  }
  /** The kit was issued. */
  readonly 'submission.passed': {
    readonly kit_id: string
  }
  /** The evidence has blockers; no kit was issued. */
  readonly 'submission.failed': {
    readonly blockers: number
  }
  /** A file of a kit was downloaded. */
  readonly 'deliverable.downloaded': {
    readonly name: string
    readonly access: string
    readonly bytes: number
  }
  /** The evidence of a kit was deleted at the end of its retention. */
  readonly 'kit.expired': {
    readonly job_id: string
    readonly retention_days: number
    readonly files: number
    readonly bytes: number
  }
  /** A legal hold was placed. */
  readonly 'submission.held': {
    readonly reason: string
  }
  /** A legal hold was released. */
  readonly 'submission.released': Readonly<Record<string, unknown>>
  /** The evidence of a kit was deleted on request. */
  readonly 'submission.erased': {
    readonly kit_id: string
    readonly files: number
    readonly bytes: number
  }
  /** A draft or failed submission was deleted. */
  readonly 'submission.deleted': {
    readonly files: number
    readonly bytes: number
  }
  /** A draft was not submitted in time. */
  readonly 'submission.expired': {
    readonly bytes: number
  }
  /** The evidence was submitted again. */
  readonly 'submission.resubmitted': {
    readonly as: string
  }
  /** The kit was re-issued with a new key. */
  readonly 'submission.reissued': {
    readonly as: string
  }
  /** A request for evidence was created. */
  readonly 'request.created': {
    readonly items: number
    readonly due_at: string | null
  }
  /** A request was changed. */
  readonly 'request.changed': {
    readonly due_at?: string | null
  }
  /** A link for the supplier was created. */
  readonly 'request.link_created': {
    readonly link_id: string
  }
  /** The links of a request were revoked. */
  readonly 'request.links_revoked': {
    readonly links: number
  }
  /** The supplier was reminded. */
  readonly 'request.reminded': Readonly<Record<string, unknown>>
  /** The supplier began a round. */
  readonly 'request.started': {
    readonly round: number
    readonly submission_id: string
  }
  /** Someone commented on an item. */
  readonly 'request.commented': {
    readonly item: string
    readonly comment_id: string
    readonly sha256: string
  }
  /** The requester accepted an item. */
  readonly 'request.item_accepted': {
    readonly item_id?: string
  }
  /** The requester asks for changes of an item. */
  readonly 'request.item_reopened': {
    readonly item_id?: string
  }
  /** Someone said that an item does not apply. */
  readonly 'request.item_not_applicable': {
    readonly item_id?: string
  }
  /** A review or an answer of an item was taken back. */
  readonly 'request.item_undone': {
    readonly item_id?: string
  }
  /** A request was closed. */
  readonly 'request.closed': Readonly<Record<string, unknown>>
  /** A program was created. */
  readonly 'program.created': {
    readonly items: number
    readonly cadence: string
  }
  /** A program was changed. */
  readonly 'program.changed': {
    readonly changed: string
  }
  /** A program was ended. */
  readonly 'program.ended': Readonly<Record<string, unknown>>
  /** A period of a program opened. */
  readonly 'program.period_opened': {
    readonly period: string
    readonly submission_id: string
  }
  /** The files of a period were submitted; the check begins. */
  readonly 'program.period_sealed': {
    readonly period: string
    readonly submission_id: string
    readonly items: number
    readonly missing: number
  }
  /** An item of a period was reviewed, or its review taken back. */
  readonly 'program.item_reviewed': {
    readonly period: string
    readonly item: string
    readonly status: string
  }
  /** The owner or the due date of an item changed. */
  readonly 'program.item_changed': {
    readonly period: string
    readonly item: string
    readonly changed: string
  }
  /** Someone commented on an item. */
  readonly 'program.commented': {
    readonly period: string
    readonly item: string
    readonly comment_id: string
    readonly sha256: string
  }
  /** A file was removed from an item. */
  readonly 'program.file_removed': {
    readonly period: string
    readonly item: string
  }
  /** A profile was created. */
  readonly 'profile.created': Readonly<Record<string, unknown>>
  /** A profile has a new version. */
  readonly 'profile.changed': Readonly<Record<string, unknown>>
  /** A profile was deleted. */
  readonly 'profile.deleted': Readonly<Record<string, unknown>>
  /** The operator revoked a key that signed kits of the workspace. */
  readonly 'signing_key.revoked': {
    readonly kits: number
    readonly compromised_since?: string
  }
  /** Someone was invited. */
  readonly 'member.invited': {
    readonly email: string
    readonly role: string
    readonly member_id?: string
  }
  /** An invitation was accepted. */
  readonly 'member.joined': {
    readonly email: string
    readonly role: string
    readonly invitation_id: string
  }
  /** The role, name or email address of a member changed, or single sign-on or a link of the operator proved the address. */
  readonly 'member.changed': {
    readonly from?: string
    readonly to?: string
    readonly name?: string
    readonly single_sign_on?: boolean
    readonly confirmed?: boolean
    readonly email?: string
  }
  /** A member was removed. */
  readonly 'member.removed': {
    readonly email: string
  }
  /** The operator deleted the passkeys of a member, ended their sessions, and mailed them a new link. */
  readonly 'member.access_reset': {
    readonly email: string
    readonly operator?: string
  }
  /** An invitation was revoked. */
  readonly 'invitation.revoked': {
    readonly email: string
  }
  /** A member added a passkey. */
  readonly 'passkey.added': {
    readonly label: string
  }
  /** A member renamed a passkey. */
  readonly 'passkey.renamed': {
    readonly from: string
    readonly to: string
  }
  /** A member removed a passkey. */
  readonly 'passkey.removed': {
    readonly label: string
  }
  /** A kit was shared, or a room was opened. */
  readonly 'share.created': {
    readonly kit_id?: string
    readonly files?: number
    readonly title?: string
    readonly kits?: string
    readonly series?: string
    readonly expires_at?: string | null
    readonly recipients?: string
  }
  /** Expiry, password or download limit of a share or room changed. */
  readonly 'share.changed': {
    readonly kit_id?: string
    readonly expires_at?: string | null
    readonly max_downloads?: number
    readonly has_password?: boolean
  }
  /** A link of a share or room was created, or replaced. */
  readonly 'share.link_created': {
    readonly kit_id?: string
    readonly recipient: string | null
    readonly replaced: boolean
  }
  /** The link of one recipient was revoked. */
  readonly 'share.link_revoked': {
    readonly kit_id?: string
    readonly recipient: string | null
  }
  /** Someone opened the page of a share or room. */
  readonly 'share.opened': {
    readonly kit_id?: string
    readonly recipient: string | null
  }
  /** Someone downloaded from a share or room. */
  readonly 'share.downloaded': {
    readonly kit_id: string
    readonly name: string
    readonly recipient: string | null
  }
  /** Someone commented in a room, or asked. */
  readonly 'share.commented': {
    readonly kit_id: string
    readonly comment_id: string
    readonly sha256: string
    readonly name?: string
  }
  /** The text of a comment was erased. */
  readonly 'share.comment_erased': {
    readonly kit_id: string
    readonly comment_id: string
    readonly sha256: string
    readonly name?: string
  }
  /** A question was resolved. */
  readonly 'share.question_resolved': {
    readonly kit_id: string
    readonly comment_id: string
    readonly sha256: string
    readonly name?: string
  }
  /** A question was opened again. */
  readonly 'share.question_reopened': {
    readonly kit_id: string
    readonly comment_id: string
    readonly sha256: string
    readonly name?: string
  }
  /** A reviewer says that they reviewed a kit, a file or an item. */
  readonly 'share.reviewed': {
    readonly kit_id: string
    readonly name?: string
    readonly item?: string
    readonly recipient: string | null
  }
  /** A reviewer took that back. */
  readonly 'share.review_withdrawn': {
    readonly kit_id: string
    readonly name?: string
    readonly item?: string
    readonly recipient: string | null
  }
  /** A share or room was revoked. */
  readonly 'share.revoked': {
    readonly kit_id?: string
  }
  /** A webhook was created. */
  readonly 'webhook.created': Readonly<Record<string, unknown>>
  /** A webhook was changed, enabled or disabled. */
  readonly 'webhook.changed': Readonly<Record<string, unknown>>
  /** The secret of a webhook was rotated. */
  readonly 'webhook.secret_rotated': Readonly<Record<string, unknown>>
  /** A webhook gets earlier events again. */
  readonly 'webhook.replayed': Readonly<Record<string, unknown>>
  /** The service disabled a webhook that failed for three days. */
  readonly 'webhook.disabled': Readonly<Record<string, unknown>>
  /** A webhook was deleted. */
  readonly 'webhook.deleted': Readonly<Record<string, unknown>>
  /** A member signed in. */
  readonly 'session.started': {
    readonly method: string
    readonly browser: string
  }
  /** A session ended. */
  readonly 'session.ended': {
    readonly reason?: string
  }
  /** A member became an operator of the service. */
  readonly 'operator.added': {
    readonly email: string
  }
  /** A member is no longer an operator of the service. */
  readonly 'operator.removed': {
    readonly email: string
  }
}

/** Parameters, body and response of each operation. */
export interface Operations {
  /** Create an intake job */
  readonly createIntakeJob: {
    readonly path: {}
    readonly query: {}
    readonly body: IntakeJobRequest
    readonly response: IntakeJob
  }
  /** Poll an intake job */
  readonly getIntakeJob: {
    readonly path: { readonly job_id: string }
    readonly query: {}
    readonly body: undefined
    readonly response: IntakeJob
  }
  /** Get the manifest of a kit */
  readonly getManifest: {
    readonly path: { readonly kit_id: string }
    readonly query: {}
    readonly body: undefined
    readonly response: Manifest
  }
  /** Get the receipt of a kit */
  readonly getReceipt: {
    readonly path: { readonly kit_id: string }
    readonly query: {}
    readonly body: undefined
    readonly response: Receipt
  }
  /** Get the proof that a receipt is in the log */
  readonly getLogProof: {
    readonly path: { readonly kit_id: string }
    readonly query: {}
    readonly body: undefined
    readonly response: Blob
  }
  /** Get the erasure record of a kit */
  readonly getErasure: {
    readonly path: { readonly kit_id: string }
    readonly query: {}
    readonly body: undefined
    readonly response: Erasure
  }
  /** Download a kit */
  readonly downloadKit: {
    readonly path: { readonly kit_id: string }
    readonly query: {}
    readonly body: undefined
    readonly response: Blob
  }
  /** Describe a kit */
  readonly describeKit: {
    readonly path: { readonly kit_id: string }
    readonly query: {}
    readonly body: undefined
    readonly response: KitDetail
  }
  /** Download one file of a kit */
  readonly getKitFile: {
    readonly path: { readonly kit_id: string; readonly file_path: string }
    readonly query: {}
    readonly body: undefined
    readonly response: Blob
  }
  /** Export a kit in the format of another tool */
  readonly exportKit: {
    readonly path: { readonly kit_id: string; readonly format: 'cose' | 'in-toto' | 'oscal' }
    readonly query: {}
    readonly body: undefined
    readonly response: Blob
  }
  /** The public verification keys */
  readonly getKeys: {
    readonly path: {}
    readonly query: {}
    readonly body: undefined
    readonly response: JWKS
  }
  /** The newest checkpoint of the transparency log */
  readonly getLogCheckpoint: {
    readonly path: {}
    readonly query: {}
    readonly body: undefined
    readonly response: Blob
  }
  /** A tile of the transparency log */
  readonly getLogTile: {
    readonly path: { readonly level: string; readonly name: string }
    readonly query: {}
    readonly body: undefined
    readonly response: Blob
  }
  /** The key and the witnesses of the transparency log */
  readonly getLogPolicy: {
    readonly path: {}
    readonly query: {}
    readonly body: undefined
    readonly response: Blob
  }
  /** Verify a receipt */
  readonly verifyReceipt: {
    readonly path: {}
    readonly query: {}
    readonly body: Receipt
    readonly response: VerificationResult
  }
  /** Create a submission */
  readonly createSubmission: {
    readonly path: {}
    readonly query: {}
    readonly body: SubmissionRequest
    readonly response: Submission
  }
  /** List and search submissions */
  readonly listSubmissions: {
    readonly path: {}
    readonly query: { readonly cursor?: string; readonly limit?: number; readonly status?: 'PENDING' | 'RUNNING' | 'PASS' | 'FAIL' | 'EXPIRED'; readonly q?: string; readonly label?: string; readonly path?: string; readonly series?: string; readonly tag?: string; readonly external_id?: string; readonly created_after?: string; readonly created_before?: string; readonly sort?: '-created_at' | 'created_at' | 'label' | '-label' | 'size_bytes' | '-size_bytes' }
    readonly body: undefined
    readonly response: SubmissionList
  }
  /** Poll a submission */
  readonly getSubmission: {
    readonly path: { readonly submission_id: string }
    readonly query: { readonly findings?: 'all' | 'summary' }
    readonly body: undefined
    readonly response: Submission
  }
  /** Change tags, metadata and external ID, or add to a series */
  readonly updateSubmission: {
    readonly path: { readonly submission_id: string }
    readonly query: {}
    readonly body: SubmissionUpdate
    readonly response: Submission
  }
  /** Delete the evidence of a submission */
  readonly deleteSubmission: {
    readonly path: { readonly submission_id: string }
    readonly query: {}
    readonly body: undefined
    readonly response: undefined
  }
  /** What a submission came to */
  readonly listDeliverables: {
    readonly path: { readonly submission_id: string }
    readonly query: {}
    readonly body: undefined
    readonly response: DeliverableList
  }
  /** Download a deliverable */
  readonly getDeliverable: {
    readonly path: { readonly submission_id: string; readonly name: string }
    readonly query: {}
    readonly body: undefined
    readonly response: Blob
  }
  /** Download a report */
  readonly getReport: {
    readonly path: { readonly submission_id: string; readonly report: string }
    readonly query: {}
    readonly body: undefined
    readonly response: Readonly<Record<string, unknown>>
  }
  /** Re-issue a kit whose signing key was revoked */
  readonly reissueKit: {
    readonly path: { readonly submission_id: string }
    readonly query: {}
    readonly body: undefined
    readonly response: Submission
  }
  /** Resubmit a failed submission */
  readonly resubmit: {
    readonly path: { readonly submission_id: string }
    readonly query: {}
    readonly body: Resubmission
    readonly response: Submission
  }
  /** Place a legal hold */
  readonly placeHold: {
    readonly path: { readonly submission_id: string }
    readonly query: {}
    readonly body: HoldRequest
    readonly response: Submission
  }
  /** Release a legal hold */
  readonly releaseHold: {
    readonly path: { readonly submission_id: string }
    readonly query: {}
    readonly body: undefined
    readonly response: undefined
  }
  /** Get kits whose signing key was revoked */
  readonly getRevocations: {
    readonly path: {}
    readonly query: {}
    readonly body: undefined
    readonly response: RevocationList
  }
  /** List series, newest first */
  readonly listSeries: {
    readonly path: {}
    readonly query: { readonly cursor?: string; readonly limit?: number }
    readonly body: undefined
    readonly response: SeriesList
  }
  /** Get the timeline of a series */
  readonly getSeries: {
    readonly path: { readonly series: string }
    readonly query: { readonly cursor?: string; readonly limit?: number }
    readonly body: undefined
    readonly response: SeriesTimeline
  }
  /** Compare two kits */
  readonly compareKits: {
    readonly path: {}
    readonly query: { readonly from: string; readonly to: string }
    readonly body: undefined
    readonly response: KitDifferences
  }
  /** List profiles */
  readonly listProfiles: {
    readonly path: {}
    readonly query: {}
    readonly body: undefined
    readonly response: ProfileList
  }
  /** Create a profile */
  readonly createProfile: {
    readonly path: {}
    readonly query: {}
    readonly body: ProfileRequest
    readonly response: Profile
  }
  /** Get a profile */
  readonly getProfile: {
    readonly path: { readonly profile: string }
    readonly query: {}
    readonly body: undefined
    readonly response: Profile
  }
  /** Change a profile */
  readonly replaceProfile: {
    readonly path: { readonly profile: string }
    readonly query: {}
    readonly body: ProfileRequest
    readonly response: Profile
  }
  /** Delete a profile */
  readonly deleteProfile: {
    readonly path: { readonly profile: string }
    readonly query: {}
    readonly body: undefined
    readonly response: undefined
  }
  /** Share a kit */
  readonly createShare: {
    readonly path: {}
    readonly query: {}
    readonly body: ShareRequest
    readonly response: Share
  }
  /** List shares, newest first */
  readonly listShares: {
    readonly path: {}
    readonly query: { readonly cursor?: string; readonly limit?: number; readonly kit_id?: string }
    readonly body: undefined
    readonly response: ShareList
  }
  /** Get a share */
  readonly getShare: {
    readonly path: { readonly share_id: string }
    readonly query: {}
    readonly body: undefined
    readonly response: Share
  }
  /** Change a share */
  readonly changeShare: {
    readonly path: { readonly share_id: string }
    readonly query: {}
    readonly body: ShareChange
    readonly response: Share
  }
  /** Revoke a share */
  readonly revokeShare: {
    readonly path: { readonly share_id: string }
    readonly query: {}
    readonly body: undefined
    readonly response: undefined
  }
  /** Get the access log of a share */
  readonly listShareAccesses: {
    readonly path: { readonly share_id: string }
    readonly query: { readonly cursor?: string; readonly limit?: number }
    readonly body: undefined
    readonly response: ShareAccessList
  }
  /** Create or replace a link of a share */
  readonly createShareLink: {
    readonly path: { readonly share_id: string }
    readonly query: {}
    readonly body: ShareLinkRequest
    readonly response: Share
  }
  /** Revoke the link of one recipient of a share */
  readonly revokeShareLink: {
    readonly path: { readonly share_id: string }
    readonly query: { readonly recipient?: string }
    readonly body: undefined
    readonly response: undefined
  }
  /** Open a room */
  readonly createRoom: {
    readonly path: {}
    readonly query: {}
    readonly body: RoomRequest
    readonly response: Room
  }
  /** List rooms, newest first */
  readonly listRooms: {
    readonly path: {}
    readonly query: { readonly cursor?: string; readonly limit?: number }
    readonly body: undefined
    readonly response: RoomList
  }
  /** Get a room */
  readonly getRoom: {
    readonly path: { readonly room_id: string }
    readonly query: {}
    readonly body: undefined
    readonly response: Room
  }
  /** Change a room */
  readonly changeRoom: {
    readonly path: { readonly room_id: string }
    readonly query: {}
    readonly body: ShareChange
    readonly response: Room
  }
  /** Revoke a room */
  readonly revokeRoom: {
    readonly path: { readonly room_id: string }
    readonly query: {}
    readonly body: undefined
    readonly response: undefined
  }
  /** Get the access log of a room */
  readonly listRoomAccesses: {
    readonly path: { readonly room_id: string }
    readonly query: { readonly cursor?: string; readonly limit?: number }
    readonly body: undefined
    readonly response: ShareAccessList
  }
  /** Create or replace a link of a room */
  readonly createRoomLink: {
    readonly path: { readonly room_id: string }
    readonly query: {}
    readonly body: ShareLinkRequest
    readonly response: Room
  }
  /** Revoke the link of one recipient of a room */
  readonly revokeRoomLink: {
    readonly path: { readonly room_id: string }
    readonly query: { readonly recipient?: string }
    readonly body: undefined
    readonly response: undefined
  }
  /** List comments and questions of a room */
  readonly listRoomComments: {
    readonly path: { readonly room_id: string }
    readonly query: { readonly cursor?: string; readonly limit?: number }
    readonly body: undefined
    readonly response: RoomCommentList
  }
  /** Comment in a room, or answer */
  readonly commentInRoom: {
    readonly path: { readonly room_id: string }
    readonly query: {}
    readonly body: RoomCommentRequest
    readonly response: RoomComment
  }
  /** Resolve a question, or open it again */
  readonly changeRoomComment: {
    readonly path: { readonly room_id: string; readonly comment_id: string }
    readonly query: {}
    readonly body: RoomCommentChange
    readonly response: RoomComment
  }
  /** Erase a comment */
  readonly eraseRoomComment: {
    readonly path: { readonly room_id: string; readonly comment_id: string }
    readonly query: {}
    readonly body: undefined
    readonly response: undefined
  }
  /** List what reviewers say that they have reviewed */
  readonly listRoomReviews: {
    readonly path: { readonly room_id: string }
    readonly query: { readonly cursor?: string; readonly limit?: number }
    readonly body: undefined
    readonly response: RoomReviewList
  }
  /** Get what waits for a person */
  readonly getOverview: {
    readonly path: {}
    readonly query: {}
    readonly body: undefined
    readonly response: Overview
  }
  /** Create a request */
  readonly createRequest: {
    readonly path: {}
    readonly query: {}
    readonly body: NewRequest
    readonly response: EvidenceRequest
  }
  /** List requests, newest first */
  readonly listRequests: {
    readonly path: {}
    readonly query: { readonly cursor?: string; readonly limit?: number; readonly status?: 'open' | 'submitted' | 'accepted' | 'closed' }
    readonly body: undefined
    readonly response: EvidenceRequestList
  }
  /** Get a request */
  readonly getRequest: {
    readonly path: { readonly evidence_request_id: string }
    readonly query: {}
    readonly body: undefined
    readonly response: EvidenceRequest
  }
  /** Change a request */
  readonly changeRequest: {
    readonly path: { readonly evidence_request_id: string }
    readonly query: {}
    readonly body: RequestUpdate
    readonly response: EvidenceRequest
  }
  /** List the comments of a request */
  readonly listRequestComments: {
    readonly path: { readonly evidence_request_id: string }
    readonly query: { readonly cursor?: string; readonly limit?: number }
    readonly body: undefined
    readonly response: RequestCommentList
  }
  /** Copy a request */
  readonly copyRequest: {
    readonly path: { readonly evidence_request_id: string }
    readonly query: {}
    readonly body: RequestCopy
    readonly response: EvidenceRequest
  }
  /** Create a link for the supplier */
  readonly createRequestLink: {
    readonly path: { readonly evidence_request_id: string }
    readonly query: {}
    readonly body: NewRequestLink
    readonly response: RequestLink
  }
  /** Revoke the links of a request */
  readonly revokeRequestLinks: {
    readonly path: { readonly evidence_request_id: string }
    readonly query: {}
    readonly body: undefined
    readonly response: undefined
  }
  /** Remind the supplier */
  readonly remindSupplier: {
    readonly path: { readonly evidence_request_id: string }
    readonly query: {}
    readonly body: Empty
    readonly response: EvidenceRequest
  }
  /** Review an item, or comment on it */
  readonly reviewItem: {
    readonly path: { readonly evidence_request_id: string; readonly item_id: string }
    readonly query: {}
    readonly body: ItemReview
    readonly response: EvidenceRequest
  }
  /** Accept every item with files to review */
  readonly acceptRequest: {
    readonly path: { readonly evidence_request_id: string }
    readonly query: {}
    readonly body: Empty
    readonly response: EvidenceRequest
  }
  /** Close a request */
  readonly closeRequest: {
    readonly path: { readonly evidence_request_id: string }
    readonly query: {}
    readonly body: Empty
    readonly response: EvidenceRequest
  }
  /** Create a program */
  readonly createProgram: {
    readonly path: {}
    readonly query: {}
    readonly body: NewProgram
    readonly response: Program
  }
  /** List programs, newest first */
  readonly listPrograms: {
    readonly path: {}
    readonly query: { readonly cursor?: string; readonly limit?: number }
    readonly body: undefined
    readonly response: ProgramList
  }
  /** Get a program */
  readonly getProgram: {
    readonly path: { readonly program_id: string }
    readonly query: {}
    readonly body: undefined
    readonly response: Program
  }
  /** Change a program, or end it */
  readonly changeProgram: {
    readonly path: { readonly program_id: string }
    readonly query: {}
    readonly body: ProgramUpdate
    readonly response: Program
  }
  /** Get the board of a program */
  readonly getProgramBoard: {
    readonly path: { readonly program_id: string }
    readonly query: { readonly cursor?: string; readonly limit?: number }
    readonly body: undefined
    readonly response: ProgramBoard
  }
  /** Open the next period now */
  readonly openPeriod: {
    readonly path: { readonly program_id: string }
    readonly query: {}
    readonly body: Empty
    readonly response: Period
  }
  /** Get a period */
  readonly getPeriod: {
    readonly path: { readonly program_id: string; readonly period: string }
    readonly query: {}
    readonly body: undefined
    readonly response: Period
  }
  /** List the comments of a period */
  readonly listPeriodComments: {
    readonly path: { readonly program_id: string; readonly period: string }
    readonly query: { readonly cursor?: string; readonly limit?: number }
    readonly body: undefined
    readonly response: PeriodCommentList
  }
  /** Review an item of a period, comment on it, or change its owner or due date */
  readonly changePeriodItem: {
    readonly path: { readonly program_id: string; readonly period: string; readonly item_id: string }
    readonly query: {}
    readonly body: PeriodItemChange
    readonly response: Period
  }
  /** Remove a file from a period */
  readonly removePeriodFile: {
    readonly path: { readonly program_id: string; readonly period: string; readonly position: string }
    readonly query: {}
    readonly body: undefined
    readonly response: undefined
  }
  /** Seal a period */
  readonly sealPeriod: {
    readonly path: { readonly program_id: string; readonly period: string }
    readonly query: {}
    readonly body: SealRequest
    readonly response: Period
  }
  /** Download one file of a period */
  readonly getPeriodFile: {
    readonly path: { readonly program_id: string; readonly period: string; readonly file_path: string }
    readonly query: {}
    readonly body: undefined
    readonly response: Blob
  }
  /** Get credits and the credit ledger */
  readonly getCredits: {
    readonly path: {}
    readonly query: { readonly cursor?: string; readonly limit?: number }
    readonly body: undefined
    readonly response: CreditAccount
  }
  /** Get the pinned issuers */
  readonly getTrust: {
    readonly path: {}
    readonly query: {}
    readonly body: undefined
    readonly response: TrustedIssuers
  }
  /** Replace the pinned issuers */
  readonly setTrust: {
    readonly path: {}
    readonly query: {}
    readonly body: TrustRequest
    readonly response: TrustedIssuers
  }
  /** Get the audit log */
  readonly getAuditTrail: {
    readonly path: {}
    readonly query: { readonly cursor?: string; readonly limit?: number; readonly after?: number; readonly names?: 'true'; readonly action?: string; readonly by?: string; readonly subject?: string; readonly since?: string; readonly until?: string }
    readonly body: undefined
    readonly response: AuditTrail
  }
  /** Get the people of the audit log */
  readonly getAuditPeople: {
    readonly path: {}
    readonly query: {}
    readonly body: undefined
    readonly response: PersonList
  }
  /** Get the head of the audit log */
  readonly getAuditHead: {
    readonly path: {}
    readonly query: {}
    readonly body: undefined
    readonly response: AuditHead
  }
  /** Export the audit log */
  readonly exportAudit: {
    readonly path: {}
    readonly query: {}
    readonly body: undefined
    readonly response: Blob
  }
  /** Get events */
  readonly listEvents: {
    readonly path: {}
    readonly query: { readonly cursor?: string; readonly after?: number; readonly limit?: number }
    readonly body: undefined
    readonly response: EventList
  }
  /** Follow events */
  readonly streamEvents: {
    readonly path: {}
    readonly query: { readonly after?: number }
    readonly body: undefined
    readonly response: Blob
  }
  /** Create a webhook */
  readonly createWebhook: {
    readonly path: {}
    readonly query: {}
    readonly body: WebhookRequest
    readonly response: Webhook
  }
  /** List webhooks */
  readonly listWebhooks: {
    readonly path: {}
    readonly query: {}
    readonly body: undefined
    readonly response: WebhookList
  }
  /** Get a webhook */
  readonly getWebhook: {
    readonly path: { readonly webhook_id: string }
    readonly query: {}
    readonly body: undefined
    readonly response: Webhook
  }
  /** Change a webhook */
  readonly changeWebhook: {
    readonly path: { readonly webhook_id: string }
    readonly query: {}
    readonly body: WebhookUpdate
    readonly response: Webhook
  }
  /** Delete a webhook */
  readonly deleteWebhook: {
    readonly path: { readonly webhook_id: string }
    readonly query: {}
    readonly body: undefined
    readonly response: undefined
  }
  /** Rotate the secret of a webhook */
  readonly rotateWebhookSecret: {
    readonly path: { readonly webhook_id: string }
    readonly query: {}
    readonly body: SecretRotation
    readonly response: Webhook
  }
  /** Send events again */
  readonly replayWebhook: {
    readonly path: { readonly webhook_id: string }
    readonly query: {}
    readonly body: WebhookReplay
    readonly response: Webhook
  }
  /** Test a webhook */
  readonly pingWebhook: {
    readonly path: { readonly webhook_id: string }
    readonly query: {}
    readonly body: undefined
    readonly response: WebhookAttempt
  }
  /** Get the delivery log of a webhook */
  readonly listWebhookAttempts: {
    readonly path: { readonly webhook_id: string }
    readonly query: { readonly cursor?: string; readonly limit?: number }
    readonly body: undefined
    readonly response: WebhookAttemptList
  }
  /** The public key of webhooks */
  readonly getWebhookKeys: {
    readonly path: {}
    readonly query: {}
    readonly body: undefined
    readonly response: {
      readonly keys: readonly {
        readonly [name: string]: string
      }[]
    }
  }
  /** List API keys */
  readonly listApiKeys: {
    readonly path: {}
    readonly query: {}
    readonly body: undefined
    readonly response: ApiKeyList
  }
  /** Create an API key */
  readonly createApiKey: {
    readonly path: {}
    readonly query: {}
    readonly body: ApiKeyRequest
    readonly response: CreatedApiKey
  }
  /** Rotate an API key */
  readonly rotateApiKey: {
    readonly path: { readonly key_id: string }
    readonly query: {}
    readonly body: KeyRotation
    readonly response: RotatedApiKey
  }
  /** Revoke an API key */
  readonly revokeApiKey: {
    readonly path: { readonly key_id: string }
    readonly query: {}
    readonly body: undefined
    readonly response: undefined
  }
  /** Get who you are */
  readonly me: {
    readonly path: {}
    readonly query: {}
    readonly body: undefined
    readonly response: Me
  }
  /** List federations */
  readonly listFederations: {
    readonly path: {}
    readonly query: {}
    readonly body: undefined
    readonly response: FederationList
  }
  /** Create a federation */
  readonly createFederation: {
    readonly path: {}
    readonly query: {}
    readonly body: FederationRequest
    readonly response: Federation
  }
  /** Get a federation */
  readonly getFederation: {
    readonly path: { readonly federation_id: string }
    readonly query: {}
    readonly body: undefined
    readonly response: Federation
  }
  /** Change a federation */
  readonly changeFederation: {
    readonly path: { readonly federation_id: string }
    readonly query: {}
    readonly body: FederationRequest
    readonly response: Federation
  }
  /** Delete a federation */
  readonly deleteFederation: {
    readonly path: { readonly federation_id: string }
    readonly query: {}
    readonly body: undefined
    readonly response: undefined
  }
  /** This description */
  readonly getOpenApi: {
    readonly path: {}
    readonly query: {}
    readonly body: undefined
    readonly response: Readonly<Record<string, unknown>>
  }
  /** Liveness probe */
  readonly getHealth: {
    readonly path: {}
    readonly query: {}
    readonly body: undefined
    readonly response: {
      readonly status: string
    }
  }
  /** Readiness probe */
  readonly getReadiness: {
    readonly path: {}
    readonly query: {}
    readonly body: undefined
    readonly response: {
      readonly status: string
    }
  }
  /** Verify a kit */
  readonly verifyKit: {
    readonly path: {}
    readonly query: {}
    readonly body: Blob
    readonly response: VerificationResult
  }
  /** Upload evidence */
  readonly uploadEvidence: {
    readonly path: { readonly submission_id: string }
    readonly query: {}
    readonly body: Blob
    readonly response: Submission
  }
  /** Create a resumable upload */
  readonly createUpload: {
    readonly path: { readonly submission_id: string }
    readonly query: {}
    readonly body: Blob
    readonly response: Upload
  }
  /** List unfinished uploads */
  readonly listUploads: {
    readonly path: { readonly submission_id: string }
    readonly query: {}
    readonly body: undefined
    readonly response: UploadList
  }
  /** Get a resumable upload */
  readonly getUpload: {
    readonly path: { readonly submission_id: string; readonly upload_id: string }
    readonly query: {}
    readonly body: undefined
    readonly response: Upload
  }
  /** Send the next bytes of an upload */
  readonly appendToUpload: {
    readonly path: { readonly submission_id: string; readonly upload_id: string }
    readonly query: {}
    readonly body: Blob
    readonly response: undefined
  }
  /** Delete an unfinished upload */
  readonly deleteUpload: {
    readonly path: { readonly submission_id: string; readonly upload_id: string }
    readonly query: {}
    readonly body: undefined
    readonly response: undefined
  }
  /** Exchange the token of a CI system */
  readonly exchangeToken: {
    readonly path: {}
    readonly query: {}
    readonly body: TokenRequest
    readonly response: Token
  }
}

/** Method and path of each operation. */
export const OPERATIONS = {
  createIntakeJob: ['POST', '/v1/intake/jobs'],
  getIntakeJob: ['GET', '/v1/intake/jobs/{job_id}'],
  getManifest: ['GET', '/v1/kits/{kit_id}/manifest'],
  getReceipt: ['GET', '/v1/kits/{kit_id}/receipt'],
  getLogProof: ['GET', '/v1/kits/{kit_id}/log-proof'],
  getErasure: ['GET', '/v1/kits/{kit_id}/erasure'],
  downloadKit: ['GET', '/v1/kits/{kit_id}/download'],
  describeKit: ['GET', '/v1/kits/{kit_id}'],
  getKitFile: ['GET', '/v1/kits/{kit_id}/files/{file_path}'],
  exportKit: ['GET', '/v1/kits/{kit_id}/export/{format}'],
  getKeys: ['GET', '/.well-known/jwks.json'],
  getLogCheckpoint: ['GET', '/log/checkpoint'],
  getLogTile: ['GET', '/log/tile/{level}/{name}'],
  getLogPolicy: ['GET', '/log/policy'],
  verifyReceipt: ['POST', '/v1/verify/receipt'],
  createSubmission: ['POST', '/v1/submissions'],
  listSubmissions: ['GET', '/v1/submissions'],
  getSubmission: ['GET', '/v1/submissions/{submission_id}'],
  updateSubmission: ['PATCH', '/v1/submissions/{submission_id}'],
  deleteSubmission: ['DELETE', '/v1/submissions/{submission_id}'],
  listDeliverables: ['GET', '/v1/submissions/{submission_id}/deliverables'],
  getDeliverable: ['GET', '/v1/submissions/{submission_id}/deliverables/{name}'],
  getReport: ['GET', '/v1/submissions/{submission_id}/deliverables/reports/{report}'],
  reissueKit: ['POST', '/v1/submissions/{submission_id}/reissue'],
  resubmit: ['POST', '/v1/submissions/{submission_id}/resubmit'],
  placeHold: ['PUT', '/v1/submissions/{submission_id}/hold'],
  releaseHold: ['DELETE', '/v1/submissions/{submission_id}/hold'],
  getRevocations: ['GET', '/v1/revocations'],
  listSeries: ['GET', '/v1/series'],
  getSeries: ['GET', '/v1/series/{series}'],
  compareKits: ['GET', '/v1/compare'],
  listProfiles: ['GET', '/v1/profiles'],
  createProfile: ['POST', '/v1/profiles'],
  getProfile: ['GET', '/v1/profiles/{profile}'],
  replaceProfile: ['PUT', '/v1/profiles/{profile}'],
  deleteProfile: ['DELETE', '/v1/profiles/{profile}'],
  createShare: ['POST', '/v1/shares'],
  listShares: ['GET', '/v1/shares'],
  getShare: ['GET', '/v1/shares/{share_id}'],
  changeShare: ['PATCH', '/v1/shares/{share_id}'],
  revokeShare: ['DELETE', '/v1/shares/{share_id}'],
  listShareAccesses: ['GET', '/v1/shares/{share_id}/accesses'],
  createShareLink: ['POST', '/v1/shares/{share_id}/links'],
  revokeShareLink: ['DELETE', '/v1/shares/{share_id}/links'],
  createRoom: ['POST', '/v1/rooms'],
  listRooms: ['GET', '/v1/rooms'],
  getRoom: ['GET', '/v1/rooms/{room_id}'],
  changeRoom: ['PATCH', '/v1/rooms/{room_id}'],
  revokeRoom: ['DELETE', '/v1/rooms/{room_id}'],
  listRoomAccesses: ['GET', '/v1/rooms/{room_id}/accesses'],
  createRoomLink: ['POST', '/v1/rooms/{room_id}/links'],
  revokeRoomLink: ['DELETE', '/v1/rooms/{room_id}/links'],
  listRoomComments: ['GET', '/v1/rooms/{room_id}/comments'],
  commentInRoom: ['POST', '/v1/rooms/{room_id}/comments'],
  changeRoomComment: ['PATCH', '/v1/rooms/{room_id}/comments/{comment_id}'],
  eraseRoomComment: ['DELETE', '/v1/rooms/{room_id}/comments/{comment_id}'],
  listRoomReviews: ['GET', '/v1/rooms/{room_id}/reviews'],
  getOverview: ['GET', '/v1/overview'],
  createRequest: ['POST', '/v1/requests'],
  listRequests: ['GET', '/v1/requests'],
  getRequest: ['GET', '/v1/requests/{evidence_request_id}'],
  changeRequest: ['PATCH', '/v1/requests/{evidence_request_id}'],
  listRequestComments: ['GET', '/v1/requests/{evidence_request_id}/comments'],
  copyRequest: ['POST', '/v1/requests/{evidence_request_id}/copy'],
  createRequestLink: ['POST', '/v1/requests/{evidence_request_id}/links'],
  revokeRequestLinks: ['DELETE', '/v1/requests/{evidence_request_id}/links'],
  remindSupplier: ['POST', '/v1/requests/{evidence_request_id}/remind'],
  reviewItem: ['POST', '/v1/requests/{evidence_request_id}/items/{item_id}'],
  acceptRequest: ['POST', '/v1/requests/{evidence_request_id}/accept'],
  closeRequest: ['POST', '/v1/requests/{evidence_request_id}/close'],
  createProgram: ['POST', '/v1/programs'],
  listPrograms: ['GET', '/v1/programs'],
  getProgram: ['GET', '/v1/programs/{program_id}'],
  changeProgram: ['PATCH', '/v1/programs/{program_id}'],
  getProgramBoard: ['GET', '/v1/programs/{program_id}/board'],
  openPeriod: ['POST', '/v1/programs/{program_id}/periods'],
  getPeriod: ['GET', '/v1/programs/{program_id}/periods/{period}'],
  listPeriodComments: ['GET', '/v1/programs/{program_id}/periods/{period}/comments'],
  changePeriodItem: ['PATCH', '/v1/programs/{program_id}/periods/{period}/items/{item_id}'],
  removePeriodFile: ['DELETE', '/v1/programs/{program_id}/periods/{period}/files/{position}'],
  sealPeriod: ['POST', '/v1/programs/{program_id}/periods/{period}/seal'],
  getPeriodFile: ['GET', '/v1/programs/{program_id}/periods/{period}/evidence/{file_path}'],
  getCredits: ['GET', '/v1/credits'],
  getTrust: ['GET', '/v1/trust'],
  setTrust: ['PUT', '/v1/trust'],
  getAuditTrail: ['GET', '/v1/audit'],
  getAuditPeople: ['GET', '/v1/audit/people'],
  getAuditHead: ['GET', '/v1/audit/head'],
  exportAudit: ['GET', '/v1/audit/export'],
  listEvents: ['GET', '/v1/events'],
  streamEvents: ['GET', '/v1/events/stream'],
  createWebhook: ['POST', '/v1/webhooks'],
  listWebhooks: ['GET', '/v1/webhooks'],
  getWebhook: ['GET', '/v1/webhooks/{webhook_id}'],
  changeWebhook: ['PATCH', '/v1/webhooks/{webhook_id}'],
  deleteWebhook: ['DELETE', '/v1/webhooks/{webhook_id}'],
  rotateWebhookSecret: ['POST', '/v1/webhooks/{webhook_id}/rotate'],
  replayWebhook: ['POST', '/v1/webhooks/{webhook_id}/replay'],
  pingWebhook: ['POST', '/v1/webhooks/{webhook_id}/ping'],
  listWebhookAttempts: ['GET', '/v1/webhooks/{webhook_id}/attempts'],
  getWebhookKeys: ['GET', '/.well-known/webhook-keys.json'],
  listApiKeys: ['GET', '/v1/keys'],
  createApiKey: ['POST', '/v1/keys'],
  rotateApiKey: ['POST', '/v1/keys/{key_id}/rotate'],
  revokeApiKey: ['DELETE', '/v1/keys/{key_id}'],
  me: ['GET', '/v1/me'],
  listFederations: ['GET', '/v1/federation'],
  createFederation: ['POST', '/v1/federation'],
  getFederation: ['GET', '/v1/federation/{federation_id}'],
  changeFederation: ['PUT', '/v1/federation/{federation_id}'],
  deleteFederation: ['DELETE', '/v1/federation/{federation_id}'],
  getOpenApi: ['GET', '/openapi.json'],
  getHealth: ['GET', '/healthz'],
  getReadiness: ['GET', '/readyz'],
  verifyKit: ['POST', '/v1/verify/kit'],
  uploadEvidence: ['POST', '/v1/submissions/{submission_id}/evidence'],
  createUpload: ['POST', '/v1/submissions/{submission_id}/uploads'],
  listUploads: ['GET', '/v1/submissions/{submission_id}/uploads'],
  getUpload: ['GET', '/v1/submissions/{submission_id}/uploads/{upload_id}'],
  appendToUpload: ['PATCH', '/v1/submissions/{submission_id}/uploads/{upload_id}'],
  deleteUpload: ['DELETE', '/v1/submissions/{submission_id}/uploads/{upload_id}'],
  exchangeToken: ['POST', '/v1/token'],
} as const satisfies {
  readonly [Name in keyof Operations]: readonly [method: string, path: string]
}
