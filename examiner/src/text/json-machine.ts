// JSON (RFC 8259) as a state machine. A state says what it is in, so that only brackets need a stack.

export type JsonForm = 'document' | 'lines'

/** Where a value is. A member name is a string in a place of its own. */
const PLACES = ['top', 'array', 'object', 'name'] as const
type Place = (typeof PLACES)[number]

/** Each list starts with the states that a token can start in. `first` is the place of a value in an array that may be empty. */
const BETWEEN = ['value', 'first', 'after'] as const
const IN_STRING = ['string', 'escape', 'hex4', 'hex3', 'hex2', 'hex1'] as const
/** A number is complete from `zero` on. */
const IN_NUMBER = ['minus', 'point', 'e', 'sign', 'zero', 'whole', 'fraction', 'exponent'] as const
/** The letters that are missing. */
const IN_WORD = ['rue', 'ue', 'e!', 'alse', 'lse', 'se', 'ull', 'll', 'l'] as const
const PARTS = ['unused', ...BETWEEN, ...IN_STRING, ...IN_NUMBER, ...IN_WORD] as const
type Part = (typeof PARTS)[number]

const PER_PLACE = 32
const STATES = PER_PLACE * PLACES.length

/** A state is never zero. */
export function stateOf(place: Place, part: Part): number {
  return PLACES.indexOf(place) * PER_PLACE + PARTS.indexOf(part)
}

const placeOf = (state: number): Place => PLACES[Math.floor(state / PER_PLACE)] ?? 'top'
const partOf = (state: number): Part => PARTS[state % PER_PLACE] ?? 'unused'

/** What the table holds if it is not the next state. */
export const EVENTS = { openObject: 200, openArray: 201, close: 202, lineEnd: 203, fail: 204 } as const
/** The lowest of them. */
export const FIRST_EVENT = 200

const TABLES = new Map<JsonForm, Uint8Array>()
const PAIR_TABLES = new Map<JsonForm, Uint8Array>()

/** The next state, or an event, by `state << 8 | byte`. */
export function nextTable(form: JsonForm): Uint8Array {
  const made = TABLES.get(form)
  if (made !== undefined) return made
  const table = new Uint8Array(STATES * 256).fill(EVENTS.fail)
  for (let state = 0; state < STATES; state++) {
    if (partOf(state) === 'unused') continue
    for (let byte = 0; byte < 256; byte++) table[(state << 8) | byte] = nextState(state, byte, form)
  }
  TABLES.set(form, table)
  return table
}

/** Bytes of one class mean the same nearly everywhere. */
const CLASSES = [' ', '\t\r', '\n', '{}[]', '123456789', ...'",:\\0.-+eEtrufalsn']
const [PRINTABLE, CONTROL] = [CLASSES.length, CLASSES.length + 1]
const CLASS_BITS = 5

function classOf(byte: number): number {
  const found = CLASSES.findIndex((bytes) => bytes.includes(String.fromCharCode(byte)))
  if (found !== -1) return found
  return byte < 32 ? CONTROL : PRINTABLE
}

const BYTE_CLASS = Uint8Array.from({ length: 256 }, (_, byte) => classOf(byte))

/** The classes of two bytes in little-endian order, as one number. */
export const PAIR_CLASS = Uint16Array.from(
  { length: 65_536 },
  (_, pair) => (BYTE_CLASS[pair & 255] as number) | ((BYTE_CLASS[pair >> 8] as number) << CLASS_BITS),
)

/**
 * The next state after two bytes, by `state << 10 | PAIR_CLASS`, or zero if they are to be read one by one: there is an event,
 * or bytes of the class differ. Values at the top are counted, so they are not in it.
 */
export function pairTableOf(form: JsonForm): Uint8Array {
  const made = PAIR_TABLES.get(form)
  if (made !== undefined) return made
  const single = classTable(form)
  const table = new Uint8Array(STATES << (2 * CLASS_BITS))
  for (let state = PER_PLACE; state < STATES; state++) {
    for (let pair = 0; pair < 1 << (2 * CLASS_BITS); pair++) {
      const middle = single[(state << CLASS_BITS) | (pair & 31)] as number
      const last = middle === 0 ? 0 : (single[(middle << CLASS_BITS) | (pair >> CLASS_BITS)] as number)
      table[(state << (2 * CLASS_BITS)) | pair] = last
    }
  }
  PAIR_TABLES.set(form, table)
  return table
}

/** The next state after a byte of a class, or zero. */
function classTable(form: JsonForm): Uint8Array {
  const next = nextTable(form)
  const table = new Uint8Array(STATES << CLASS_BITS)
  const differs = new Uint8Array(STATES << CLASS_BITS)
  for (let state = PER_PLACE; state < STATES; state++) {
    for (let byte = 0; byte < 256; byte++) {
      const at = (state << CLASS_BITS) | (BYTE_CLASS[byte] as number)
      const after = next[(state << 8) | byte] as number
      if (after >= FIRST_EVENT || (table[at] !== 0 && table[at] !== after)) differs[at] = 1
      table[at] = after
    }
  }
  return table.map((after, at) => (differs[at] === 1 ? 0 : after))
}

