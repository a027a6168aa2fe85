// Made from spec/openapi.json by client/test/write-api-types.ts, and proved fresh by a test.
/** One piece of intake, from draft to issued kit. */
export interface IntakeJob {
  readonly job_id: string
  readonly tenant_id: string
  readonly scope_label: string
  readonly status: 'DRAFT' | 'SUBMITTED' | 'PASS' | 'FAIL' | 'ISSUED' | 'EXPIRED'
  readonly created_at: string
  readonly updated_at: string
  readonly kit_id?: string | null
  /** What the service does and does not vouch for. */
  readonly boundary: string
}

/** The IntakeJob shape, of which the caller supplies `tenant_id`, `scope_label` and, if wanted, `status`. */
export interface IntakeJobRequest {
  /** Whose intake this is: one line of text. */
  readonly tenant_id: string
  /** What it covers; becomes `scope` of the receipt. */
  readonly scope_label: string
  readonly status?: 'DRAFT' | 'SUBMITTED'
  /** Accepted and ignored: the service assigns it. */
  readonly job_id?: string
  readonly created_at?: string
  readonly updated_at?: string
  readonly kit_id?: string | null
  readonly boundary?: string
}

/** The metadata record of a kit. No endpoint returns it directly. */
export interface Kit {
  readonly kit_id: string
  readonly job_id: string
  readonly issued_at: string
  readonly receipt_version: string
  /** The manifest that the receipt binds. */
  readonly manifest_sha256: string
  /** Key ID of the signing public key. */
  readonly public_key_kid: string
  readonly downloads: {
    readonly [name: string]: string
  }
  /** What the service does and does not vouch for. */
  readonly boundary: string
}

/** The inventory of a kit. */
export interface Manifest {
  readonly receipt_version: string
  readonly kit_id: string
  readonly job_id: string
  readonly issued_at: string
  /** Sorted by the UTF-8 bytes of `path`. */
  readonly artifacts: readonly {
    readonly path: string
    /** Of the file. */
    readonly sha256: string
    readonly size_bytes: number
  }[]
  /** SHA-256 of the RFC 8785 form of this object without this member. */
  readonly manifest_sha256: string
  /** What the service does and does not vouch for. */
  readonly boundary: string
}

/** The signed statement that binds a kit. */
export interface Receipt {
  readonly receipt_version: string
  readonly job_id: string
  readonly kit_id: string
  readonly issued_at: string
  readonly issuer: string
  /** RFC 7638 thumbprint of a key in the public key set. */
  readonly public_key_kid: string
  /** `manifest_sha256` of the kit's manifest. */
  readonly manifest_sha256: string
  /** RFC 9162 Merkle tree hash over the artifacts in order. */
  readonly manifest_root_hash: string
  /** SHA-256 of the RFC 8785 form of this object without this member and `signature`. */
  readonly canonical_receipt_sha256: string
  readonly signature_algorithm: 'Ed25519'
  /** Ed25519 over the RFC 8785 form of this object without this member; base64url without padding. */
  readonly signature: string
  readonly scope: string
  /** What the service does and does not vouch for. */
  readonly boundary: string
}

/** PASS only where every check ran and held. */
export interface VerificationResult {
  readonly status: 'PASS' | 'FAIL'
  readonly manifest_hash_valid: boolean
  readonly artifact_hashes_valid: boolean
  readonly receipt_canonical_hash_valid: boolean
  readonly ed25519_signature_valid: boolean
  readonly kid_matched: boolean
  /** `code: text`, one for every failure; empty on PASS. */
  readonly errors: readonly string[]
  /** Each guarantee on its own. */
  readonly checks: readonly {
    readonly check: string
    /** What holds where the check passes, in words. */
    readonly guarantee: string
    readonly result: 'pass' | 'fail' | 'not_run'
    /** Why it failed, or was not run. */
    readonly why?: string
  }[]
  readonly signer: {
    /** The key that the receipt names. */
    readonly kid: string | null
    /** Where the key was found; `jwks` is the service's own key set. */
    readonly trust: 'pinned' | 'jwks' | 'kit' | 'none'
  }
  /** What the service does and does not vouch for. */
  readonly boundary: string
}

