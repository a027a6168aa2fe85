import type { SeededRandom } from '../kit/seeded-random.ts'

/** Changes a JSON text: another spelling of the same document, or another document. */
export function damagedJson(text: string, random: SeededRandom): Uint8Array {
  let changed = text
  for (let times = 1 + random.below(2); times > 0; times--) changed = random.pick(CHANGES)(changed, random)
  return random.oneIn(12) ? Buffer.from(changed, 'latin1') : Buffer.from(changed)
}

type Change = (text: string, random: SeededRandom) => string

const VALUES = [
  'null',
  'true',
  '0',
  '-0',
  '1e3',
  '1.0',
  '9007199254740993',
  '1e400',
  '""',
  '"\\ud800"',
  '"\\u0000"',
  '[]',
  '{}',
  '[[[[]]]]',
  '{"__proto__":{}}',
  '"x"',
]

const MEMBER = /"((?:[^"\\]|\\.)*)":("(?:[^"\\]|\\.)*"|-?\d+|true|false|null)/g

const CHANGES: readonly Change[] = [
  (text, random) => overMember(text, random, (name) => `"${name}":${random.pick(VALUES)}`),
  (text, random) => overMember(text, random, (name, value) => `"${name}":${value},"${name}":${value}`),
  (text, random) =>
    overMember(text, random, (name, value) => `"${name}":${random.pick(VALUES)},"${name}":${value}`),
  (text, random) => overMember(text, random, (name, value) => `"${escaped(name)}":${value}`),
  (text, random) => overMember(text, random, (name, value) => `"${name}x":${value}`),
  (text, random) =>
    overMember(
      text,
      random,
      (name, value) => `"${random.pick(['a', '__proto__', ''])}":1,"${name}":${value}`,
    ),
  (text, random) =>
    overMember(text, random, (name, value) => `"${name}":${lastCharacterChanged(value, random)}`),
  (text, random) => overMember(text, random, (name, value) => ` "${name}"\t:\n${value} `),
  (text) => `\ufeff${text}`,
  (text, random) => text + random.pick([' ', '\n', 'x', '\0', '{}', ',']),
  (text, random) => `${'['.repeat(random.pick([1, 50, 5000]))}${text}`,
  (text, random) => {
    const at = random.below(text.length)
    return text.slice(0, at) + String.fromCharCode(random.below(256)) + text.slice(at + random.below(2))
  },
  (text, random) => text.slice(0, random.below(text.length)),
]

function overMember(
  text: string,
  random: SeededRandom,
  change: (name: string, value: string) => string,
): string {
  const members = [...text.matchAll(MEMBER)]
  const member = random.pick(members)
  if (member === undefined) return text
  const [whole, name = '', value = ''] = member
  return text.slice(0, member.index) + change(name, value) + text.slice(member.index + whole.length)
}

const escaped = (name: string): string =>
  name.replace(/^[a-z]/, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)

function lastCharacterChanged(value: string, random: SeededRandom): string {
  const at = value.endsWith('"') ? value.length - 2 : value.length - 1
  const other = random.pick(['A', 'B', '0', '1', '_', '-', 'w', '=', '+'])
  return at < 1 ? value : value.slice(0, at) + other + value.slice(at + 1)
}
