import assert from 'node:assert/strict'
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
import { verifyKitFile } from '../../node/index.ts'
import { KIT_TEXTS, NO_TRUST, verdictAdvice, verdictHeading, VERDICTS } from '../index.ts'
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

test('a verifier says in the language of the page what was changed, and a reason that is in no table as it is', async () => {
  const { kit, view } = TRANSLATIONS.ja
  setWords({ language: 'ja', kit, view })
  const unsaid: string[] = []
  for (const name of TAMPERED) {
    const file = join(import.meta.dirname, '../../../spec/vectors/tampered', `${name}.zip`)
    const { errors, checks } = await verifyKitFile(file, NO_TRUST)
    assert.ok(errors.length > 0, name)
    const reasons = errors.map((error) => error.slice(error.indexOf(' ') + 1))
    unsaid.push(
      ...[...reasons, ...checks.flatMap(({ why }) => why ?? [])].filter((text) => reasonText(text) === text),
    )
  }
  assert.deepEqual(unsaid, [])
  assert.equal(reasonText('data/a.txt is missing (and 3 more)'), 'data/a.txtがありません（ほか3件）')
  assert.equal(reasonText('the moon is full'), 'the moon is full')
})

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
