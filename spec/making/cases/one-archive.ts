import type { Result } from '../../vector.ts'
import { ARTIFACTS, type Case, fails, kit, UNREADABLE } from '../case.ts'
import { type Archive, type Entry, otherZip } from '../archive.ts'
import { draftKit, LETTER } from '../draft.ts'

export const { files } = draftKit()
export const letterText = files.get(LETTER)!

/** One entry is ambiguous. Everything else is valid. */
export const LETTER_UNREADABLE = fails(['kit_unreadable', 'artifact_missing'], ARTIFACTS)
/** The container is ambiguous, but every file in it was found and is valid. */
export const AMBIGUOUS = fails(['kit_unreadable'], ARTIFACTS)

export const archive = (
  name: string,
  change: (whole: Archive) => void,
  expected: Result = UNREADABLE,
): Case => kit(name, otherZip(files, change), expected)

export const letter = (
  name: string,
  change: (entry: Entry, whole: Archive) => void,
  expected: Result = LETTER_UNREADABLE,
): Case =>
  archive(
    name,
    (whole) =>
      change(
        whole.entries.find((entry) => entry.name.endsWith(LETTER))!,
        whole,
      ),
    expected,
  )

/** Headers in the issued form, before a change. */
export function asIssued(change: (whole: Archive) => void): Uint8Array {
  return otherZip(files, (whole) => {
    change(whole)
    for (const entry of whole.entries)
      entry.central = { madeBy: 0x033e, externalAttributes: 0o100644 * 65536, ...entry.central }
  })
}
