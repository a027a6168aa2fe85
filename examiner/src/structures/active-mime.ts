import { bytesAt } from '../platform/sources.ts'
import { inflated } from './inflate-damaged.ts'
import { bytesFile } from './inner-files.ts'
import { broken, type FileToCheck, type Structure } from './structure.ts'

const MAX_BYTES = 64 * 1024 * 1024
const HEADER_BYTES = 50

/** Macros and objects of a document that Office saved as a web page (editdata.mso): a compressed Compound File. */
export async function checkActiveMime({ source }: FileToCheck): Promise<Structure> {
  const bytes = await bytesAt(source, 0, MAX_BYTES)
  const content = inflated(bytes.subarray(bytes.indexOf(0x78, HEADER_BYTES)), MAX_BYTES)
  if (content[0] !== 0xd0) return { ...broken('macros', 'they cannot be read'), type: 'mso' }
  return { type: 'mso', findings: [], notes: [], inner: [bytesFile('content', 'part', content)] }
}