/** What every error answers. */
export interface ErrorResponse {
  /** The phrase of the status. */
  readonly error: string
  /** One of the documented codes. */
  readonly code: string
  /** For a person. */
  readonly message: string
  /** Also in `X-Request-Id`. */
  readonly request_id: string
  /** What the service does and does not vouch for. */
  readonly boundary?: string
}

/** The public key set: active and retired keys, never a revoked one. */
export interface JWKS {
  readonly keys: readonly {
    readonly kty: 'OKP'
    readonly crv: 'Ed25519'
    readonly x: string
    /** RFC 7638 thumbprint (SHA-256, base64url). */
    readonly kid: string
    readonly use: 'sig'
    readonly alg: 'EdDSA'
    /** When its life began, in seconds. */
    readonly iat?: number
    /** When it was retired, in seconds. */
    readonly exp?: number
  }[]
}

/** What a submission is created with. */
export interface SubmissionRequest {
  /** One line of text. */
  readonly label: string
  /** A draft of the same workspace that waits for evidence; a job is made where it isn't given. */
  readonly job_id?: string | null
  /** What the evidence must contain; `default`, and none, ask for nothing. */
  readonly profile?: string | null
}

/** Evidence on its way to a kit, or to a list of what is wrong with it. */
export interface Submission {
  readonly submission_id: string
  readonly workspace_id: string
  readonly label: string
  readonly status: 'PENDING' | 'RUNNING' | 'PASS' | 'FAIL'
  /** A submission is a job too. */
  readonly job_id: string
  /** Null until a kit is issued. */
  readonly kit_id: string | null
  readonly profile: string
  readonly created_at: string
  readonly updated_at: string
  readonly evidence: readonly {
    /** As the caller wrote it. */
    readonly name: string
    readonly sha256: string
    readonly size_bytes: number
    /** Told by the first bytes. */
    readonly media_type: string
  }[]
  /** Everything that stands between it and a kit. */
  readonly blockers: readonly {
    readonly code: string
    /** The file it is about; null where it is about the submission. */
    readonly path: string | null
    readonly message: string
    /** What to do about it. */
    readonly remedy: string
  }[]
  readonly credits_charged: number
  /** Each name with its path. */
  readonly deliverables: {
    readonly [name: string]: string
  }
  /** What the service does and does not vouch for. */
  readonly boundary: string
}

/** Newest first. */
export interface SubmissionList {
  readonly submissions: readonly {
    readonly submission_id: string
    readonly workspace_id: string
    readonly label: string
    readonly status: 'PENDING' | 'RUNNING' | 'PASS' | 'FAIL'
    /** A submission is a job too. */
    readonly job_id: string
    /** Null until a kit is issued. */
    readonly kit_id: string | null
    readonly profile: string
    readonly created_at: string
    readonly updated_at: string
    readonly evidence: readonly {
      /** As the caller wrote it. */
      readonly name: string
      readonly sha256: string
      readonly size_bytes: number
      /** Told by the first bytes. */
      readonly media_type: string
    }[]
    /** Everything that stands between it and a kit. */
    readonly blockers: readonly {
      readonly code: string
      /** The file it is about; null where it is about the submission. */
      readonly path: string | null
      readonly message: string
      /** What to do about it. */
      readonly remedy: string
    }[]
    readonly credits_charged: number
    /** Each name with its path. */
    readonly deliverables: {
      readonly [name: string]: string
    }
    /** What the service does and does not vouch for. */
    readonly boundary: string
  }[]
  /** Send it as `cursor` for the next page; null on the last. */
  readonly next_cursor: string | null
  /** What the service does and does not vouch for. */
  readonly boundary: string
}

/** What a submission came to; empty until it has come to its end. */
export interface DeliverableList {
  readonly submission_id: string
  readonly status: 'PENDING' | 'RUNNING' | 'PASS' | 'FAIL'
  readonly deliverables: readonly {
    readonly name: string
    readonly path: string
    readonly media_type: string
    readonly size_bytes: number
    /** Null for kit.zip, which is laid out as it is sent. */
    readonly sha256: string | null
  }[]
  /** What the service does and does not vouch for. */
  readonly boundary: string
}

