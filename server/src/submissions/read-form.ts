import { acceptProblem, parseSubmissionProvenance } from '@kitseal/examiner'
import { type Parsed, parseStrictJson, type SubmissionProvenance } from '@kitseal/kit/internal'
import type { NewObject } from '../objects/accepted-objects.ts'
import { Measure, type Measured, type ObjectStore, type StoredRange } from '../objects/object-store.ts'
import { Refusal } from '../refusals.ts'
import { HEAD_BYTES, mediaTypeOf } from './media-type.ts'
import { type Part, readMultipart } from './multipart.ts'

/** A file of a form, stored and hashed. */
interface ReceivedFile extends Measured, StoredRange {
  readonly name: string
  readonly mediaType: string
}

export interface SizeLimits {
  /** Bytes that the submission may still receive. */
  readonly leftBytes: number
  /** Why it may not receive more. */
  readonly refusal: () => Refusal
}

/** Limit for the form's boundaries and headers. A Content-Length is too large only if it exceeds the upload limit by more than this. */
export const FRAMING_BYTES = 1024 * 1024
const MAX_FILES = 1000
const MAX_NAME_BYTES = 1024

/** The contents of a form. */
export interface Form {
  readonly files: readonly ReceivedFile[]
  /** Where the files are: one after another in one object, or each in its own. The caller accepts or deletes them. */
  readonly objects: readonly NewObject[]
  readonly sizeBytes: number
  /** Undefined if the form has no field `final`. */
  readonly final: boolean | undefined
  /** Codes of findings that the supplier acknowledges. */
  readonly accept: readonly string[]
  /** What the supplier states about where the evidence came from. */
  readonly provenance: SubmissionProvenance | undefined
}

interface FormOptions extends SizeLimits {
  /** Each file is an object of its own, so that it can be removed again. */
  readonly apart: boolean
}

/** Streams the files of a form into the object store, up to the size limit. If it throws, nothing is stored. */
export async function readForm(
  store: Pick<ObjectStore, 'put' | 'delete'>,
  body: AsyncIterable<Uint8Array>,
  boundary: string,
  { leftBytes, refusal, apart }: FormOptions,
): Promise<Form> {
  const files: ReceivedFile[] = []
  const objects: NewObject[] = []
  let sizeBytes = 0
  let final: boolean | undefined
  const accept: string[] = []
  let provenance: SubmissionProvenance | undefined

  /** Reads the fields on the way. */
  async function* fileParts(): AsyncGenerator<Part> {
    // One part more for `final`, one for `provenance`, one for the file that is too many, and those of `accept`.
    const limits = { parts: MAX_FILES + 3 + MAX_ACCEPTED, framingBytes: FRAMING_BYTES }
    for await (const part of readMultipart(body, boundary, limits)) {
      if (part.name === 'final') final = parseFinal(await fieldText(part), final)
      else if (part.name === 'accept') accept.push(...parseAccept(await fieldText(part), accept.length))
      else if (part.name === 'provenance')
        provenance = parseProvenance(await fieldText(part, MAX_PROVENANCE_BYTES), provenance)
      else if (part.name !== 'file') throw unknownField(part.name.slice(0, 100))
      else yield part
    }
  }

  const parts = fileParts()
  let next = await parts.next()
  /** The files of one object, and which they are. */
  async function* contentOf(own: Unplaced[]): AsyncGenerator<Uint8Array> {
    for (let offset = 0; next.done !== true; next = await parts.next()) {
      if (apart && own.length > 0) return
      if (files.length + own.length === MAX_FILES) throw tooManyFiles()
      const [name, head, measure] = [nameOf(next.value), [] as Uint8Array[], new Measure()]
      yield* measure.pass(limited(next.value.content, { leftBytes: leftBytes - sizeBytes, refusal }, head))
      const mediaType = mediaTypeOf(name, Buffer.concat(head).subarray(0, HEAD_BYTES))
      own.push({ name, mediaType, ...measure.result(), offset })
      offset += measure.at
      sizeBytes += measure.at
    }
  }

  try {
    while (next.done !== true) {
      const own: Unplaced[] = []
      const stored = await store.put(contentOf(own))
      objects.push(stored)
      files.push(...own.map((file) => Object.assign(file, { object: stored.object })))
    }
  } catch (error) {
    await Promise.allSettled(objects.map(({ object }) => store.delete(object)))
    throw error
  }
  return { files, objects, sizeBytes, final, accept, provenance }
}

