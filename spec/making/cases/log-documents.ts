import { hex } from '../../../kit/src/encoding/hex.ts'
import { sha256 } from '../../../kit/src/crypto/sha256.ts'
import { fromUtf8, utf8 } from '../../../kit/src/encoding/utf8.ts'
import { checkpointText } from '../../../kit/src/log/checkpoint.ts'
import { noteKey, vkey } from '../../../kit/src/log/note-key.ts'
import { noteBytes } from '../../../kit/src/log/signed-note.ts'
import type { Case } from '../case.ts'
import { draftKit } from '../draft.ts'
import { log, ORIGIN, witnesses } from '../log-signers.ts'
import { byLogAnd, makeLogProof } from '../log-proof.ts'
import { FUTURE_KEY, LOG_LINE, WITNESS_LINES } from '../policies.ts'

const ROOT = sha256(utf8('root'))
const TEXT = checkpointText({ origin: ORIGIN, size: 7, root: ROOT })
const ROOT_LINE = TEXT.split('\n')[2]!
const CHECKPOINT = fromUtf8(noteBytes({ text: TEXT, signatures: byLogAnd(0)(TEXT) }))!
const LOG_SIGNATURE = CHECKPOINT.split('\n')[4]!
const PROOF = fromUtf8(draftKit({ logProof: makeLogProof() }).files.get('proofs/log.tlog-proof')!)!
const HASH = PROOF.split('\n')[2]!
const CUT = HASH.slice(0, -2)
/** Another spelling of the same 32 bytes, with bits that do not count. */
const stray = (hash: string): string => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  return `${hash.slice(0, -2)}${letters[letters.indexOf(hash.at(-2)!) + 1]}=`
}

const bytesOf = (text: string | Uint8Array): Uint8Array => (typeof text === 'string' ? utf8(text) : text)

const refused =
  (kind: 'checkpoint' | 'log-proof' | 'policy', what: string) =>
  ([name, content]: readonly [string, string | Uint8Array]): Case => ({
    name: `a-${what}-${name}-is-malformed`,
    kind,
    expected: { accepted: false },
    content: bytesOf(content),
  })

function checkpoint(name: string, content: string, expected: { origin?: string; size?: number } = {}): Case {
  const value = { origin: ORIGIN, size: 7, root: hex(ROOT), ...expected }
  return { name, kind: 'checkpoint', expected: { accepted: true, ...value }, content: utf8(content) }
}

const GOOD_POLICY = [LOG_LINE, ...WITNESS_LINES]
const policyText = (...more: readonly string[]): string => `${[...GOOD_POLICY, ...more].join('\n')}\n`

function policy(
  name: string,
  content: string | Uint8Array,
  quorum: unknown,
  names = ['w1', 'w2', 'w3'],
): Case {
  const expected = { accepted: true, logs: [ORIGIN], witnesses: names, quorum }
  return { name, kind: 'policy', expected, content: bytesOf(content) } as Case
}

const size = (text: string): string => CHECKPOINT.replace('\n7\n', `\n${text}\n`)
const origin = (text: string): string => CHECKPOINT.replace(ORIGIN, text)

export const goodLogDocuments: readonly Case[] = [
  checkpoint('a-checkpoint-states-origin-size-and-root-hash', CHECKPOINT),
  checkpoint('a-checkpoint-of-an-empty-log-is-read', size('0'), { size: 0 }),
  checkpoint('a-checkpoint-of-2-53-minus-1-leaves-is-read', size('9007199254740991'), { size: 2 ** 53 - 1 }),
  checkpoint('an-origin-may-contain-spaces', origin('go.sum database tree'), {
    origin: 'go.sum database tree',
  }),
  checkpoint('an-origin-of-255-bytes-is-read', origin('o'.repeat(255)), { origin: 'o'.repeat(255) }),
  checkpoint(
    'a-checkpoint-with-extension-lines-is-read',
    CHECKPOINT.replace(ROOT_LINE, `${ROOT_LINE}\nmore`),
  ),
  checkpoint(
    'a-key-name-may-contain-a-zero-width-no-break-space',
    CHECKPOINT.replace('w1.example', 'w1\ufeff'),
  ),
  checkpoint(
    'a-checkpoint-with-a-hundred-signatures-is-read',
    `${TEXT}\n${Array.from({ length: 100 }, (_, at) => `— w${at} AAAAAAA=\n`).join('')}`,
  ),
  {
    name: 'a-log-proof-states-index-and-hashes',
    kind: 'log-proof',
    expected: { accepted: true, index: 5, hashes: 4, size: 11 },
    content: utf8(PROOF),
  },
  policy('a-policy-names-logs-witnesses-and-a-quorum', policyText('group g 2 w1 w2 w3', 'quorum g'), {
    threshold: 2,
    members: ['w1', 'w2', 'w3'],
  }),
  policy(
    'a-policy-may-have-spaces-tabs-comments-and-urls',
    `# ours\n\n \t${policyText('  # more', ' quorum\t none ').replace('\n', '\thttps://issuer.example/log \n')}`,
    null,
  ),
  policy(
    'a-policy-may-contain-bytes-that-are-not-utf-8',
    Uint8Array.of(...utf8('# '), 0xff, 0xfe, 10, ...utf8(policyText('quorum none'))),
    null,
  ),
  policy('a-policy-may-nest-groups', policyText('group a any w1 w2', 'group b all a w3', 'quorum b'), {
    threshold: 2,
    members: [{ threshold: 1, members: ['w1', 'w2'] }, 'w3'],
  }),
  policy(
    'a-policy-may-name-a-witness-with-an-ml-dsa-key',
    `${LOG_LINE}\nwitness m ${vkey(FUTURE_KEY)}\nquorum m\n`,
    'm',
    ['m'],
  ),
]

