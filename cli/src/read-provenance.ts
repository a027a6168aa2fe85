import { parseStrictJson, parseSubmissionProvenance, type SubmissionProvenance } from '@kitseal/kit/internal'
import { readSmallFile } from '@kitseal/kit/internal/node'
import { InputError, readOrFail } from './input-error.ts'

/** Reads the file of --provenance: one statement for all files, and in `files` those about single files. */
export async function readProvenance(path: string | undefined): Promise<SubmissionProvenance | undefined> {
  if (path === undefined) return undefined
  const value = await readOrFail(path, () =>
    parseStrictJson(readSmallFile(path, { what: 'a provenance statement', limitMiB: 1 })),
  )
  const parsed = parseSubmissionProvenance(value)
  if (parsed.ok) return parsed.value
  throw new InputError(...parsed.problems.map((problem) => `${path}: ${problem}`))
}
