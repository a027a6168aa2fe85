import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { findingRecord } from '../findings.ts'
import { type RuleCode, RULES } from '../rules.ts'
import { DETAILS, THINGS } from './details.ts'
import { detailText, sayFinding } from './evidence-texts.ts'
import { EVIDENCE_TEXTS } from './index.ts'

const LANGUAGES = Object.entries(EVIDENCE_TEXTS).flatMap(([language, texts]) =>
  texts === undefined ? [] : [[language, texts] as const],
)

const { de, ja } = EVIDENCE_TEXTS
const said = (code: RuleCode, detail?: string, texts = de): string =>
  detailText(findingRecord('a', { code, detail }), texts)

test('a detail is said with the rule: its numbers and names stay, and what they name is translated', () => {
  const finding = findingRecord('a.csv', { code: 'empty_file', detail: 'it has 0 bytes' })
  const { message, remedy } = sayFinding(finding, de)
  assert.equal(message, `${de?.rules.empty_file.message} Die Datei hat 0 Bytes.`)
  assert.equal(remedy, de?.rules.empty_file.remedy)
  assert.equal(
    said('possible_secret', 'line 1: AWS access key ID AKIA…; line 3: password or key in settings x=…'),
    'Zeile 1: AWS access key ID AKIA…; Zeile 3: Passwort oder Schlüssel in Einstellungen x=…',
  )
  assert.equal(
    said('type_mismatch', 'the extension is .png, but the content is a ZIP archive'),
    'Endung: .png, Inhalt: ZIP-Archiv.',
  )
  assert.equal(said('executable_content', 'the name ends in .exe', ja), '名前の末尾が「.exe」です。')
})

test('a detail without a translation is quoted, a finding without a detail has none, and a newer rule stays English', () => {
  assert.equal(
    said('script_content', 'it opens a database'),
    'Technische Angabe auf Englisch: „It opens a database“.',
  )
  assert.equal(said('link'), '')
  const newer = { code: 'toString', message: 'The file is new. It is odd.', remedy: 'Wait.' }
  assert.deepEqual(sayFinding(newer, de), newer)
  assert.deepEqual(sayFinding({ ...newer, code: 'link' }, undefined), { ...newer, code: 'link' })
})

test('names that look like a long list of details take no time', () => {
  const name = 'line 1: it is '.repeat(40) + '; '.repeat(300)
  const start = performance.now()
  for (let count = 0; count < 20; count++) said('name_collision', `the other file is ${name}`)
  assert.ok(performance.now() - start < 2000)
})

/** What is said of a program, a key or an entry starts elsewhere. */
const parts = (phrase: string): readonly string[] =>
  phrase.split(/\{\}|^it (?:is |starts |uses )?|[;.] /).map((part) => part.trim())

test('every detail of the table is one that the rules say', () => {
  const root = join(import.meta.dirname, '../../..')
  const source = globSync(['examiner/src/**/*.ts', 'kit/src/encoding/zip*.ts', 'texts/en/verifier.json'], {
    cwd: root,
  })
    .filter((file) => !file.includes('src/texts'))
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n')
  const unsaid = (phrases: Readonly<Record<string, string>>): readonly string[] =>
    Object.values(phrases).filter((phrase) => parts(phrase).some((part) => !source.includes(part)))
  assert.deepEqual(unsaid(DETAILS), [])
  assert.deepEqual(unsaid({ a: 'it is a paper boat' }), ['it is a paper boat'])
})

const gaps = (text: string): number => text.split('{}').length

test('every text has the gaps of the English one in every language', () => {
  for (const [language, texts] of LANGUAGES) {
    for (const [english, translated] of [
      [DETAILS, texts.details],
      [THINGS, texts.things],
    ] as const)
      for (const [name, text] of Object.entries(english))
        assert.equal(
          gaps((translated as Record<string, string>)[name] ?? ''),
          gaps(text),
          `${language} ${name}`,
        )
    assert.equal(gaps(texts.english), 2)
    for (const code of Object.keys(RULES) as RuleCode[])
      for (const text of Object.values(texts.rules[code])) assert.match(text, /[.。]$/, `${language} ${code}`)
  }
})