type Unplaced = Omit<ReceivedFile, 'object'>

const invalid = (param: string, message: string): Refusal =>
  new Refusal('evidence_invalid', message, { param })

const tooManyFiles = (): Refusal =>
  invalid(
    'file',
    `An upload can have at most ${MAX_FILES} files. Send a ZIP, or several uploads, all but the last with final=false.`,
  )

function nameOf({ fileName: name = '' }: Part): string {
  if (name === '') throw invalid('file', 'Each "file" part needs a file name.')
  if (Buffer.byteLength(name) > MAX_NAME_BYTES)
    throw invalid('file', `A file name is longer than ${MAX_NAME_BYTES} bytes.`)
  return name
}

/** Passes content through, collects its first bytes, and throws once the size limit is exceeded. */
async function* limited(
  content: AsyncIterable<Uint8Array>,
  { leftBytes, refusal }: SizeLimits,
  head: Uint8Array[],
): AsyncGenerator<Uint8Array> {
  let seen = 0
  for await (const piece of content) {
    if (seen < HEAD_BYTES) head.push(Buffer.copyBytesFrom(piece, 0, HEAD_BYTES))
    seen += piece.length
    if (seen > leftBytes) throw refusal()
    yield piece
  }
}

export const uploadTooLarge = (planBytes: number): Refusal =>
  new Refusal(
    'upload_too_large',
    `The uploads of this submission exceed ${planBytes} bytes, the upload limit of its plan.`,
    { args: { bytes: planBytes } },
  )

const MAX_FIELD_BYTES = 4096
const MAX_ACCEPTED = 50
const MAX_PROVENANCE_BYTES = 131_072

async function fieldText(part: Part, maxBytes = MAX_FIELD_BYTES): Promise<string> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of part.content) {
    length += piece.length
    if (length > maxBytes) break
    pieces.push(Buffer.copyBytesFrom(piece))
  }
  return length > maxBytes ? '' : Buffer.concat(pieces).toString()
}

function parseFinal(text: string, before: boolean | undefined): boolean {
  if (before !== undefined) throw invalid('final', 'The form has the field "final" twice.')
  if (text === 'true' || text === 'false') return text === 'true'
  throw invalid('final', 'The field "final" must be true or false.')
}

/** One code, or several separated by commas. */
function parseAccept(text: string, before: number): readonly string[] {
  const codes = text.split(',').map((code) => code.trim())
  const problem = codes.map(acceptProblem).find((one) => one !== undefined)
  if (problem !== undefined) throw invalid('accept', `The field "accept" is wrong: ${problem}.`)
  if (before + codes.length > MAX_ACCEPTED)
    throw invalid('accept', `The field "accept" may name at most ${MAX_ACCEPTED} codes.`)
  return codes
}

function parseProvenance(text: string, before: SubmissionProvenance | undefined): SubmissionProvenance {
  const parsed = before === undefined ? parsedJson(text) : problems('the form has it twice')
  if (parsed.ok) return parsed.value
  throw invalid('provenance', `The field "provenance" is wrong: ${parsed.problems.join('; ')}.`)
}

const problems = (...all: readonly string[]) => ({ ok: false, problems: all }) as const

function parsedJson(text: string): Parsed<SubmissionProvenance> {
  try {
    return parseSubmissionProvenance(parseStrictJson(Buffer.from(text)))
  } catch {
    return problems(`it must be JSON of at most ${MAX_PROVENANCE_BYTES} bytes`)
  }
}

const unknownField = (name: string): Refusal =>
  invalid(
    name,
    `Unknown form field ${JSON.stringify(name)}. Send "file", once per file, and optionally "final", "accept" and "provenance".`,
  )
