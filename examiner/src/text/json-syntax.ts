import { utf8MarkBytes } from '../detect/text-encoding.ts'
import { countNewlines, pairsIn } from '../detect/word-scan.ts'
import {
  EVENTS,
  FIRST_EVENT,
  isAfterValue,
  isIncompleteNumber,
  type JsonForm,
  nextTable,
  PAIR_CLASS,
  pairTableOf,
  problemIn,
  stateOf,
} from './json-machine.ts'
import { NO_FINDINGS, type ReadText, type TextCheck, type TextReport } from './text-check.ts'

const MAX_DEPTH = 1000
/** From this size on, two bytes are read at a time. */
const LARGE_BYTES = 256 * 1024
const TOP_VALUE = stateOf('top', 'value')
const AFTER = {
  top: stateOf('top', 'after'),
  array: stateOf('array', 'after'),
  object: stateOf('object', 'after'),
} as const
const FIRST = { array: stateOf('array', 'first'), object: stateOf('name', 'first') } as const
const FAILED = 0

/**
 * Checks the syntax of JSON (RFC 8259) or JSON Lines of any size. A document may hold several values, as tools write them
 * that append to a file. Unlike the strict parser for kit documents, it allows
 * fractions, large numbers and duplicate names.
 */
export class JsonSyntax implements TextCheck {
  readonly readsUtf8 = true
  readonly #form: JsonForm
  readonly #next: Uint8Array
  readonly #pairs: Uint8Array | undefined
  readonly #isObject = new Uint8Array(MAX_DEPTH + 1)
  #depth = 0
  #state = TOP_VALUE
  #line = 1
  #values = 0
  #begun = false
  #problem: string | undefined

  constructor(form: JsonForm, sizeBytes = 0) {
    this.#form = form
    this.#next = nextTable(form)
    this.#pairs = sizeBytes >= LARGE_BYTES ? pairTableOf(form) : undefined
  }

  push(bytes: Uint8Array): void {
    if (this.#problem !== undefined) return
    const start = this.#begun ? 0 : utf8MarkBytes(bytes)
    this.#begun = true
    const [next, pairsNext] = [this.#next, this.#pairs]
    const { pairs, odd } = pairsIn(bytes)
    let state = this.#state
    let at = start
    for (; at < bytes.length; at++) {
      if (pairsNext !== undefined && (at & 1) === odd) {
        let index = (at - odd) >> 1
        for (; index < pairs.length; index++) {
          const after = pairsNext[(state << 10) | (PAIR_CLASS[pairs[index] as number] as number)] as number
          if (after === 0) break
          state = after
        }
        at = odd + index * 2
        if (at >= bytes.length) break
      }
      const after = next[(state << 8) | (bytes[at] as number)] as number
      if (after >= FIRST_EVENT) {
        state = this.#event(after, state)
        if (state === FAILED) break
      } else {
        if (state === TOP_VALUE && after !== TOP_VALUE) this.#values++
        state = after
      }
    }
    this.#state = state
    this.#line += countNewlines(bytes, start, at)
  }

  end({ encoding }: Pick<ReadText, 'encoding'>): TextReport {
    if (encoding === '8-bit') return malformed('it is in an 8-bit encoding, but JSON must be UTF-8')
    if (isIncompleteNumber(this.#state)) this.#fail('incomplete number')
    const mayEnd = isAfterValue(this.#state) || (this.#form === 'lines' && this.#state === TOP_VALUE)
    if (this.#depth > 0 || !mayEnd) this.#fail('it is cut off')
    else if (this.#values === 0) this.#fail('it contains no value')
    if (this.#problem !== undefined) return malformed(`line ${this.#line}: ${this.#problem}`)
    const isSeries = this.#form === 'document' && this.#values > 1
    return isSeries ? { findings: [], notes: [`contains ${this.#values} JSON values`] } : NO_FINDINGS
  }

  /** Returns the next state. */
  #event(event: number, state: number): number {
    if (event === EVENTS.openObject) return this.#open(true)
    if (event === EVENTS.openArray) return this.#open(false)
    if (event === EVENTS.close) {
      this.#depth--
      if (this.#depth === 0) return AFTER.top
      return this.#isObject[this.#depth] === 1 ? AFTER.object : AFTER.array
    }
    if (event === EVENTS.fail) return this.#fail(problemIn(state))
    return this.#depth > 0 ? this.#fail('the line ends inside a value') : TOP_VALUE
  }

  #open(isObject: boolean): number {
    if (this.#depth === MAX_DEPTH) return this.#fail(`nested deeper than ${MAX_DEPTH} levels`)
    if (this.#depth === 0) this.#values++
    this.#isObject[++this.#depth] = isObject ? 1 : 0
    return isObject ? FIRST.object : FIRST.array
  }

  #fail(problem: string): typeof FAILED {
    this.#problem ??= problem
    return FAILED
  }
}

function malformed(detail: string): TextReport {
  return { findings: [{ code: 'malformed_json', detail }], notes: [] }
}
