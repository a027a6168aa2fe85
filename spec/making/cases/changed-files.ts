import { canonicalJson } from '../../../kit/src/encoding/canonical-json.ts'
import { utf8 } from '../../../kit/src/encoding/utf8.ts'
import type { JsonValue } from '../../../kit/src/encoding/strict-json.ts'
import type { Manifest } from '../../../kit/src/manifest.ts'
import {
  ARTIFACTS,
  type Case,
  fails,
  KEY,
  MANIFEST,
  NO_MANIFEST,
  RECEIPT,
  repacked,
  sealed,
  SIGNATURE,
  times,
} from '../case.ts'
import { EVIDENCE, type Files, LETTER } from '../draft.ts'
import { KEY_SETS } from '../key-sets.ts'
import { issuer } from '../keys.ts'

const HASH = fails(['artifact_hash_mismatch'], ARTIFACTS)
const MISSING = fails(['artifact_missing'], ARTIFACTS)
const UNLISTED = fails(['artifact_unlisted'], ARTIFACTS)
const ENVELOPE_WRONG = fails(['envelope_mismatch'], [])

/** Kits that were unpacked, changed and repacked without the issuer's key. */
export const changedFiles: readonly Case[] = [
  ...['binder.pdf', 'reports/intake.json', 'bagit.txt', 'manifest-sha256.txt', 'SHA256SUMS', LETTER].map(
    (path) => repacked(`a-flipped-bit-in-${slug(path)}-fails`, (files) => flip(files, path, 3), HASH),
  ),
  repacked('a-flipped-bit-in-bag-info-txt-fails', (files) => flip(files, 'bag-info.txt', 3), HASH),
  repacked(
    'another-key-set-hash-in-bag-info-txt-fails',
    (files) => {
      const text = Buffer.from(files.get('bag-info.txt')!).toString()
      files.set('bag-info.txt', utf8(text.replace(/(?<=Key-Set-SHA256: ).*/, '0'.repeat(64))))
    },
    fails(['artifact_hash_mismatch', 'envelope_mismatch'], ARTIFACTS),
  ),
  repacked(
    'a-flipped-bit-in-the-manifest-fails',
    (files) => edit<Manifest>(files, 'manifest.json', (m) => ({ ...m, boundary: 'A guarantee.' })),
    fails(times('manifest_hash_mismatch', 2), MANIFEST),
  ),
  repacked(
    'a-listed-hash-that-was-changed-fails',
    (files) =>
      edit<Manifest>(files, 'manifest.json', (m) => ({
        ...m,
        artifacts: m.artifacts.map((a) => (a.path === LETTER ? { ...a, sha256: '0'.repeat(64) } : a)),
      })),
    fails(
      ['artifact_hash_mismatch', ...times('manifest_hash_mismatch', 2), 'root_hash_mismatch'],
      [...ARTIFACTS, ...MANIFEST],
    ),
  ),
  repacked(
    'a-flipped-bit-in-the-canonical-receipt-fails',
    (files) => flip(files, 'receipt.canonical.json', 60),
    ENVELOPE_WRONG,
  ),
  repacked(
    'a-space-behind-the-canonical-receipt-fails',
    (files) =>
      files.set('receipt.canonical.json', Buffer.concat([files.get('receipt.canonical.json')!, utf8(' ')])),
    ENVELOPE_WRONG,
  ),
  repacked(
    'a-flipped-bit-in-the-raw-signature-fails',
    (files) => flip(files, 'receipt.sig', 3),
    ENVELOPE_WRONG,
  ),
  repacked(
    'a-raw-signature-of-65-bytes-fails',
    (files) => files.set('receipt.sig', Buffer.concat([files.get('receipt.sig')!, utf8('\n')])),
    fails(['envelope_missing'], []),
  ),
  repacked(
    'a-raw-signature-of-63-bytes-fails',
    (files) => files.set('receipt.sig', files.get('receipt.sig')!.subarray(0, 63)),
    ENVELOPE_WRONG,
  ),
  repacked(
    'a-key-added-to-the-key-set-of-the-kit-fails',
    (files) => files.set('jwks.json', utf8(canonicalJson(KEY_SETS['issuer-among-others']))),
    ENVELOPE_WRONG,
  ),
  repacked(
    'a-space-in-the-key-set-of-the-kit-fails',
    (files) => files.set('jwks.json', Buffer.concat([utf8(' '), files.get('jwks.json')!])),
    ENVELOPE_WRONG,
  ),
  repacked('a-file-that-was-emptied-fails', (files) => files.set(LETTER, utf8('')), HASH),
  repacked(
    'a-file-that-was-cut-short-fails',
    (files) => files.set(LETTER, files.get(LETTER)!.subarray(0, -1)),
    HASH,
  ),
  repacked(
    'a-file-that-was-appended-to-fails',
    (files) => files.set(LETTER, Buffer.concat([files.get(LETTER)!, utf8('\n')])),
    HASH,
  ),
  repacked(
    'two-files-that-changed-places-fail',
    (files) => {
      const [letter, ledger] = [files.get(LETTER)!, files.get('data/ledger.csv')!]
      files.set(LETTER, ledger).set('data/ledger.csv', letter)
    },
    fails(times('artifact_hash_mismatch', 2), ARTIFACTS),
  ),
  repacked('a-missing-evidence-file-fails', (files) => files.delete(LETTER), MISSING),
  repacked('a-missing-bag-declaration-fails', (files) => files.delete('bagit.txt'), MISSING),
  repacked('a-missing-checksum-list-fails', (files) => files.delete('SHA256SUMS'), MISSING),
  repacked(
    'all-evidence-missing-names-every-file',
    (files) =>
      [...files.keys()].filter((path) => path.startsWith('data/')).forEach((path) => files.delete(path)),
    fails(times('artifact_missing', 2), ARTIFACTS),
  ),
  repacked(
    'a-missing-manifest-fails',
    (files) => files.delete('manifest.json'),
    fails(['manifest_malformed', 'envelope_missing'], [...MANIFEST, ...ARTIFACTS]),
  ),
  repacked(
    'a-missing-receipt-fails',
    (files) => files.delete('receipt.json'),
    fails(['receipt_malformed', 'envelope_missing'], [...MANIFEST, ...RECEIPT, ...KEY], 'none'),
  ),
  repacked(
    'a-missing-canonical-receipt-fails',
    (files) => files.delete('receipt.canonical.json'),
    fails(['envelope_missing'], []),
  ),
  repacked(
    'a-missing-raw-signature-fails',
    (files) => files.delete('receipt.sig'),
    fails(['envelope_missing'], []),
  ),
  repacked(
    'a-missing-key-set-fails-even-when-the-reader-has-the-keys',
    (files) => files.delete('jwks.json'),
    fails(['envelope_missing'], []),
  ),
  sealed(
    'a-missing-key-set-leaves-a-pinned-kid-without-its-key',
    { packed: (files) => files.delete('jwks.json') },
    fails(['envelope_missing', 'key_not_in_jwks'], KEY, 'none'),
    { kids: [issuer.kid] },
  ),
  ...['data/added.txt', 'added.txt', 'reports/added.json', '.DS_Store', 'data/sub/manifest.json'].map(
    (path) =>
      repacked(`a-file-added-as-${slug(path)}-fails`, (files) => files.set(path, utf8('added')), UNLISTED),
  ),
  repacked('an-empty-file-that-was-added-fails', (files) => files.set('data/added', utf8('')), UNLISTED),
  ...['proofs/time.tsr.1', 'proofs/other', 'proofs/log.tlog-proof.1', 'proofs/a/log.tlog-proof'].map((path) =>
    repacked(
      `an-unknown-proof-${slug(path)}-fails`,
      (files) => files.set(path, utf8('proof')),
      fails(['proof_unknown'], ARTIFACTS),
    ),
  ),
  ...['proofs', 'Proofs/time.tsr', 'proofs.json'].map((path) =>
    repacked(
      `a-file-beside-the-proofs-${slug(path)}-is-unlisted`,
      (files) => files.set(path, utf8('proof')),
      UNLISTED,
    ),
  ),
  repacked(
    'a-renamed-file-is-missing-and-unlisted',
    (files) => rename(files, LETTER, 'data/brief.txt'),
    fails(['artifact_missing', 'artifact_unlisted'], ARTIFACTS),
  ),
  repacked(
    'a-file-renamed-in-case-alone-is-missing-and-unlisted',
    (files) => rename(files, LETTER, 'data/Letter.txt'),
    fails(['artifact_missing', 'artifact_unlisted'], ARTIFACTS),
  ),
  repacked(
    'a-case-twin-that-was-added-fails',
    (files) => files.set('data/LETTER.txt', files.get(LETTER)!),
    fails(['kit_unreadable', 'artifact_unlisted'], ARTIFACTS),
  ),
  repacked(
    'a-case-twin-of-the-manifest-fails',
    (files) => files.set('Manifest.json', files.get('manifest.json')!),
    fails(['kit_unreadable', 'artifact_unlisted'], ARTIFACTS),
  ),
  sealed(
    'a-normalization-twin-that-was-added-fails',
    { evidence: { 'data/é.txt': 'e' }, packed: (files) => files.set('data/e\u0301.txt', utf8('e')) },
    fails(['kit_unreadable', 'artifact_unlisted'], ARTIFACTS),
  ),
  repacked(
    'a-file-where-a-folder-has-to-be-fails',
    (files) => files.set('data', utf8('x')),
    fails(['kit_unreadable', 'artifact_unlisted'], ARTIFACTS),
  ),
  repacked(
    'a-crc-32-report-that-was-added-vouches-for-nothing',
    (files) => files.set('reports/crc32.json', utf8(`{"crc32":{"${LETTER}":"00000000"}}`)),
    UNLISTED,
  ),
  sealed(
    'a-crc-32-other-than-the-one-vouched-for-fails',
    { evidence: { ...EVIDENCE, 'reports/crc32.json': `{"crc32":{"${LETTER}":"00000000"}}` } },
    fails(['kit_unreadable'], ARTIFACTS),
  ),
  repacked(
    'everything-at-once-names-every-fault',
    (files) => {
      flip(files, LETTER, 0)
      files.delete('data/ledger.csv')
      files.set('data/added', utf8('x')).set('receipt.sig', new Uint8Array(64))
      edit<Manifest>(files, 'manifest.json', (m) => ({ ...m, job_id: 'job_other' }))
      edit(files, 'receipt.json', (r) => ({ ...(r as object), scope: 'Everything' }))
    },
    fails(
      [
        'artifact_missing',
        'artifact_hash_mismatch',
        'artifact_unlisted',
        ...times('manifest_hash_mismatch', 2),
        'receipt_manifest_mismatch',
        'receipt_hash_mismatch',
        ...times('envelope_mismatch', 2),
        'signature_invalid',
      ],
      [...ARTIFACTS, ...MANIFEST, ...RECEIPT, ...SIGNATURE],
    ),
  ),
  repacked(
    'a-manifest-that-is-not-json-fails',
    (files) => files.set('manifest.json', utf8('manifest')),
    NO_MANIFEST,
  ),
]

export function slug(path: string): string {
  return path
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-/, '')
    .toLowerCase()
}

export function flip(files: Files, path: string, at: number): void {
  const bytes = Buffer.from(files.get(path)!)
  bytes[at]! ^= 1
  files.set(path, bytes)
}

export function edit<T>(files: Files, path: string, change: (value: T) => unknown): void {
  const value = change(JSON.parse(Buffer.from(files.get(path)!).toString()) as T)
  files.set(path, utf8(canonicalJson(value as JsonValue)))
}

function rename(files: Files, from: string, to: string): void {
  files.set(to, files.get(from)!)
  files.delete(from)
}
