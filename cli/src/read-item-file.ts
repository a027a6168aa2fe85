import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { type DateOrder, readItemList, type RequestedItem } from '@kitseal/examiner'
import { InputError, readOrFail } from './input-error.ts'

/** The items in a list in XLSX or CSV. */
export async function readItemFile(
  file: string,
  options: { readonly dateOrder?: DateOrder | undefined; readonly isProgram?: boolean } = {},
): Promise<readonly RequestedItem[]> {
  const bytes = await readOrFail(file, async () => readFileSync(file))
  const read = await readItemList({ name: basename(file), bytes: new Uint8Array(bytes), ...options })
  if (!read.ok && read.asks !== undefined)
    throw new InputError(
      `${file} has dates that can be read in two ways: pass --date-order day-first or month-first`,
    )
  if (!read.ok) throw new InputError(`${file} is not a list of items:\n  ${read.problems.join('\n  ')}`)
  return read.items
}
