import type { RandomAccess } from '@kitseal/kit'
import { BytesFinder } from '../detect/find-bytes.ts'
import { bytesAt, chunks, memorySource, viewOf } from '../platform/sources.ts'
import type { Finding } from '../rules.ts'
import { type CompoundDirectory, readCompoundDirectory } from './compound-directory.ts'
import { inflated } from './inflate-damaged.ts'
import { bytesFile } from './inner-files.ts'
import type { InnerFile } from './structure.ts'
import { vbaIn } from './vba.ts'

const MAX_OBJECTS = 1000
const MAX_OBJECT_BYTES = 64 * 1024 * 1024
/** A VBAInfoContainer with its atom ([MS-PPT] 2.4.10): a reference to the project follows, and whether it has macros. */
const VBA_INFO = Uint8Array.of(0xff, 0x03, 0x14, 0, 0, 0, 0x02, 0, 0, 0x04, 0x0c, 0, 0, 0)
/** In the header of an ExOleObjStg (2.10.34), which is found by its offset anywhere. */
const OBJECT = Uint8Array.of(0x00, 0x11, 0x10)
const [ZLIB, COMPOUND] = [0x78, 0xd0]
const ENCRYPTED_TOKEN = 0xf3d1c4df

/** Objects in a presentation, and whether it says that it has macros. */
export async function readPresentation(
  directory: CompoundDirectory,
): Promise<{ readonly findings: readonly Finding[]; readonly inner: readonly InnerFile[] }> {
  const findings: Finding[] = []
  const inner: InnerFile[] = []
  let [saysMacros, hasProject] = [false, false]
  if (await isEncryptedPresentation(directory))
    findings.push({ code: 'encrypted_office', detail: 'it has a password' })
  for (const entry of directory.entries.filter(({ name }) => /^powerpoint document$/i.test(name))) {
    const stream = await directory.open(entry)
    const [macros, objects] = [
      new BytesFinder(VBA_INFO, MAX_OBJECTS),
      new BytesFinder(OBJECT, 100 * MAX_OBJECTS),
    ]
    for await (const bytes of chunks(stream)) for (const finder of [macros, objects]) finder.push(bytes)
    for (const at of macros.at) {
      const flag = await bytesAt(stream, at + VBA_INFO.length + 4, 4)
      saysMacros ||= flag.some((byte) => byte !== 0)
    }
    for (const at of objects.at) {
      const object = inner.length < MAX_OBJECTS ? await objectAt(stream, at - 1) : undefined
      if (object === undefined) continue
      hasProject ||= (await vbaIn(await readCompoundDirectory(memorySource(object)))) !== 'none'
      inner.push(bytesFile(`object ${inner.length + 1}`, 'part', object))
    }
  }
  // The project itself shows whether it has code.
  if (saysMacros && !hasProject) findings.push({ code: 'macros', detail: 'it says so' })
  if (inner.length === MAX_OBJECTS)
    findings.push({ code: 'partly_examined', detail: `only ${MAX_OBJECTS} objects in it were examined` })
  return { findings, inner }
}

/** The stream that PowerPoint reads first says so in its token ([MS-PPT] 2.3.2), and the summary has a stream of its own. */
async function isEncryptedPresentation({ entries, readStart }: CompoundDirectory): Promise<boolean> {
  const summary = entries.some(({ name, sizeBytes }) => name === 'EncryptedSummary' && sizeBytes > 0)
  const user = entries.find(({ name }) => /^current user$/i.test(name))
  const head = user === undefined ? undefined : await readStart(user, 16)
  return summary || (head?.length === 16 && viewOf(head).getUint32(12, true) === ENCRYPTED_TOKEN)
}

/** A Compound File, or one that is compressed after its size. */
async function objectAt(stream: RandomAccess, at: number): Promise<Uint8Array | undefined> {
  const head = await bytesAt(stream, at, 13)
  if (head.length < 13) return undefined
  const length = Math.min(MAX_OBJECT_BYTES, viewOf(head).getUint32(4, true))
  if (head[8] === COMPOUND) return bytesAt(stream, at + 8, length)
  if (head[0] !== 0x10 || head[12] !== ZLIB) return undefined
  return inflated(await bytesAt(stream, at + 12, length - 4), MAX_OBJECT_BYTES)
}
