import type { ObjectStore, StagedObject } from '../objects/object-store.ts'
import { Refusal } from '../refusals.ts'
import { HEAD_BYTES, mediaTypeOf } from './media-type.ts'
import { type Part, readMultipart } from './multipart.ts'

/** A file of a form: on disk, measured, and not yet kept. */
export interface StagedFile extends StagedObject {
  readonly name: string
  readonly mediaType: string
}

/** Everything that a form held. What is not kept by the time it is disposed of is gone. */
export interface Form extends AsyncDisposable {
  readonly files: readonly StagedFile[]
  readonly sizeBytes: number
  /** Undefined where the form does not say. */
  readonly final: boolean | undefined
  keep(): Promise<void>
}

export interface SizeLimits {
  /** What may still come. */
  readonly leftBytes: number
  /** What may come in all. */
  readonly planBytes: number
}

/** How much of a form may be no content, in all. A request is told by its length to be too large only beyond this. */
export const FRAMING_BYTES = 1024 * 1024
const MOST_FILES = 1000
const LONGEST_NAME_BYTES = 1024

/** Streams the files of a form into the store, and stops at the byte that is too many. */
export async function readForm(
  objects: Pick<ObjectStore, 'stage'>,
  body: AsyncIterable<Uint8Array>,
  boundary: string,
  { leftBytes, planBytes }: SizeLimits,
): Promise<Form> {
  const files: StagedFile[] = []
  let sizeBytes = 0
  let final: boolean | undefined
  const discard = async (): Promise<void> => {
    await Promise.all(files.splice(0).map((file) => file.discard()))
  }
  try {
    // The last file too many is refused by its own name; one more part is `final`.
    const limits = { parts: MOST_FILES + 2, framingBytes: FRAMING_BYTES }
    for await (const part of readMultipart(body, boundary, limits)) {
      if (part.name === 'final') final = readFinal(await smallText(part), final)
      else if (part.name !== 'file') throw unknownField(part.name)
      else {
        if (files.length === MOST_FILES) throw tooManyFiles()
        const file = await stageFile(objects, part, { leftBytes: leftBytes - sizeBytes, planBytes })
        files.push(file)
        sizeBytes += file.sizeBytes
      }
    }
  } catch (error) {
    await discard()
    throw error
  }
  return {
    files: [...files],
    sizeBytes,
    final,
    keep: async () => {
      await Promise.all(files.splice(0).map((file) => file.keep()))
    },
    [Symbol.asyncDispose]: discard,
  }
}

const tooManyFiles = (): Refusal =>
  new Refusal(
    'evidence_invalid',
    `An upload has at most ${MOST_FILES} files. Pack them into a ZIP, or send them in several uploads, all but the last with final=false.`,
  )

async function stageFile(
  objects: Pick<ObjectStore, 'stage'>,
  part: Part,
  limits: SizeLimits,
): Promise<StagedFile> {
  const name = part.fileName ?? ''
  if (name === '') throw new Refusal('evidence_invalid', 'Each part "file" must be a file with a name.')
  if (Buffer.byteLength(name) > LONGEST_NAME_BYTES)
    throw new Refusal('evidence_invalid', `A file name has more than ${LONGEST_NAME_BYTES} bytes.`)
  const head: Uint8Array[] = []
  const staged = await objects.stage(watched(part.content, limits, head))
  return { ...staged, name, mediaType: mediaTypeOf(name, Buffer.concat(head).subarray(0, HEAD_BYTES)) }
}

/** Passes content on, remembers how it begins, and refuses what is too much as soon as it comes. */
async function* watched(
  content: AsyncIterable<Uint8Array>,
  { leftBytes, planBytes }: SizeLimits,
  head: Uint8Array[],
): AsyncGenerator<Uint8Array> {
  let seen = 0
  for await (const piece of content) {
    if (seen < HEAD_BYTES) head.push(Buffer.copyBytesFrom(piece, 0, HEAD_BYTES))
    seen += piece.length
    if (seen > leftBytes) throw uploadTooLarge(planBytes)
    yield piece
  }
}

export const uploadTooLarge = (planBytes: number): Refusal =>
  new Refusal(
    'upload_too_large',
    `The uploads of this submission are larger together than the ${planBytes} bytes that its plan allows.`,
  )

const SMALL_BYTES = 16

async function smallText(part: Part): Promise<string> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of part.content) {
    length += piece.length
    if (length > SMALL_BYTES) break
    pieces.push(Buffer.copyBytesFrom(piece))
  }
  return length > SMALL_BYTES ? '' : Buffer.concat(pieces).toString()
}

function readFinal(text: string, before: boolean | undefined): boolean {
  if (before !== undefined) throw new Refusal('evidence_invalid', 'The form has the field "final" twice.')
  if (text === 'true' || text === 'false') return text === 'true'
  throw new Refusal('evidence_invalid', 'The field "final" must be true or false.')
}

const unknownField = (name: string): Refusal =>
  new Refusal(
    'evidence_invalid',
    `The form has a field ${JSON.stringify(name.slice(0, 100))}; it takes "file", once for each file, and "final".`,
  )
