import { sha256 } from '../../kit/src/crypto/sha256.ts'
import { ED25519, ML_DSA_44_COSIGNATURE, noteKey, vkey } from '../../kit/src/log/note-key.ts'
import { toBytes } from './edwards.ts'
import { log, ORIGIN, otherLog, witnesses } from './log-signers.ts'

const lines = (...all: readonly string[]): string => `${all.join('\n')}\n`

export const LOG_LINE = `log ${vkey(log.key)}`
export const WITNESS_LINES = witnesses.map(({ key }, at) => `witness w${at + 1} ${vkey(key)}`)
/** A public key for which anyone can sign anything. */
const IDENTITY = noteKey(ORIGIN, ED25519, toBytes(1n), sha256)
const FUTURE = noteKey('w6.example', ML_DSA_44_COSIGNATURE, new Uint8Array(1312).fill(6), sha256)

/** The policies of readers, by name. */
export const POLICIES = {
  'two-of-three': lines(LOG_LINE, ...WITNESS_LINES, 'group g 2 w1 w2 w3', 'quorum g'),
  'all-of-three': lines(LOG_LINE, ...WITNESS_LINES, 'group g all w1 w2 w3', 'quorum g'),
  'one-witness': lines(LOG_LINE, ...WITNESS_LINES, 'quorum w3'),
  'log-alone': lines(LOG_LINE, 'quorum none'),
  'no-quorum': lines(LOG_LINE, ...WITNESS_LINES, 'quorum none'),
  'two-levels': lines(LOG_LINE, ...WITNESS_LINES, 'group a any w1 w2', 'group b all a w3', 'quorum b'),
  'two-logs': lines(`log ${vkey(otherLog.key)}`, LOG_LINE, 'quorum none'),
  'another-log': lines(`log ${vkey(otherLog.key)}`, 'quorum none'),
  'no-log': lines(...WITNESS_LINES, 'quorum w1'),
  'identity-log': lines(`log ${vkey(IDENTITY)}`, 'quorum none'),
  'future-witness': lines(LOG_LINE, `witness w6 ${vkey(FUTURE)}`, 'quorum w6'),
} as const

export type PolicyName = keyof typeof POLICIES

export const IDENTITY_KEY = IDENTITY
export const FUTURE_KEY = FUTURE

export function policyFile(name: PolicyName): string {
  return `policies/${name}.policy`
}
