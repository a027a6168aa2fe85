/** For the packages beside this one. None of it is promised. */
export * from './index.ts'
export {
  AUDIT_VERSION,
  type AuditEvent,
  auditEventHash,
  type AuditHead,
  auditLeaf,
  auditLine,
  auditTag,
  parseAuditHead,
  type UnhashedAuditEvent,
} from './audit/audit-log.ts'
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
export { addLogProof, type GeneratedFile, type MeasuredFile } from './seal.ts'
export { BOUNDARY, canonicalReceiptSha256, LONG_BOUNDARY, RECEIPT_VERSION, signedBytes } from './receipt.ts'
export {
  ENVELOPE,
  ENVELOPE_LIMIT_BYTES,
  LOG_PROOF_PATH,
  START_PAGE_PATH,
  TIME_STAMP_PATH,
} from './envelope.ts'
export { type Erasure, ERASURE_VERSION, erasureLeaf, erasureSignedBytes } from './erasure.ts'
export { base64, base64url, fromBase64, fromBase64url, fromUtf8, hex, utf8 } from './encoding/bytes.ts'
export { canonicalJson } from './encoding/canonical-json.ts'
export { isJsonObject, type JsonObject, StrictJsonError } from './encoding/strict-json.ts'
export { leafHash, merkleRoot, rootFromProof } from './encoding/merkle.ts'
export { entryContent } from './encoding/zip-content.ts'
export { readZipDirectory, type ZipDirectory } from './encoding/zip-directory.ts'
export {
  type EvidenceReading,
  type ZipEntry,
  ZipProblem,
  type ZipProblemKind,
} from './encoding/zip-format.ts'
export { locateEntry } from './encoding/zip-local-header.ts'
export { brokenData, ZipWindow } from './encoding/zip-fields.ts'
export type { ZipInput, ZipLayout, ZipPiece } from './encoding/zip-layout.ts'
export { type ExaminedKit, examineKit } from './examine.ts'
export { formatBytes } from './format-bytes.ts'
export { groupBy } from './compare-kits.ts'
export {
  english,
  englishTexts,
  type Reason,
  type Say,
  textOf,
  type VerifierKey,
  type Why,
} from './texts/english.ts'
export { type Message, Texts, type Value, type Values, type Writing } from './texts/message.ts'
export type { Translate } from './texts/translate.ts'
export type { MessageArguments } from './texts/arguments.generated.ts'
export { chooseLanguage, type Language, LANGUAGES } from './languages.ts'
export {
  type KitFile,
  type Measurements,
  type MeasureRequest,
  storedKit,
  unreadableKit,
} from './kit-files.ts'
export type { HashName, Sha256, SignatureAlgorithm } from './host.ts'
export {
  findKey,
  type KeySet,
  type PublicJwk,
  type PublishedJwks,
  type RevokedKey,
  thumbprint,
  wasKeyActive,
} from './jwks.ts'
export {
  type Checkpoint,
  type TreeHead,
  type CheckpointStatus,
  checkpointText,
  cosignatureBytes,
  cosignedMessage,
  type Cosigner,
  parseCheckpoint,
  type SignedCheckpoint,
  verifyCheckpoint,
  verifyCosignature,
} from './log/checkpoint.ts'
export { LEAF_VERSION, leafBytes, type LogLeaf, parseLeaf, receiptLeaf } from './log/leaf.ts'
export {
  ED25519,
  ED25519_COSIGNATURE,
  LogFormatError,
  noteBytes,
  type NoteKey,
  noteKey,
  type NoteSignature,
  parseNote,
  parseVkey,
  signatureLine,
  signaturesBy,
  type SignedNote,
  verifyNote,
  vkey,
} from './log/note.ts'
export { parseTlogProof, provesReceipt, type TlogProof, tlogProofBytes } from './log/tlog-proof.ts'
export {
  consistencyProofFromTiles,
  entryBundle,
  inclusionProofFromTiles,
  parseEntryBundle,
  parseTilePath,
  rootFromTiles,
  type SubtreeHashes,
  type Tile,
  TILE_WIDTH,
  tilePath,
  type TileReader,
  tileWidth,
} from './log/tiles.ts'
export { isQuorumMet, type LogPolicy, type PolicyKey, type Quorum } from './log/tlog-policy.ts'
export { type Artifact, manifestRootHash, manifestSha256 } from './manifest.ts'
export { parsePin, type PinnedLog, type TrustedKeySet, trustForIssuer } from './trust.ts'
export type { Parsed } from './parsing.ts'
export { collisionKey, comparePaths, pathCollisions, pathProblem } from './paths.ts'
export {
  ALL_FILES,
  asLine,
  type CiClaims,
  mergeProvenance,
  parseProvenance,
  parseStatedProvenance,
  parseSubmissionProvenance,
  PROTOCOLS,
  type Provenance,
  PROVENANCE_LIMIT_BYTES,
  PROVENANCE_PATH,
  PROVENANCE_VERSION,
  provenanceDate,
  type ProvenanceEntry,
  type RecognisedOutput,
  ROUTES,
  SOURCES,
  statedFor,
  type StatedProvenance,
  type SubmissionProvenance,
} from './provenance.ts'
export {
  describeProvenance,
  type ProvenanceGroup,
  type ProvenanceLine,
  type ProvenanceReport,
} from './provenance-text.ts'
export { pointProblem } from './crypto/ed25519.ts'
export { parseProof } from './proof.ts'
export type { CheckResult, LogReport, SignerReport, TimeReport } from './report.ts'
export { hostOf, inAscii, sameOrigin } from './same-origin.ts'
export { type Certificate, certificateName } from './time/certificate.ts'
export type { TimePolicy } from './time/verify-time.ts'
export {
  nonceHex,
  parseTimeStamp,
  TIME_STAMP_LIMIT_BYTES,
  type TimeStamp,
  timeStampRequest,
} from './time/time-stamp.ts'
export { TimeStampFormatError } from './time/der.ts'
export { type TimeStampStatus, verifyTimeStamp, verifyToken } from './time/verify-time-stamp.ts'
export { type KeySource, keyText, verdictAdvice, verdictHeading, VERDICTS } from './verdicts.ts'
export { verifyParsedProof } from './verify-proof.ts'
export { escapeHidden, INVISIBLE } from './invisible.ts'
