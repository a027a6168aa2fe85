/** For the packages beside this one. None of it is promised. */
export * from './index.ts'
export { type AuditEvent, auditEventHash, auditTag, type UnhashedAuditEvent } from './audit/audit-event.ts'
export { AUDIT_VERSION, type AuditHead, auditLeaf, auditLine, parseAuditHead } from './audit/audit-head.ts'
export { type AuditOptions, type AuditReport, verifyAuditLog } from './audit/verify-audit-log.ts'
export {
  type Claims,
  claimsOf,
  type Origin,
  readClaims,
  type Supplier,
  ANONYMOUS_CALLER,
  nameBasis,
  SUPPLIER_BY_LINK,
} from './claims.ts'
export { addLogProof } from './add-log-proof.ts'
export { gapsIn, nextAfter } from './series-gaps.ts'
export { BOUNDARY, LONG_BOUNDARY, RECEIPT_VERSION } from './contract.ts'
export {
  ENVELOPE,
  ENVELOPE_LIMIT_BYTES,
  LOG_PROOF_PATH,
  START_PAGE_PATH,
  TIME_STAMP_PATH,
} from './envelope.ts'
export { type Erasure, ERASURE_VERSION, erasureLeaf, erasureSignedBytes } from './erasure.ts'
export { base64url, fromBase64url } from './encoding/base64url.ts'
export { base64, fromBase64 } from './encoding/base64.ts'
export { canonicalJson } from './encoding/canonical-json.ts'
export { hex } from './encoding/hex.ts'
export { isJsonObject, type JsonObject, StrictJsonError } from './encoding/strict-json.ts'
export { leafHash, merkleRoot, rootFromProof } from './encoding/merkle.ts'
export { fromUtf8, utf8 } from './encoding/utf8.ts'
export { entryContent } from './encoding/zip-content.ts'
export { readZipDirectory, type ZipDirectory } from './encoding/zip-directory.ts'
export type { ZipEntry } from './encoding/zip-entry.ts'
export { locateEntry } from './encoding/zip-local-header.ts'
export { ZipWindow } from './encoding/zip-window.ts'
export { brokenData } from './encoding/zip-fields.ts'
export { ZipProblem, type ZipProblemKind } from './encoding/zip-problem.ts'
export type { ZipTolerance } from './encoding/zip-tolerance.ts'
export type { ZipInput, ZipLayout, ZipPiece } from './encoding/zip-layout.ts'
export { type ExaminedKit, examineKit } from './examine.ts'
export { formatBytes } from './format-bytes.ts'
export { groupBy } from './group-by.ts'
export { fill } from './texts/fill.ts'
export { translatePhrase } from './texts/phrase.ts'
export { KIT_TEXTS, type KitTexts } from './texts/index.ts'
export { chooseLanguage, type Language, LANGUAGES } from './languages.ts'
export type { KitFile, Measurements, MeasureRequest } from './files.ts'
export type { Sha256 } from './host.ts'
export {
  findKey,
  type KeySet,
  type PublicJwk,
  type PublishedJwks,
  type RevokedKey,
  thumbprint,
  wasKeyActive,
} from './jwks.ts'
export { type Checkpoint, checkpointText, parseCheckpoint, type SignedCheckpoint } from './log/checkpoint.ts'
export { isConsistent, type TreeHead } from './log/consistency.ts'
export { cosignatureBytes, cosignedMessage, verifyCosignature } from './log/cosignature.ts'
export { LEAF_VERSION, leafBytes, type LogLeaf, receiptLeaf } from './log/leaf.ts'
export { LogFormatError } from './log/log-format.ts'
export { ED25519, ED25519_COSIGNATURE, type NoteKey, noteKey, parseVkey, vkey } from './log/note-key.ts'
export { parseLeaf } from './log/parse-leaf.ts'
export { provesReceipt } from './log/proves-receipt.ts'
export {
  noteBytes,
  type NoteSignature,
  parseNote,
  signatureLine,
  signaturesBy,
  type SignedNote,
  verifyNote,
} from './log/signed-note.ts'
export {
  entryBundle,
  parseEntryBundle,
  parseTilePath,
  type Tile,
  TILE_WIDTH,
  tilePath,
  tileWidth,
} from './log/tile.ts'
export { isQuorumMet, type LogPolicy, type PolicyKey, type Quorum } from './log/tlog-policy.ts'
export { parseTlogProof, type TlogProof, tlogProofBytes } from './log/tlog-proof.ts'
export {
  consistencyProofFromTiles,
  inclusionProofFromTiles,
  rootFromTiles,
  type SubtreeHashes,
  type TileReader,
} from './log/tree-proofs.ts'
export { type CheckpointStatus, type Cosigner, verifyCheckpoint } from './log/verify-checkpoint.ts'
export { type Artifact, manifestRootHash, manifestSha256 } from './manifest.ts'
export { parsePin } from './parse-pin.ts'
export type { Parsed } from './parsing.ts'
export { collisionKey, comparePaths, pathCollisions, pathProblem } from './paths.ts'
export {
  ALL_FILES,
  type CiClaims,
  PROTOCOLS,
  ROUTES,
  SOURCES,
  parseProvenance,
  parseStatedProvenance,
  type Provenance,
  PROVENANCE_LIMIT_BYTES,
  PROVENANCE_PATH,
  PROVENANCE_VERSION,
  type ProvenanceEntry,
  type RecognisedOutput,
  type StatedProvenance,
} from './provenance.ts'
export type { ProvenanceReport } from './provenance-report.ts'
export { describeProvenance, type ProvenanceGroup, type ProvenanceLine } from './provenance-text.ts'
export { asLine } from './provenance-rules.ts'
export {
  mergeProvenance,
  parseSubmissionProvenance,
  provenanceDate,
  statedFor,
  type SubmissionProvenance,
} from './submission-provenance.ts'
export { pointProblem } from './crypto/ed25519.ts'
export { parseProof } from './proof.ts'
export { canonicalReceiptSha256, signedBytes } from './receipt.ts'
export type { CheckResult, LogReport, SignerReport, TimeReport } from './report.ts'
export type { GeneratedFile, MeasuredFile } from './seal.ts'
export { hostOf, sameOrigin } from './same-origin.ts'
export { storedKit } from './stored-kit.ts'
export type { Certificate } from './time/certificate.ts'
export { certificateName } from './time/certificate-name.ts'
export type { TimePolicy } from './time/time-facts.ts'
export type { HashName, SignatureAlgorithm } from './time/signature-algorithm.ts'
export { nonceHex, timeStampRequest } from './time/time-stamp-request.ts'
export { TimeStampFormatError } from './time/time-stamp-format.ts'
export { parseTimeStamp, TIME_STAMP_LIMIT_BYTES, type TimeStamp } from './time/time-stamp.ts'
export { type TimeStampStatus, verifyTimeStamp, verifyToken } from './time/verify-time-stamp.ts'
export { type PinnedLog, type TrustedKeySet, trustForIssuer } from './trust.ts'
export { type KeySource, keyText, verdictAdvice, verdictHeading, VERDICTS } from './verdicts.ts'
export { verifyParsedProof } from './verify-proof.ts'
export { unreadableKit } from './zip-kit.ts'