const BAD_CHECKPOINTS: Readonly<Record<string, string | Uint8Array>> = {
  'with-a-leading-zero-in-its-size': size('07'),
  'with-a-signed-size': size('+7'),
  'with-a-space-behind-its-size': size('7 '),
  'without-a-size': size(''),
  'with-a-size-beyond-safe-integers': size('9007199254740992'),
  'with-a-size-of-2-64-plus-7': size('18446744073709551623'),
  'with-a-size-in-other-digits': size('٧'),
  'without-an-origin': origin(''),
  'with-an-origin-of-256-bytes': origin('o'.repeat(256)),
  'with-a-root-hash-without-padding': CHECKPOINT.replace(ROOT_LINE, ROOT_LINE.slice(0, -1)),
  'with-a-root-hash-with-stray-bits': CHECKPOINT.replace(ROOT_LINE, stray(ROOT_LINE)),
  'with-a-root-hash-in-the-other-alphabet': CHECKPOINT.replace(ROOT_LINE, `-_${ROOT_LINE.slice(2)}`),
  'with-a-root-hash-of-33-bytes': CHECKPOINT.replace(ROOT_LINE, 'A'.repeat(44)),
  'without-a-root-hash': CHECKPOINT.replace(`${ROOT_LINE}\n`, ''),
  'with-an-empty-line': CHECKPOINT.replace(ROOT_LINE, `${ROOT_LINE}\n\nmore`),
  'with-line-ends-of-windows': CHECKPOINT.replaceAll('\n', '\r\n'),
  'behind-a-byte-order-mark': `\ufeff${CHECKPOINT}`,
  'with-a-tab': origin('issuer\texample'),
  'that-is-not-utf-8': Uint8Array.of(0xff, ...utf8(CHECKPOINT)),
  'without-its-last-line-feed': CHECKPOINT.slice(0, -1),
  'with-a-line-feed-behind-it': `${CHECKPOINT}\n`,
  'without-signatures': `${TEXT}\n`,
  'without-an-empty-line-before-the-signatures': CHECKPOINT.replace('\n\n', '\n'),
  'with-a-hyphen-before-a-signature': CHECKPOINT.replace('— ', '- '),
  'with-two-spaces-in-a-signature-line': CHECKPOINT.replace('— ', '—  '),
  'with-a-word-behind-a-signature': CHECKPOINT.replace(LOG_SIGNATURE, `${LOG_SIGNATURE} more`),
  'with-a-plus-in-a-key-name': CHECKPOINT.replace('w1.example', 'w1+example'),
  'with-white-space-in-a-key-name': CHECKPOINT.replace('w1.example', 'w1\u0085'),
  'with-an-empty-key-name': CHECKPOINT.replace('w1.example', ''),
  'with-a-signature-of-four-bytes': `${TEXT}\n— w AAAAAA==\n`,
  'with-a-signature-with-stray-bits': `${TEXT}\n— w AAAAAAB=\n`,
  'with-two-signatures-of-one-key': `${CHECKPOINT}${LOG_SIGNATURE}\n`,
  'with-101-signatures': `${TEXT}\n${Array.from({ length: 101 }, (_, at) => `— w${at} AAAAAAA=\n`).join('')}`,
}

