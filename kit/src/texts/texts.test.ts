import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { en as pageEnglish } from '../../embed/page-texts/en.ts'
import { TRANSLATIONS } from '../../embed/page-texts/index.ts'
import { service as serviceDe } from '../../embed/texts/de.ts'
import { en as viewEnglish, service as serviceEnglish } from '../../embed/texts/en.ts'
import { service as serviceEs } from '../../embed/texts/es.ts'
import { service as serviceFr } from '../../embed/texts/fr.ts'
import { service as serviceJa } from '../../embed/texts/ja.ts'
import { service as servicePtBR } from '../../embed/texts/pt-BR.ts'
import { reasonText, setWords } from '../../embed/words.ts'
import { nodeHost, readKeySet, verifyKitFile } from '../../node/internal.ts'
import {
  KIT_TEXTS,
  type LogPolicy,
  NO_TRUST,
  parseCertificates,
  parseJwks,
  parsePolicy,
  publicJwk,
  type Trust,
  trustKeys,
  verdictAdvice,
  verdictHeading,
  VERDICTS,
} from '../internal.ts'
import { en } from './en.ts'

/** Texts whose gaps differ from those of the English text, or that are empty. */
function faults(english: unknown, translated: unknown, path = ''): readonly string[] {
  if (typeof english === 'string')
    return translated !== '' && gaps(english) === gaps(String(translated))
      ? []
      : [`${path}: ${String(translated)}`]
  return Object.entries(english as object).flatMap(([name, inner]) =>
    faults(inner, (translated as Record<string, unknown>)[name], `${path}.${name}`),
  )
}

const gaps = (text: string): string =>
  [...new Set(text.match(/\{\w*\}|KEY|DATE|ISSUER|OWN/g))].toSorted().join(' ')

test('every text of a verifier has the same gaps in every language', () => {
  for (const [language, { kit, view, page }] of Object.entries(TRANSLATIONS)) {
    assert.deepEqual(faults(en, kit), [], language)
    assert.deepEqual(faults(viewEnglish, view), [], language)
    assert.deepEqual(faults(pageEnglish, page), [], language)
  }
  for (const service of [serviceDe, serviceFr, serviceEs, servicePtBR, serviceJa])
    assert.deepEqual(faults(serviceEnglish, service), [])
})

test('a gap that is missing, added or misspelt is found', () => {
  const english = { a: 'the key of {host}', b: 'Done' }
  assert.deepEqual(faults(english, { a: 'der Schlüssel von {hots}', b: '' }), [
    '.a: der Schlüssel von {hots}',
    '.b: ',
  ])
})

test('a verdict is the same one in every language, and says it in the words of each', () => {
  const signer = {
    trust: 'jwks',
    key_from: { source: 'given' },
    revoked_at: '2026-05-05T12:00:00.000Z',
  } as const
  for (const [language, texts] of Object.entries(KIT_TEXTS)) {
    for (const verdict of Object.keys(VERDICTS) as (keyof typeof VERDICTS)[]) {
      const said = `${verdictHeading({ verdict, signer }, texts)} ${verdictAdvice({ verdict, signer }, texts)}`
      assert.doesNotMatch(said, /KEY|DATE/, language)
      assert.equal(said.includes('2026-05-05'), verdict === 'key_revoked', language)
      assert.equal(
        said.includes(VERDICTS[verdict].advice),
        language === 'en' && verdict !== 'verified' && verdict !== 'sender_unconfirmed',
      )
    }
    assert.ok(verdictAdvice({ verdict: 'verified', signer }, texts).includes(texts.keys.given), language)
  }
})

