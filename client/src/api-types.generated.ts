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
  getOpenApi: ['GET', '/openapi.json'],
  getHealth: ['GET', '/healthz'],
  getReadiness: ['GET', '/readyz'],
  getMetrics: ['GET', '/metrics'],
  verifyKit: ['POST', '/v1/verify/kit'],
} as const satisfies {
  readonly [Name in keyof Operations]: readonly [method: string, path: string]
}