const index = (text: string): string => PROOF.replace('index 5', text)
const BAD_PROOFS: Readonly<Record<string, string>> = {
  'of-another-version': PROOF.replace('@v1', '@v2'),
  'without-its-first-line': PROOF.replace(/^.*\n/, ''),
  'with-a-leading-zero-in-its-index': index('index 05'),
  'with-two-spaces-before-its-index': index('index  5'),
  'with-an-index-beyond-the-log': index('index 11'),
  'with-an-index-beyond-safe-integers': index('index 9007199254740993'),
  'without-an-index': index('extra ZXh0cmE='),
  'with-two-indexes': index('index 5\nindex 5'),
  'with-empty-extra-data': index('extra \nindex 5'),
  'with-extra-data-with-stray-bits': index('extra ZXh0cmF=\nindex 5'),
  'with-extra-data-twice': index('extra ZXh0cmE=\nextra ZXh0cmE=\nindex 5'),
  'with-extra-data-behind-its-index': index('index 5\nextra ZXh0cmE='),
  'with-a-hash-without-padding': PROOF.replace(HASH, HASH.slice(0, -1)),
  'with-a-hash-with-stray-bits': PROOF.replace(HASH, stray(HASH)),
  'with-a-hash-of-31-bytes': PROOF.replace(HASH, `${CUT.slice(0, -1)}A==`.slice(0, 44)),
  'with-64-hashes': index(`index 5\n${Array.from({ length: 60 }, () => HASH).join('\n')}`),
  'with-line-ends-of-windows': PROOF.replaceAll('\n', '\r\n'),
  'behind-a-byte-order-mark': `\ufeff${PROOF}`,
  'without-a-checkpoint': PROOF.slice(0, PROOF.indexOf('\n\n') + 2),
  'with-a-malformed-checkpoint': PROOF.replace('\n11\n', '\n011\n'),
  'without-its-last-line-feed': PROOF.slice(0, -1),
  'followed-by-another-line': `${PROOF}more\n`,
}

const key = vkey(witnesses[0].key)
const sameKey = vkey(noteKey('other.example', 4, witnesses[0].key.publicKey, sha256))
const BAD_POLICIES: Readonly<Record<string, string>> = {
  'without-a-quorum': policyText(),
  'with-two-quorums': policyText('quorum none', 'quorum none'),
  'with-a-quorum-of-an-unknown-name': policyText('quorum w4'),
  'with-a-quorum-above-what-it-names': policyText('quorum g', 'group g any w1'),
  'with-a-group-of-nobody': policyText('group g any', 'quorum none'),
  'with-a-member-that-is-not-defined': policyText('group g any w4', 'quorum g'),
  'with-a-member-twice-in-a-group': policyText('group g 2 w1 w1', 'quorum g'),
  'with-a-member-in-two-groups': policyText('group g any w1', 'group h any w1', 'quorum g'),
  'with-the-member-none': policyText('group g any none', 'quorum g'),
  'with-a-threshold-of-0': policyText('group g 0 w1', 'quorum g'),
  'with-a-threshold-above-its-members': policyText('group g 2 w1', 'quorum g'),
  'with-a-leading-zero-in-a-threshold': policyText('group g 01 w1', 'quorum g'),
  'with-a-name-twice': policyText('group w1 any w2', 'quorum w1'),
  'with-a-witness-named-none': `${LOG_LINE}\nwitness none ${key}\nquorum none\n`,
  'with-a-key-twice': policyText(`witness w4 ${key}`, 'quorum none'),
  'with-a-key-under-two-names': policyText(`witness w4 ${sameKey}`, 'quorum none'),
  'with-a-key-as-log-and-witness': policyText(
    `log ${vkey(noteKey('w1', 1, witnesses[0].key.publicKey, sha256))}`,
    'quorum none',
  ),
  'with-the-key-of-a-witness-as-a-log': policyText(
    `log ${vkey(noteKey('w', 4, new Uint8Array(32).fill(9), sha256))}`,
    'quorum none',
  ),
  'with-the-key-of-a-log-as-a-witness': `witness l ${vkey(log.key)}\nquorum none\n`,
  'with-a-key-id-that-is-not-its-own': policyText('quorum none').replace(`+${log.key.keyId}+`, '+00000000+'),
  'with-a-key-id-in-upper-case': policyText('quorum none').replace(
    `+${log.key.keyId}+`,
    `+${log.key.keyId.toUpperCase()}+`,
  ),
  'with-a-key-that-is-not-base64': policyText('quorum none').replace(vkey(log.key), `${vkey(log.key)}=`),
  'with-an-unknown-line': policyText('unknown', 'quorum none'),
  'with-a-comment-behind-a-value': policyText('quorum none # comment'),
  'with-line-ends-of-windows': policyText('quorum none').replaceAll('\n', '\r\n'),
  'with-a-delete-character': policyText('# \u007f', 'quorum none'),
  'without-its-last-line-feed': policyText('quorum none').slice(0, -1),
}

export const badLogDocuments: readonly Case[] = [
  ...Object.entries(BAD_CHECKPOINTS).map(refused('checkpoint', 'checkpoint')),
  ...Object.entries(BAD_PROOFS).map(refused('log-proof', 'log-proof')),
  ...Object.entries(BAD_POLICIES).map(refused('policy', 'policy')),
]
