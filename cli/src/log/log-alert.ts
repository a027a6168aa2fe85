import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hex } from '@kitseal/kit/internal'
import { makeFolder, nodeHost } from '@kitseal/kit/internal/node'
import { describeError, InputError } from '../input-error.ts'

/** What a monitor reports, as its help describes it. */
export const ALERTS = {
  fork: 'the log signed two trees that contradict each other. Both checkpoints are kept in FILE.evidence',
  rollback: 'the log is smaller than it was',
  log_invalid: 'a checkpoint, tile or entry is malformed, or its signature or hash is wrong',
  leaf_invalid: 'a leaf is of an unknown version or kind',
  job_twice: 'two receipts for one job',
  unknown_kid:
    'a receipt is signed with a key that was not logged before, or that the issuer does not publish',
  quorum_lost: 'too few witnesses of the policy cosigned',
  stale: '--max-age is exceeded',
  log_unreachable: 'the log cannot be read',
} as const

export type AlertCode = keyof typeof ALERTS

export interface Alert {
  readonly code: AlertCode
  readonly message: string
  /** The leaf that it is about. */
  readonly index?: number
  /** Files that were kept as evidence. */
  readonly evidence?: readonly string[]
}

/** Ends a run: nothing after it could be verified. */
export class LogAlert extends Error {
  readonly code: AlertCode
  /** Files that prove it, by name. */
  readonly notes: Readonly<Record<string, Uint8Array>>

  constructor(code: AlertCode, message: string, notes: Readonly<Record<string, Uint8Array>> = {}) {
    super(message)
    this.code = code
    this.notes = notes
  }
}

/** Stores the signed notes that prove an alert, once, in a folder that their content names. */
export async function keepEvidence({ code, message, notes }: LogAlert, folder: string): Promise<Alert> {
  if (Object.keys(notes).length === 0) return { code, message }
  const hashes = Object.values(notes).map((note) => hex(nodeHost.digest(note)).slice(0, 12))
  const own = join(folder, [code, ...hashes].join('-'))
  const files = Object.entries(notes).map(([name, note]) => [join(own, name), note] as const)
  try {
    await makeFolder(own)
    for (const [path, note] of files)
      if (!existsSync(path)) writeFileSync(path, note, { flag: 'wx', flush: true })
  } catch (error) {
    throw new InputError(
      `${code}: ${message}`,
      `cannot store the evidence in ${own}: ${describeError(error)}`,
    )
  }
  return { code, message, evidence: files.map(([path]) => path) }
}
