import type { JsonValue } from '../../../kit/src/encoding/strict-json.ts'
import { utf8 } from '../../../kit/src/encoding/utf8.ts'
import type { Receipt } from '../../../kit/src/receipt.ts'
import type { Result } from '../../vector.ts'
import {
  type Case,
  fails,
  json,
  KEY,
  NO_MANIFEST,
  noReceipt,
  passes,
  repacked,
  RECEIPT,
  MANIFEST,
  sealed,
  times,
  ARTIFACTS,
} from '../case.ts'
import { draftKit, type Files } from '../draft.ts'
import { keySetFile } from '../key-sets.ts'
import { slug } from './changed-files.ts'

/** The kit of all receipts below. */
const HELD = 'valid/an-issued-kit-passes.zip'
const honest = draftKit().receipt

/** A single receipt, signed by the issuer whatever its content. */
const posted = (
  name: string,
  change: (receipt: Record<string, JsonValue>) => JsonValue,
  expected: Result = noReceipt(),
): Case => ({
  name,
  kind: 'receipt',
  kit: HELD,
  jwks: keySetFile('issuer'),
  expected,
  content: json(change(draftKit({}).receipt as unknown as Record<string, JsonValue>)),
})

const without = (member: string) => (receipt: Record<string, JsonValue>) => {
  const { [member]: _, ...rest } = receipt
  return rest
}

const WRONG: readonly (readonly [member: keyof Receipt, what: string, value: JsonValue])[] = [
  ['receipt_version', 'of another version', 'FES-1.1-preview'],
  ['receipt_version', 'that is a number', 1],
  ['job_id', 'with a slash', 'job/1'],
  ['job_id', 'that is null', null],
  ['kit_id', 'that is empty', ''],
  ['kit_id', 'of 201 characters', 'k'.repeat(201)],
  ['issued_at', 'without milliseconds', '2026-05-05T12:00:00Z'],
  ['issued_at', 'with an offset', '2026-05-05T12:00:00.000+00:00'],
  ['issued_at', 'that the calendar does not have', '2026-02-30T12:00:00.000Z'],
  ['issued_at', 'in seconds', 1777982400],
  ['issuer', 'that is empty', ''],
  ['issuer', 'that is a list', ['https://issuer.example']],
  ['public_key_kid', 'of another length', honest.public_key_kid.slice(1)],
  ['public_key_kid', 'with padding', `${honest.public_key_kid}=`],
  ['public_key_kid', 'that is an object', { kid: honest.public_key_kid }],
  ['manifest_sha256', 'in upper case', honest.manifest_sha256.toUpperCase()],
  ['manifest_root_hash', 'of another length', honest.manifest_root_hash.slice(2)],
  ['canonical_receipt_sha256', 'with a prefix', `sha256:${honest.canonical_receipt_sha256}`],
  ['signature_algorithm', 'in another case', 'ed25519'],
  ['signature_algorithm', 'of none', 'none'],
  ['signature', 'with padding', `${honest.signature}==`],
  [
    'signature',
    'in the other base64 alphabet',
    honest.signature.replaceAll('-', '+').replaceAll('_', '/').replace(/^./, '+'),
  ],
  ['signature', 'with stray bits', strayBits(honest.signature)],
  ['signature', 'in hex', Buffer.from(honest.signature, 'base64url').toString('hex')],
  ['signature', 'of 63 bytes', Buffer.from(honest.signature, 'base64url').subarray(1).toString('base64url')],
  ['scope', 'that is empty', ''],
  ['scope', 'that is true', true],
  ['boundary', 'that is empty', ''],
]

export const malformedReceipts: readonly Case[] = [
  ...Object.keys(honest).map((member) =>
    posted(`a-receipt-without-${slug(member)}-is-malformed`, without(member)),
  ),
  ...WRONG.map(([member, what, value]) =>
    posted(`a-${slug(member)}-${slug(what)}-is-malformed`, (receipt) => ({ ...receipt, [member]: value })),
  ),
  posted('a-receipt-with-an-unknown-member-is-malformed', (receipt) => ({ ...receipt, note: 'x' })),
  posted('a-receipt-that-names-where-its-key-is-kept-is-malformed', (receipt) => ({
    ...receipt,
    jku: 'https://forger.example/jwks.json',
  })),
  posted('a-receipt-with-a-member-named-proto-is-malformed', (receipt) => ({
    ...receipt,
    ['__proto__']: {},
  })),
  posted('a-receipt-that-is-a-list-is-malformed', (receipt) => [receipt]),
  posted('a-receipt-that-is-empty-names-every-missing-member', () => ({}), noReceipt(13)),
]

