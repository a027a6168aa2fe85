import type { RandomAccess } from '@kitseal/kit'
import { checkAppended } from './appended.ts'
import { SOUND, type Structure } from './structure.ts'

/** An image that is whole and ends here. What follows is searched. */
export async function endsAt(source: RandomAccess, end: number): Promise<Structure> {
  const after = source.sizeBytes - end
  if (after === 0) return SOUND
  return { findings: await checkAppended(source, end), notes: [`${after} bytes follow the end of the image`] }
}
