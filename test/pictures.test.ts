import assert from 'node:assert/strict'
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { root } from './architecture/project.ts'

const folder = path.join(root, 'docs/pictures')
const readme = readFileSync(path.join(root, 'README.md'), 'utf8')
const MAX_BYTES = 400_000
/** Where the words of the pictures come from. */
const SOURCES = [
  'web/src/**/*.{ts,tsx}',
  'kit/{src,embed}/**/*.ts',
  'cli/src/demo-world.ts',
  'cli/src/sample-evidence.ts',
  'cli/src/commands/demo-service.ts',
]

/** What texts put between their words: a name, a noun that was counted, a key. */
const INSERTED = /\b(?:acme|kits?|files?|items?|the key)\b/g

/** Words in a row, without file names, numbers and punctuation. Two words may be put together by a text, such as a count. */
const phrases = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .replaceAll(/\S+[./-]\S+/g, '…')
    .replaceAll(INSERTED, '…')
    .split(/…|[^\p{L}' ]+/u)
    .flatMap((phrase) => (phrase.trim().split(' ').length > 2 ? phrase.trim() : phrase.split(' ')))
    .filter((phrase) => phrase.length > 3)

test('README shows pictures that exist, in both colour schemes, with a description', () => {
  const shown = [...readme.matchAll(/<picture>[^]*?<\/picture>/g)].map(([picture]) => picture)
  assert.ok(shown.length >= 2)
  for (const picture of shown) {
    const [, name = ''] = /<img [^>]*src="docs\/pictures\/(\w+)-light\.webp"/.exec(picture) ?? []
    assert.ok(picture.includes('media="(prefers-color-scheme: dark)"'), picture)
    assert.ok(picture.includes(`srcset="docs/pictures/${name}-dark.webp"`), picture)
    assert.match(picture, /alt="[^"]{20,}"/)
    for (const look of ['light', 'dark'])
      assert.ok(existsSync(path.join(folder, `${name}-${look}.webp`)), name)
  }
})

test('the pictures are small, and each has a recorded text', () => {
  const files = readdirSync(folder)
  const names = Object.keys(recordedTexts())
  const expected = names.flatMap((name) => [`${name}-dark.webp`, `${name}-light.webp`])
  assert.deepEqual(files.toSorted(), [...expected, 'texts.json'].toSorted())
  const sizeBytes = files.reduce((sum, file) => sum + statSync(path.join(folder, file)).size, 0)
  assert.ok(sizeBytes < MAX_BYTES, `${sizeBytes} bytes`)
})

test('what the pictures say is what the pages say today (npm run pictures)', () => {
  const source = SOURCES.flatMap((pattern) => globSync(pattern, { cwd: root }))
    .filter((file) => !/\.(?:test|trial)\.ts$/.test(file))
    .map((file) => readFileSync(path.join(root, file), 'utf8').toLowerCase().replaceAll(/\s+/g, ' '))
    .join('\n')
  const gone = (text: string): boolean => phrases(text).some((phrase) => !source.includes(phrase))
  for (const [name, texts] of Object.entries(recordedTexts()))
    assert.deepEqual(texts.map(([text]) => text).filter(gone), [], name)
  assert.ok(gone('A sentence that no page says'))
})

function recordedTexts(): Readonly<Record<string, readonly (readonly [string, number, number])[]>> {
  return JSON.parse(readFileSync(path.join(folder, 'texts.json'), 'utf8')) as ReturnType<typeof recordedTexts>
}
