import { vkey } from '../../kit/src/log/note.ts'
import { log, witnesses } from './log-signers.ts'

const lines = (...all: readonly string[]): string => `${all.join('\n')}\n`
const SIGNERS = [`log ${vkey(log.key)}`, ...witnesses.map(({ key }, at) => `witness w${at + 1} ${vkey(key)}`)]

/** The policies of readers, by name. */
export const POLICIES = {
  'two-of-three': lines(...SIGNERS, 'group g 2 w1 w2 w3', 'quorum g'),
  'all-of-three': lines(...SIGNERS, 'group g all w1 w2 w3', 'quorum g'),
} as const
