import type { Host, RandomAccess } from '@kitseal/kit'
import type { Seen } from '../look.ts'
import { copyOf } from '../surroundings.ts'
import type { Finding, RuleCode } from '../rules.ts'

/** What a look at the structure of a file brought. */
export interface Structure {
  readonly findings: readonly Finding[]
  readonly notes: readonly string[]
}

/** What was seen in passing is looked for no second time. */
export type StructureCheck = (
  source: RandomAccess,
  seen: Pick<Seen, 'attachmentsAt'>,
  crc32: Host['crc32'],
) => Promise<Structure>

export const SOUND: Structure = { findings: [], notes: [] }

export function broken(code: RuleCode, seen: string): Structure {
  return { findings: [{ code, seen }], notes: [] }
}

/** Up to `length` bytes, a copy that stays; fewer where the file ends, none where the offset is outside. */
export async function bytesAt(source: RandomAccess, offset: number, length: number): Promise<Uint8Array> {
  if (!Number.isSafeInteger(offset) || offset < 0 || offset >= source.sizeBytes) return new Uint8Array(0)
  return copyOf(await source.read(offset, Math.min(length, source.sizeBytes - offset)))
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