export const postedReceipts: readonly Case[] = [
  posted('a-receipt-passes-against-the-kit-that-is-held-for-it', (receipt) => receipt, passes()),
]

export const receiptsOfOtherKits: readonly Case[] = [
  {
    ...posted(
      'a-receipt-without-its-kit-fails',
      (receipt) => receipt,
      fails(['artifact_missing'], [...ARTIFACTS, ...MANIFEST]),
    ),
    kit: null,
  } as Case,
  posted(
    'a-receipt-of-another-kit-fails',
    () => draftKit({ evidence: { 'data/other': 'x' } }).receipt,
    fails(['manifest_hash_mismatch', 'root_hash_mismatch'], MANIFEST),
  ),
]

/** An envelope file is not the expected JSON. Everything else is valid. */
const instead = (
  name: string,
  path: string,
  change: (text: string) => string | Uint8Array,
  expected: Result,
): Case =>
  repacked(
    name,
    (files: Files) => {
      const changed = change(Buffer.from(files.get(path)!).toString())
      files.set(path, typeof changed === 'string' ? utf8(changed) : changed)
    },
    expected,
  )

const BAD_KEYS = fails(times('envelope_mismatch', 2), [])

export const malformedEnvelopes: readonly Case[] = [
  instead(
    'a-receipt-with-a-duplicate-member-fails',
    'receipt.json',
    (text) => text.replace('{', '{"scope":"Everything",'),
    noReceipt(),
  ),
  instead(
    'a-receipt-with-a-member-spelled-twice-by-escapes-fails',
    'receipt.json',
    (text) => text.replace('{', '{"\\u0073cope":"Everything",'),
    noReceipt(),
  ),
  instead('a-receipt-behind-a-byte-order-mark-fails', 'receipt.json', (text) => `\ufeff${text}`, noReceipt()),
  instead('a-receipt-followed-by-another-fails', 'receipt.json', (text) => text + text, noReceipt()),
  instead(
    'a-receipt-with-a-lone-surrogate-fails',
    'receipt.json',
    (text) => text.replace('Access', '\\ud800'),
    noReceipt(),
  ),
  instead(
    'a-receipt-that-is-not-utf8-fails',
    'receipt.json',
    (text) => Buffer.from(text.replace('Access', '\xe9'), 'latin1'),
    noReceipt(),
  ),
  instead('an-empty-receipt-file-fails', 'receipt.json', () => '', noReceipt()),
  instead(
    'a-receipt-with-an-unknown-member-in-the-kit-fails',
    'receipt.json',
    (text) => text.replace('{', '{"verified":true,'),
    noReceipt(),
  ),
  instead(
    'a-manifest-with-a-duplicate-member-in-an-artifact-fails',
    'manifest.json',
    (text) => text.replace('{"path"', '{"path":"data/x","path"'),
    NO_MANIFEST,
  ),
  instead(
    'a-manifest-with-a-size-beyond-safe-integers-fails',
    'manifest.json',
    (text) => text.replace(/"size_bytes":\d+/, '"size_bytes":9007199254740993'),
    NO_MANIFEST,
  ),
  instead(
    'a-manifest-with-a-fractional-size-fails',
    'manifest.json',
    (text) => text.replace(/"size_bytes":\d+/, '"size_bytes":1.5'),
    NO_MANIFEST,
  ),
  instead(
    'a-manifest-nested-too-deep-fails',
    'manifest.json',
    (text) => text.replace('"artifacts":[', `"artifacts":[${'['.repeat(70)}${']'.repeat(70)},`),
    NO_MANIFEST,
  ),
  instead(
    'a-manifest-behind-a-byte-order-mark-fails',
    'manifest.json',
    (text) => `\ufeff${text}`,
    NO_MANIFEST,
  ),
  instead('a-key-set-that-is-not-json-fails', 'jwks.json', () => 'keys', BAD_KEYS),
  instead('a-key-set-without-keys-fails', 'jwks.json', () => '{}', BAD_KEYS),
  instead(
    'a-key-set-with-a-duplicate-member-fails',
    'jwks.json',
    (text) => text.replace('{', '{"keys":[],'),
    BAD_KEYS,
  ),
  sealed(
    'a-receipt-of-more-than-256-kib-fails',
    {
      packed: (files) =>
        files.set(
          'receipt.json',
          utf8(Buffer.from(files.get('receipt.json')!).toString() + ' '.repeat(256 * 1024)),
        ),
    },
    fails(['receipt_malformed', 'envelope_missing'], [...MANIFEST, ...RECEIPT, ...KEY], 'none'),
  ),
]

/** The same bytes in base64url with non-zero trailing bits. */
function strayBits(text: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return text.slice(0, -1) + alphabet.charAt(alphabet.indexOf(text.at(-1)!) | 1)
}