/** `fail_report.json`: why there is no kit, and what would change that. */
export interface FailReport {
  readonly report: 'fail_report'
  readonly submission_id: string
  readonly job_id: string
  readonly label: string
  readonly profile: string
  readonly status: 'FAIL'
  readonly failed_at: string
  readonly credits_charged: number
  readonly blockers: readonly {
    readonly code: string
    /** The file it is about; null where it is about the submission. */
    readonly path: string | null
    readonly message: string
    /** What to do about it. */
    readonly remedy: string
  }[]
  /** What to do before sending the evidence again, each step once. */
  readonly resubmission_checklist: readonly {
    readonly step: number
    readonly do: string
    readonly resolves: readonly string[]
  }[]
  /** What the service does and does not vouch for. */
  readonly boundary: string
}

/** What a workspace can spend, and every move that made it so. */
export interface CreditAccount {
  readonly workspace_id: string
  /** Can be spent. */
  readonly available: number
  /** Held for submissions in hand. */
  readonly held: number
  /** Newest first. It is only ever added to; the changes sum up to what is available and held. */
  readonly ledger: readonly {
    readonly sequence: number
    readonly kind: 'grant' | 'hold' | 'capture' | 'release'
    readonly available_change: number
    readonly held_change: number
    readonly available_after: number
    /** What it was held, captured or released for. */
    readonly submission_id: string | null
    /** What the operator wrote. */
    readonly note: string | null
    readonly at: string
  }[]
  /** Send it as `cursor` for the next page; null on the last. */
  readonly next_cursor: string | null
  /** What the service does and does not vouch for. */
  readonly boundary: string
}

/** Who changed what in a workspace, when, and with which key. */
export interface AuditTrail {
  readonly workspace_id: string
  /** Newest first. They are only ever added to, without gaps in `sequence`. */
  readonly events: readonly {
    readonly sequence: number
    readonly at: string
    readonly actor: 'key' | 'member' | 'operator' | 'service'
    /** Which key, where one was sent. */
    readonly key_id: string | null
    /** Who did it, where it was done in the console. */
    readonly member_id: string | null
    readonly action: string
    /** The id of what was changed. */
    readonly subject: string
    readonly details: {
      readonly [name: string]: unknown
    }
  }[]
  /** Send it as `cursor` for the next page; null on the last. */
  readonly next_cursor: string | null
  /** What the service does and does not vouch for. */
  readonly boundary: string
}