test('a verifier says its reasons in the language of the page, and one that is in no table as it is', async () => {
  const said = new Set(REFUSED.map(({ why }) => why))
  assert.equal(said.size, bad.length)
  for (const [file, trust] of [...TAMPERED.map((name) => [`tampered/${name}.zip`, {}] as const), ...OTHERS]) {
    const { errors, checks, log, time } = await verifyKitFile(join(VECTORS, file), {
      ...NO_TRUST,
      ...trust,
    })
    for (const error of errors) said.add(error.slice(error.indexOf(' ') + 1))
    for (const { why } of checks) if (why !== undefined) said.add(why)
    for (const { text } of [log, time].filter((each) => each !== undefined)) said.add(text)
  }
  const unseen = EXPECTED.filter((reason) => ![...said].some((text) => reason.test(text)))
  assert.deepEqual(unseen, [])
  for (const language of LANGUAGES) {
    const { kit, view } = TRANSLATIONS[language]
    setWords({ language, kit, view })
    const unsaid = [...said].filter((text) => ENGLISH.test(reasonText(text)))
    assert.deepEqual(unsaid, [], language)
    assert.equal(reasonText('the moon is full'), 'the moon is full')
  }
  assert.equal(reasonText('data/a.txt is missing (and 3 more)'), 'data/a.txtがありません（ほか3件）')
  assert.equal(
    reasonText('existed before 2026-03-04 05:06:08 UTC (time-stamp by A, Inc., seen by 1 of 1 witness)'),
    '2026-03-04 05:06:08 UTCより前に存在していました。A, Inc.によるタイムスタンプがあり、確認したウィットネスは1（全1）です',
  )
})

const LANGUAGES = ['de', 'fr', 'es', 'pt-BR', 'ja'] as const
/** Words of English sentences that the translations do not have. */
const ENGLISH = /\b(the|is|was|of|by|has|contains|witness(es)?|rejected)\b/

const VECTORS = join(import.meta.dirname, '../../../spec/vectors')
const vectorFile = (name: string): Uint8Array => readFileSync(join(VECTORS, name))
const issuer = readKeySet(join(VECTORS, 'keys/issuer.json'))
const forger = readKeySet(join(VECTORS, 'keys/forger.json'))
const policy = (name: string): LogPolicy =>
  parsePolicy(vectorFile(`policies/${name}.policy`), nodeHost.digest)
const timePolicy = { roots: parseCertificates(vectorFile('roots/root.pem')) }

const good = publicJwk(issuer.keys[0]?.x ?? '')
const bad = [{ d: 'AA' }, {}, { x: 'AA' }, { kid: 'other' }, { use: 'enc' }, { alg: 'RS256' }, { exp: -1 }]
const parsed = parseJwks({ keys: [good, ...bad.map((change) => Object.assign({}, good, change))] })
const REFUSED = parsed.ok ? parsed.value.refused : []

const OTHERS: readonly (readonly [file: string, trust: Partial<Trust>])[] = [
  ['index.json', {}],
  [
    'valid/an-issued-kit-passes.zip',
    trustKeys({ ...issuer, source: 'site', address: 'https://other.example' }),
  ],
  ['valid/an-issued-kit-passes.zip', trustKeys(forger)],
  [
    'valid/an-issued-kit-passes.zip',
    trustKeys({ ...forger, refused: [{ kid: 'other', why: 'is listed twice' }] }),
  ],
  ...['two-of-three', 'all-of-three'].map(
    (name) =>
      [
        'valid/two-of-three-cosignatures-meet-a-quorum-of-two.zip',
        { ...trustKeys(issuer), logPolicy: policy(name) },
      ] as const,
  ),
  ['valid/a-kit-with-a-time-stamp-passes.zip', { ...trustKeys(issuer), timePolicy }],
  [
    'valid/a-kit-with-a-time-stamp-passes.zip',
    { ...trustKeys(issuer), timePolicy, logPolicy: policy('two-of-three') },
  ],
]

const EXPECTED = [
  /^https:\/\/other\.example is not the issuer that the receipt names/,
  /^key \S+ is not in the key set$/,
  /^key \S+ is not in the key set; a key in it is listed twice$/,
  /^existed before .* \(seen by 2 of 3 witnesses\)$/,
  /^existed before .* \(time-stamp by [^,]+\)$/,
  /^existed before .* \(time-stamp by .*, seen by 2 of 3 witnesses\)$/,
  /^2 of 3 witnesses cosigned; the quorum was met at /,
  /^2 of 3 witnesses cosigned, which is less than the policy asks for$/,
  /^there is no readable receipt$/,
]

const TAMPERED = [
  'a-flipped-bit-in-data-letter-txt-fails',
  'a-flipped-bit-in-the-manifest-fails',
  'a-flipped-bit-in-the-canonical-receipt-fails',
  'a-flipped-bit-in-the-raw-signature-fails',
  'a-file-that-was-cut-short-fails',
  'a-file-added-as-data-added-txt-fails',
  'a-file-renamed-in-case-alone-is-missing-and-unlisted',
  'a-folder-that-is-not-named-by-the-kit-id-fails',
  'everything-at-once-names-every-fault',
]
