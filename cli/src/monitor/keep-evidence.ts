import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hex } from '@kitseal/kit/internal'
import { makeFolder, nodeHost } from '@kitseal/kit/internal/node'
import { describeError, InputError } from '../input-error.ts'
import type { Alert, LogAlert } from './alert.ts'

/** Stores the signed notes that prove an alert, once, in a folder that their content names. */
export async function keepEvidence({ code, message, notes }: LogAlert, folder: string): Promise<Alert> {
  const names = Object.keys(notes)
  if (names.length === 0) return { code, message }
  const content = Object.values(notes).map((note) => hex(nodeHost.digest(note)))
  const own = join(folder, `${code}-${content.map((hash) => hash.slice(0, 12)).join('-')}`)
  const evidence = names.map((name) => join(own, name))
  try {
    await makeFolder(own)
    for (const [at, note] of Object.values(notes).entries()) {
      const path = evidence[at] ?? own
      if (!existsSync(path)) writeFileSync(path, note, { flag: 'wx', flush: true })
    }
  } catch (error) {
    throw new InputError(
      `${code}: ${message}`,
      `cannot store the evidence in ${own}: ${describeError(error)}`,
    )
  }
  return { code, message, evidence }
}
