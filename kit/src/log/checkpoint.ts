import { utf8 } from '../encoding/utf8.ts'
import { hashText, malformed, parseDecimal, parseHash } from './log-format.ts'
import { parseNote, type SignedNote } from './signed-note.ts'

/** The state of a log: its size and the root hash of its tree (C2SP tlog-checkpoint). */
export interface Checkpoint {
  /** Identifies the log. */
  readonly origin: string
  readonly size: number
  readonly root: Uint8Array
  /** Lines that are signed but mean nothing here. */
  readonly extensions: readonly string[]
}

export interface SignedCheckpoint extends Checkpoint, SignedNote {}

/** Parses a signed checkpoint. Throws LogFormatError. Nothing is verified: use verifyCheckpoint(). */
export function parseCheckpoint(bytes: Uint8Array): SignedCheckpoint {
  const note = parseNote(bytes)
  const named = new Set(note.signatures.map(({ name, keyId }) => `${name}+${keyId}`))
  if (named.size < note.signatures.length) malformed('the checkpoint has two signatures of one key')
  return { ...note, ...parseText(note.text) }
}

function parseText(text: string): Checkpoint {
  const [origin = '', size = '', root = '', ...extensions] = text.slice(0, -1).split('\n')
  if (origin === '' || utf8(origin).length > 255) malformed('the origin is empty or longer than 255 bytes')
  if (extensions.includes('')) malformed('the checkpoint has an empty line')
  return {
    origin,
    size: parseDecimal(size, 'the size of the log'),
    root: parseHash(root, 'the root hash of the log'),
    extensions,
  }
}

/**
 * The text of a checkpoint, which the log signs. Throws LogFormatError for a value that cannot be written.
 */
export function checkpointText({ origin, size, root }: Omit<Checkpoint, 'extensions'>): string {
  const text = `${origin}\n${size}\n${hashText(root)}\n`
  if (parseText(text).origin !== origin) malformed('the origin contains a line feed')
  return text
}
