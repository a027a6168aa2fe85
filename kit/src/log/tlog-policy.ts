import type { Digest } from '../encoding/merkle.ts'
import { fromUtf8 } from '../encoding/bytes.ts'
import {
  ED25519,
  ED25519_COSIGNATURE,
  malformed,
  ML_DSA_44_COSIGNATURE,
  type NoteKey,
  parseDecimal,
  parseVkey,
} from './note.ts'

const LIMIT_BYTES = 1_000_000
const LIMIT_LINES = 1000

/** The logs and witnesses that a reader trusts (C2SP tlog-policy). */
export interface LogPolicy {
  readonly logs: readonly PolicyKey[]
  readonly witnesses: readonly (PolicyKey & { readonly name: string })[]
  /** Undefined if the policy asks for no witness. */
  readonly quorum: Quorum | undefined
}

interface PolicyKey {
  readonly key: NoteKey
  readonly url?: string | undefined
}

/** A witness by name, or a number of members. */
export type Quorum = string | { readonly threshold: number; readonly members: readonly Quorum[] }

/**
 * Parses a policy. Throws LogFormatError with the line.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { parsePolicy } from '@kitseal/kit'
 * import { nodeHost } from '@kitseal/kit/node'
 *
 * const log = 'example.com/log/testdata+33d7b496+AeHTu4Q3hEIMHNqc6fASMsq3rKNx280NI+oO5xCFkkSx'
 * const policy = parsePolicy(new TextEncoder().encode(`log ${log}\nquorum none\n`), nodeHost.digest)
 * assert.equal(policy.logs[0]?.key.name, 'example.com/log/testdata')
 * ```
 */
export function parsePolicy(bytes: Uint8Array, digest: Digest): LogPolicy {
  if (bytes.length > LIMIT_BYTES) malformed(`the policy is larger than ${LIMIT_BYTES} bytes`)
  // One character per byte: names are bytes, and need not be UTF-8.
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  // A truncated file could ask for less.
  if (!text.endsWith('\n')) malformed('the last line of the policy does not end with a line feed')
  const draft: Draft = {
    logs: [],
    witnesses: [],
    defined: new Map(),
    used: new Set(),
    keys: new Set(),
    digest,
  }
  const lines = text.slice(0, -1).split('\n')
  if (lines.length > LIMIT_LINES) malformed(`the policy has more than ${LIMIT_LINES} lines`)
  for (const [at, line] of lines.entries()) readLine(draft, line, `line ${at + 1} of the policy`)
  const { logs, witnesses, quorum } = draft
  if (quorum === undefined) malformed('the policy has no quorum line')
  return { logs, witnesses, quorum: quorum === 'none' ? undefined : quorum }
}

interface Draft {
  readonly logs: PolicyKey[]
  readonly witnesses: (PolicyKey & { readonly name: string })[]
  /** Witnesses and groups by name. */
  readonly defined: Map<string, Quorum>
  /** Names that are members of a group. */
  readonly used: Set<string>
  readonly keys: Set<string>
  readonly digest: Digest
  quorum?: Quorum
}

function readLine(draft: Draft, line: string, where: string): void {
  // eslint-disable-next-line no-control-regex
  if (/[\0-\x08\x0a-\x1f\x7f]/.test(line)) malformed(`${where} contains a control character`)
  const [keyword, ...words] = line.split(/[ \t]+/).filter((word) => word !== '')
  if (keyword === undefined || keyword.startsWith('#')) return
  if (keyword === 'log' && (words.length === 1 || words.length === 2)) {
    draft.logs.push(readKey(draft, [ED25519], words, where))
  } else if (keyword === 'witness' && (words.length === 2 || words.length === 3)) {
    const [name = '', ...rest] = words
    const key = readKey(draft, [ED25519_COSIGNATURE, ML_DSA_44_COSIGNATURE], rest, where)
    define(draft, name, name, where)
    draft.witnesses.push({ name, ...key })
  } else if (keyword === 'group' && words.length >= 3) {
    const [name = '', needed = '', ...names] = words
    const members = names.map((member) => readMember(draft, member, where))
    const all = members.length
    const threshold =
      needed === 'all' ? all : needed === 'any' ? 1 : parseDecimal(needed, `the threshold in ${where}`)
    if (threshold < 1 || threshold > all) malformed(`the threshold in ${where} is not between 1 and ${all}`)
    define(draft, name, { threshold, members }, where)
  } else if (keyword === 'quorum' && words.length === 1) {
    const [name = ''] = words
    if (draft.quorum !== undefined) malformed(`${where} is a second quorum line`)
    draft.quorum =
      name === 'none' ? name : (draft.defined.get(name) ?? malformed(`${where} names an unknown member`))
  } else {
    malformed(`${where} is not a valid log, witness, group or quorum line`)
  }
}

function readKey(
  { keys, digest }: Draft,
  types: readonly number[],
  words: readonly string[],
  where: string,
): PolicyKey {
  const [vkey = '', url] = words
  const text = fromUtf8(Uint8Array.from(vkey, (letter) => letter.charCodeAt(0)))
  const key = parseVkey(text ?? malformed(`the key in ${where} is not UTF-8`), digest)
  if (!types.includes(key.type)) malformed(`the key in ${where} has a type for another purpose`)
  const id = key.publicKey.join()
  // Otherwise one witness could count twice.
  if (keys.has(id)) malformed(`the key in ${where} appears twice`)
  keys.add(id)
  return url === undefined ? { key } : { key, url }
}

function define({ defined }: Draft, name: string, value: Quorum, where: string): void {
  if (name === 'none' || defined.has(name)) malformed(`the name in ${where} is taken`)
  defined.set(name, value)
}

function readMember({ defined, used }: Draft, name: string, where: string): Quorum {
  const member = defined.get(name)
  if (member === undefined) malformed(`${where} names a member that no line above defines`)
  if (used.has(name)) malformed(`${where} names a member that is already in a group`)
  used.add(name)
  return member
}

/** Whether enough witnesses cosigned. */
export function isQuorumMet(quorum: Quorum | undefined, cosigned: ReadonlySet<string>): boolean {
  if (quorum === undefined) return true
  if (typeof quorum === 'string') return cosigned.has(quorum)
  return quorum.members.filter((member) => isQuorumMet(member, cosigned)).length >= quorum.threshold
}
