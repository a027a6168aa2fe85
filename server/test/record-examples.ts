import { writeFileSync } from 'node:fs'

const FILE = new URL('../src/site/example-responses.json', import.meta.url)
const MAX_ENTRIES = 2
const MAX_TEXT = 800

/** Rewrites the examples of the OpenAPI document: `RECORD_EXAMPLES=1 node --test server/src/site/1`. */
export function recordExamples(answers: ReadonlyMap<string, string>, base: string): void {
  const examples = [...answers]
    // The description would contain itself.
    .filter(([id, text]) => id !== 'getOpenApi' && text !== '' && !BINARY.test(text))
    .map(([id, text]) => [id, exampleOf(withoutPorts(text.replaceAll(base, 'https://kits.example')))])
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(examples), undefined, 2)}\n`)
}

// oxlint-disable-next-line no-control-regex
const BINARY = /[\u0000-\u0008\ufffd]/

const withoutPorts = (text: string): string => text.replaceAll(/127\.0\.0\.1:\d+/g, 'kits.example')

function exampleOf(text: string): unknown {
  try {
    return shortened(JSON.parse(text))
  } catch {
    return text.slice(0, MAX_TEXT).replace(/[^\n]*$/, '')
  }
}

/** Lists with their first entries, and secrets that open nothing. Manifests stay whole, so that their hash is right. */
function shortened(value: unknown, name = ''): unknown {
  if (Array.isArray(value))
    return (name === 'artifacts' ? value : value.slice(0, MAX_ENTRIES)).map((each) => shortened(each))
  if (typeof value === 'string')
    return value.replace(/^(ks_|whsec_)[\w+/=-]+$/, (_all, prefix: string) => `${prefix}EXAMPLE`)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shortened(member, key)]))
}
