import { thumbprint } from '../../../kit/src/jwks.ts'
import { canonicalJson } from '../../../kit/src/encoding/canonical-json.ts'
import { crc32 } from '../../../kit/src/encoding/crc32.ts'
import { utf8 } from '../../../kit/src/encoding/utf8.ts'
import { type Case, json, kit, passes, sealed } from '../case.ts'
import { issuedZip, otherZip } from '../archive.ts'
import { draftKit, EVIDENCE, ISSUER, LETTER } from '../draft.ts'
import { KEY_SETS, keySetFile, type KeySetName } from '../key-sets.ts'
import { issuer } from '../keys.ts'

const plain = issuedZip(draftKit().files)
const withKeySet = (name: string, ...sets: readonly KeySetName[]): Case =>
  kit(name, plain, passes(), { jwks: sets.map(keySetFile) })

/** Valid kits in the issued form, with different trusted keys. */
export const validKits: readonly Case[] = [
  kit('an-issued-kit-passes', plain, passes()),
  kit('a-pinned-kid-is-enough-to-trust-a-kit', plain, passes('pinned'), { kids: [issuer.kid] }),
  kit('a-pinned-kid-and-a-key-set-hold-together', plain, passes('pinned'), {
    kids: [issuer.kid],
    jwks: [keySetFile('issuer')],
  }),
  kit('a-key-pinned-for-its-issuer-is-trusted', plain, passes('pinned'), {
    pins: [{ kid: issuer.kid, issuer: ISSUER, jwks: keySetFile('issuer') }],
  }),
  kit('a-kid-pinned-for-its-issuer-takes-the-key-from-the-kit', plain, passes('pinned'), {
    pins: [{ kid: issuer.kid, issuer: ISSUER }],
  }),
  withKeySet('keys-of-other-kinds-in-a-set-are-passed-over', 'issuer-among-others'),
  withKeySet('a-key-without-life-use-or-algorithm-is-a-key', 'issuer-without-life'),
  withKeySet('a-retired-key-verifies-what-it-signed-while-active', 'issuer-retired-later'),
  withKeySet('a-receipt-may-be-issued-in-the-second-its-key-is-born', 'issuer-born-then'),
  withKeySet('a-receipt-may-be-issued-a-second-before-its-key-retires', 'issuer-retired-a-second-later'),
  withKeySet('any-of-several-key-sets-may-hold-the-key', 'issuer-revoked', 'issuer'),
  sealed(
    'names-in-any-script-pass',
    { evidence: evidence('data/über.txt', 'data/файл/日本.txt', 'data/😀.txt') },
    passes(),
  ),
  sealed(
    'new-letters-without-mappings-in-names-pass',
    { evidence: evidence('data/\u{11f12}.txt', 'data/\u{1fae8}.txt', 'data/\ue000.txt') },
    passes(),
  ),
  sealed(
    'names-that-only-a-longer-upper-case-makes-equal-pass',
    { evidence: evidence('data/ss.txt', 'data/ß.txt') },
    passes(),
  ),
  sealed(
    'names-are-sorted-by-utf8-not-by-utf16',
    { evidence: evidence('data/ｚ.txt', 'data/😀.txt') },
    passes(),
  ),
  sealed(
    'percent-signs-spaces-and-quotes-in-names-pass',
    { evidence: evidence('data/100%.txt', 'data/%25.txt', `data/a "b" 'c'.txt`) },
    passes(),
  ),
  sealed('a-segment-of-255-bytes-passes', { evidence: evidence(`data/${'a'.repeat(255)}`) }, passes()),
  sealed('a-path-of-1024-bytes-passes', { evidence: evidence(longPath(1024)) }, passes()),
  sealed(
    'names-that-only-look-like-devices-pass',
    { evidence: evidence('data/console.txt', 'data/com10', 'data/null') },
    passes(),
  ),
  sealed(
    'dots-inside-names-and-hidden-files-pass',
    { evidence: evidence('data/.hidden', 'data/a..b', 'data/...c') },
    passes(),
  ),
  sealed('an-empty-file-passes', { evidence: { 'data/empty': '' } }, passes()),
  sealed('a-kit-without-evidence-files-passes', { evidence: {} }, passes()),
  sealed(
    'a-single-listed-file-passes',
    { artifacts: (files) => [...files.keys()].forEach((path) => path === LETTER || files.delete(path)) },
    passes(),
  ),
  sealed(
    'three-hundred-files-pass',
    { evidence: evidence(...Array.from({ length: 300 }, (_, index) => `data/${index}`)) },
    passes(),
  ),
  sealed(
    'a-zip-inside-the-evidence-is-content-like-any-other',
    { evidence: { 'data/inner.zip': otherZip(new Map([['a.txt', utf8('a')]])) } },
    passes(),
  ),
  sealed(
    'a-scope-with-noncharacters-and-controls-passes',
    { scope: 'a\uffff\u{1fffe}\u0000\u001f\u007f\n"\\/\u2028' },
    passes(),
  ),
  sealed('an-issuer-is-any-text', { issuer: 'Ärzte & Söhne' }, passes()),
  sealed(
    'documents-count-by-their-value-not-by-their-spelling',
    {
      packed: (files) => {
        for (const name of ['manifest.json', 'receipt.json'])
          files.set(name, utf8(`\t${respelled(JSON.parse(Buffer.from(files.get(name)!).toString()))}\r\n`))
      },
    },
    passes(),
  ),
  sealed('a-key-set-in-the-kit-may-hold-foreign-keys', { jwks: KEY_SETS['issuer-among-others'] }, passes()),
  sealed(
    'a-kit-whose-bag-info-states-no-key-set-hash-passes',
    { artifacts: (files) => files.set('bag-info.txt', utf8('Source-Organization: somebody\n')) },
    passes(),
  ),
  sealed(
    'a-crc-32-that-the-kit-vouches-for-holds',
    {
      evidence: {
        ...EVIDENCE,
        'reports/crc32.json': json({ crc32: { [LETTER]: crcHex(EVIDENCE[LETTER]!) } }),
      },
    },
    passes(),
  ),
  sealed(
    'a-crc-32-report-that-is-not-one-vouches-for-nothing',
    { evidence: { ...EVIDENCE, 'reports/crc32.json': '{"crc32":{"data/letter.txt":1},"crc32":0}' } },
    passes(),
  ),
  sealed(
    'a-crc-32-report-with-an-entry-that-is-not-hex-vouches-for-the-others',
    {
      evidence: {
        ...EVIDENCE,
        'reports/crc32.json': json({
          crc32: {
            [LETTER]: 'FFFFFFFF',
            'data/ledger.csv': crcHex(EVIDENCE['data/ledger.csv']),
            'data/gone': '00000000',
          },
          more: [],
        }),
      },
    },
    passes(),
  ),
  ...keysInTheKit(),
]