/** What each operation takes and answers. */
export interface Operations {
  /** Create an intake job */
  readonly createIntakeJob: {
    readonly path: {}
    readonly query: {}
    readonly body: IntakeJobRequest
    readonly answer: IntakeJob
  }
  /** Poll an intake job */
  readonly getIntakeJob: {
    readonly path: { readonly job_id: string }
    readonly query: {}
    readonly body: undefined
    readonly answer: IntakeJob
  }
  /** The inventory of a kit */
  readonly getManifest: {
    readonly path: { readonly kit_id: string }
    readonly query: {}
    readonly body: undefined
    readonly answer: Manifest
  }
  /** The signed statement that binds a kit */
  readonly getReceipt: {
    readonly path: { readonly kit_id: string }
    readonly query: {}
    readonly body: undefined
    readonly answer: Receipt
  }
  /** The whole kit as a zip archive */
  readonly downloadKit: {
    readonly path: { readonly kit_id: string }
    readonly query: {}
    readonly body: undefined
    readonly answer: Blob
  }
  /** The public verification keys */
  readonly getKeys: {
    readonly path: {}
    readonly query: {}
    readonly body: undefined
    readonly answer: JWKS
  }
  /** Verify a receipt */
  readonly verifyReceipt: {
    readonly path: {}
    readonly query: {}
    readonly body: Receipt
    readonly answer: VerificationResult
  }
  /** Create a submission */
  readonly createSubmission: {
    readonly path: {}
    readonly query: {}
    readonly body: SubmissionRequest
    readonly answer: Submission
  }
  /** List submissions, newest first */
  readonly listSubmissions: {
    readonly path: {}
    readonly query: { readonly cursor?: string; readonly limit?: number }
    readonly body: undefined
    readonly answer: SubmissionList
  }
  /** Poll a submission */
  readonly getSubmission: {
    readonly path: { readonly submission_id: string }
    readonly query: {}
    readonly body: undefined
    readonly answer: Submission
  }
  /** What a submission came to */
  readonly listDeliverables: {
    readonly path: { readonly submission_id: string }
    readonly query: {}
    readonly body: undefined
    readonly answer: DeliverableList
  }
  /** One deliverable */
  readonly getDeliverable: {
    readonly path: { readonly submission_id: string; readonly name: string }
    readonly query: {}
    readonly body: undefined
    readonly answer: Blob
  }
  /** Credits, and the ledger that they come from */
  readonly getCredits: {
    readonly path: {}
    readonly query: { readonly cursor?: string; readonly limit?: number }
    readonly body: undefined
    readonly answer: CreditAccount
  }
  /** Who changed what, when, and with which key */
  readonly getAuditTrail: {
    readonly path: {}
    readonly query: { readonly cursor?: string; readonly limit?: number }
    readonly body: undefined
    readonly answer: AuditTrail
  }
  /** This description */
  readonly getOpenApi: {
    readonly path: {}
    readonly query: {}
    readonly body: undefined
    readonly answer: Readonly<Record<string, unknown>>
  }
  /** Whether the process answers */
  readonly getHealth: {
    readonly path: {}
    readonly query: {}
    readonly body: undefined
    readonly answer: {
      readonly status: string
    }
  }
  /** Whether the service can do its work */
  readonly getReadiness: {
    readonly path: {}
    readonly query: {}
    readonly body: undefined
    readonly answer: {
      readonly status: string
    }
  }
  /** Metrics for Prometheus */
  readonly getMetrics: {
    readonly path: {}
    readonly query: {}
    readonly body: undefined
    readonly answer: Blob
  }
  /** Verify a kit */
  readonly verifyKit: {
    readonly path: {}
    readonly query: {}
    readonly body: Blob
    readonly answer: VerificationResult
  }
  /** Upload evidence */
  readonly uploadEvidence: {
    readonly path: { readonly submission_id: string }
    readonly query: {}
    readonly body: Blob
    readonly answer: Submission
  }
}

/** Where each operation is found. */
export const OPERATIONS = {
  createIntakeJob: ['POST', '/v1/intake/jobs'],
  getIntakeJob: ['GET', '/v1/intake/jobs/{job_id}'],
  getManifest: ['GET', '/v1/kits/{kit_id}/manifest'],
  getReceipt: ['GET', '/v1/kits/{kit_id}/receipt'],
  downloadKit: ['GET', '/v1/kits/{kit_id}/download'],
  getKeys: ['GET', '/.well-known/jwks.json'],
  verifyReceipt: ['POST', '/v1/verify/receipt'],
  createSubmission: ['POST', '/v1/submissions'],
  listSubmissions: ['GET', '/v1/submissions'],
  getSubmission: ['GET', '/v1/submissions/{submission_id}'],
  listDeliverables: ['GET', '/v1/submissions/{submission_id}/deliverables'],
  getDeliverable: ['GET', '/v1/submissions/{submission_id}/deliverables/{name}'],
  getCredits: ['GET', '/v1/credits'],
  getAuditTrail: ['GET', '/v1/audit'],
  getOpenApi: ['GET', '/openapi.json'],
  getHealth: ['GET', '/healthz'],
  getReadiness: ['GET', '/readyz'],
  getMetrics: ['GET', '/metrics'],
  verifyKit: ['POST', '/v1/verify/kit'],
  uploadEvidence: ['POST', '/v1/submissions/{submission_id}/evidence'],
} as const satisfies {
  readonly [Name in keyof Operations]: readonly [method: string, path: string]
}
