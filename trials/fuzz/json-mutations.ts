import type { Dice } from '../dice.ts'

/** Another spelling or another document, from the text of one. */
export function damagedJson(text: string, dice: Dice): Uint8Array {
  let changed = text
  for (let times = 1 + dice.below(2); times > 0; times--) changed = dice.pick(CHANGES)(changed, dice)
  return dice.oneIn(12) ? Buffer.from(changed, 'latin1') : Buffer.from(changed)
}

type Change = (text: string, dice: Dice) => string

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
  (text, dice) => overMember(text, dice, (name) => `"${name}":${dice.pick(VALUES)}`),
  (text, dice) => overMember(text, dice, (name, value) => `"${name}":${value},"${name}":${value}`),
  (text, dice) =>
    overMember(text, dice, (name, value) => `"${name}":${dice.pick(VALUES)},"${name}":${value}`),
  (text, dice) => overMember(text, dice, (name, value) => `"${escaped(name)}":${value}`),
  (text, dice) => overMember(text, dice, (name, value) => `"${name}x":${value}`),
  (text, dice) =>
    overMember(text, dice, (name, value) => `"${dice.pick(['a', '__proto__', ''])}":1,"${name}":${value}`),
  (text, dice) => overMember(text, dice, (name, value) => `"${name}":${lastCharacterChanged(value, dice)}`),
  (text, dice) => overMember(text, dice, (name, value) => ` "${name}"\t:\n${value} `),
  (text) => `\ufeff${text}`,
  (text, dice) => text + dice.pick([' ', '\n', 'x', '\0', '{}', ',']),
  (text, dice) => `${'['.repeat(dice.pick([1, 50, 5000]))}${text}`,
  (text, dice) => {
    const at = dice.below(text.length)
    return text.slice(0, at) + String.fromCharCode(dice.below(256)) + text.slice(at + dice.below(2))
  },
  (text, dice) => text.slice(0, dice.below(text.length)),
]

function overMember(text: string, dice: Dice, change: (name: string, value: string) => string): string {
  const members = [...text.matchAll(MEMBER)]
  const member = dice.pick(members)
  if (member === undefined) return text
  const [whole, name = '', value = ''] = member
  return text.slice(0, member.index) + change(name, value) + text.slice(member.index + whole.length)
}

const escaped = (name: string): string =>
  name.replace(/^[a-z]/, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)

function lastCharacterChanged(value: string, dice: Dice): string {
  const at = value.endsWith('"') ? value.length - 2 : value.length - 1
  const other = dice.pick(['A', 'B', '0', '1', '_', '-', 'w', '=', '+'])
  return at < 1 ? value : value.slice(0, at) + other + value.slice(at + 1)
}