/** With a pinned kid, the validity period comes from the key set in the kit. */
function keysInTheKit(): readonly Case[] {
  return [
    sealed(
      'a-kid-pin-needs-the-key-in-the-kit',
      { jwks: KEY_SETS['issuer-among-others'] },
      passes('pinned'),
      {
        kids: ['A'.repeat(43), thumbprint(issuer.x)],
      },
    ),
  ]
}

function evidence(...paths: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(paths.map((path) => [path, path.length > 40 ? 'long' : path]))
}

export function longPath(bytes: number): string {
  const segments = `data/${`${'b'.repeat(250)}/`.repeat(4)}`
  return segments + 'c'.repeat(bytes - segments.length)
}

function crcHex(content: string): string {
  return crc32(utf8(content)).toString(16).padStart(8, '0')
}

/** The same JSON value with other member order, white space, escapes and number spellings. */
function respelled(value: unknown): string {
  if (typeof value === 'number') return value === 0 ? '-0.0' : `${value * 10}.00e-1`
  if (typeof value === 'string')
    return `"${Array.from(value, (character) => (character === 'a' ? '\\u0061' : JSON.stringify(character).slice(1, -1))).join('')}"`
  if (Array.isArray(value)) return `[ ${value.map(respelled).join(' , ')}\n]`
  if (typeof value === 'object' && value !== null)
    return `{ ${Object.entries(value)
      .toReversed()
      .map(([name, member]) => `${respelled(name)} :\n${respelled(member)}`)
      .join(' , ')} }`
  return canonicalJson(value as boolean | null)
}