/** What is wrong if the machine fails in this state. */
export function problemIn(state: number): string {
  const [place, part] = [placeOf(state), partOf(state)]
  if (part === 'string') return 'control character in a string'
  if (isIn(IN_STRING, part)) return 'invalid escape in a string'
  if (isIn(IN_WORD, part)) return 'expected true, false or null'
  if (isIncompleteNumber(state)) return 'incomplete number'
  const isBefore = part === 'value' || part === 'first'
  if (place === 'name') return isBefore ? 'expected a member name' : 'expected ":"'
  if (isBefore) return 'expected a value'
  if (place === 'top') return 'unexpected content after the value'
  return `expected "," or "${place === 'object' ? '}' : ']'}"`
}

export function isIncompleteNumber(state: number): boolean {
  return ['minus', 'point', 'e', 'sign'].includes(partOf(state))
}

/** Whether the text may end here: after a value, or in a number that is complete. */
export function isAfterValue(state: number): boolean {
  const part = partOf(state)
  return part === 'after' || (isIn(IN_NUMBER, part) && !isIncompleteNumber(state))
}

function nextState(state: number, byte: number, form: JsonForm): number {
  const [place, part] = [placeOf(state), partOf(state)]
  const letter = String.fromCharCode(byte)
  const to = (next: Part | undefined): number => (next === undefined ? EVENTS.fail : stateOf(place, next))
  if (isIn(IN_STRING, part)) return to(inString(part, letter))
  if (isIn(IN_WORD, part)) return letter === part[0] ? to(restOfWord(part)) : EVENTS.fail
  if (isIn(IN_NUMBER, part)) {
    const next = inNumber(part, letter)
    if (next !== undefined) return to(next)
    return isIncompleteNumber(state) ? EVENTS.fail : nextState(stateOf(place, 'after'), byte, form)
  }
  if (letter === ' ' || letter === '\t' || letter === '\r') return state
  if (letter === '\n') return form === 'lines' ? EVENTS.lineEnd : state
  if (part === 'first' && letter === (place === 'name' ? '}' : ']')) return EVENTS.close
  if (part !== 'after') return startOfValue(place, letter)
  return afterValue(place, letter, form)
}

function startOfValue(place: Place, letter: string): number {
  if (letter === '"') return stateOf(place, 'string')
  if (place === 'name') return EVENTS.fail
  if (letter === '{') return EVENTS.openObject
  if (letter === '[') return EVENTS.openArray
  const starts: Readonly<Record<string, Part>> = { t: 'rue', f: 'alse', n: 'ull', '-': 'minus', '0': 'zero' }
  const part = starts[letter] ?? (/\d/.test(letter) ? 'whole' : undefined)
  return part === undefined ? EVENTS.fail : stateOf(place, part)
}

function afterValue(place: Place, letter: string, form: JsonForm): number {
  if (place === 'name') return letter === ':' ? stateOf('object', 'value') : EVENTS.fail
  // Tools that append to a file write several objects or arrays.
  if (place === 'top')
    return form === 'document' && /[[{]/.test(letter) ? startOfValue(place, letter) : EVENTS.fail
  if (letter === ',') return stateOf(place === 'object' ? 'name' : 'array', 'value')
  return letter === (place === 'object' ? '}' : ']') ? EVENTS.close : EVENTS.fail
}

function inString(part: (typeof IN_STRING)[number], letter: string): Part | undefined {
  if (part === 'string') {
    if (letter === '"') return 'after'
    if (letter === '\\') return 'escape'
    return letter >= ' ' ? 'string' : undefined
  }
  if (part === 'escape') return letter === 'u' ? 'hex4' : /["\\/bfnrt]/.test(letter) ? 'string' : undefined
  if (!/[\dA-Fa-f]/.test(letter)) return undefined
  return part === 'hex1' ? 'string' : IN_STRING[IN_STRING.indexOf(part) + 1]
}

function restOfWord(part: (typeof IN_WORD)[number]): Part {
  if (part === 'e!' || part === 'l') return 'after'
  const rest = part.slice(1)
  return rest === 'e' ? 'e!' : (rest as Part)
}

/** The next part of a number, or undefined if it ends before this letter. */
function inNumber(part: (typeof IN_NUMBER)[number], letter: string): Part | undefined {
  const isWhole = part === 'zero' || part === 'whole'
  if (/\d/.test(letter)) {
    if (part === 'zero') return undefined
    if (part === 'minus') return letter === '0' ? 'zero' : 'whole'
    if (part === 'whole' || part === 'fraction') return part
    return part === 'point' ? 'fraction' : 'exponent'
  }
  if (letter === '.' && isWhole) return 'point'
  if (/[eE]/.test(letter) && (isWhole || part === 'fraction')) return 'e'
  return /[+-]/.test(letter) && part === 'e' ? 'sign' : undefined
}

function isIn<Item extends string>(list: readonly Item[], part: string): part is Item {
  return (list as readonly string[]).includes(part)
}
