import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const root = path.join(import.meta.dirname, '../..')

const files = (pattern: string): readonly string[] => globSync(pattern, { cwd: root })
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')

const SHEETS = files('web/src/**/*.css')
const SOURCES = files('{web/src,kit/embed,server/src/site}/**/*.{ts,tsx}').filter(
  (file) => !file.endsWith('.test.ts'),
)

/** The classes that a stylesheet has rules for. */
const ruled = (css: string): ReadonlySet<string> => {
  const selectors = css.replaceAll(/\/\*[^]*?\*\//g, '').match(/[^{}]+(?=\{)/g) ?? []
  return new Set(
    selectors.flatMap((one) => [...one.matchAll(/\.([a-z][\w-]*)/g)].map(([, name = '']) => name)),
  )
}

const sheets = new Map([...SHEETS, 'kit/embed/result.css'].map((file) => [file, ruled(read(file))]))
const all = new Set([...sheets.values()].flatMap((names) => Array.from(names)))
const code = SOURCES.map(read).join('\n')

test('every rule is for a class that is used', () => {
  const words = new Set(code.match(/[a-z][\w-]*/g))
  const unused = SHEETS.flatMap((file) =>
    [...(sheets.get(file) ?? [])].filter((name) => !words.has(name)).map((name) => `${file}: .${name}`),
  )
  assert.deepEqual(unused, [])
})

test('every class has a rule', () => {
  const literal = [...code.matchAll(/className="([^"]+)"|\bclass="([a-z][^"$]*)"|className: '([^']+)'/g)]
  const used = literal.flatMap(([, a = '', b = '', c = '']) => `${a} ${b} ${c}`.split(/\s+/).filter(Boolean))
  const without = [...new Set(used)].filter((name) => !all.has(name))
  assert.deepEqual(without, [])
})

test('the styles of one part say nothing of the classes of another', () => {
  const shared = new Set(
    [...sheets].filter(([file]) => /\/(parts|verify)\//.test(file)).flatMap(([, names]) => Array.from(names)),
  )
  const within = /^(web\/src\/console|web\/src\/outside)\//
  const doubled = [...sheets]
    .filter(([file]) => within.test(file))
    .flatMap(([file]) =>
      [...ruled(alone(read(file)))].filter((name) => shared.has(name)).map((name) => `${file}: .${name}`),
    )
  assert.deepEqual(doubled, [])
})

/** Only selectors that are a class alone: `.card.problems` and `.side .quiet` are scoped by a class of the part. */
const alone = (css: string): string =>
  (css.replaceAll(/\/\*[^]*?\*\//g, '').match(/[^{}]+(?=\{)/g) ?? [])
    .flatMap((selectors) => selectors.split(/,(?![^(]*\))/))
    .filter((selector) => /^\s*\.[\w-]+\s*$/.test(selector))
    .map((selector) => `${selector}{}`)
    .join('')
