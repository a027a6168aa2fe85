import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { Refusal } from '../refusals.ts'

export const TUS_VERSION = '1.0.0'
export const TUS_EXTENSIONS = 'creation,creation-with-upload,expiration,termination,checksum'
/** Algorithm names in headers, and in Node.js. */
const ALGORITHMS: Readonly<Record<string, string>> = { sha256: 'sha256', 'sha-256': 'sha256', sha1: 'sha1' }
export const TUS_ALGORITHMS = Object.keys(ALGORITHMS).join(',')
export const CHUNK_TYPE = 'application/offset+octet-stream'

const MAX_NAME_BYTES = 1024
const MAX_RESUME_KEY_BYTES = 512

const invalid = (param: string, message: string): Refusal => new Refusal('upload_invalid', message, { param })

export function requireTusVersion({ 'tus-resumable': version }: IncomingHttpHeaders): void {
  if (version === TUS_VERSION) return
  throw new Refusal('tus_version_unsupported', `Send the header Tus-Resumable: ${TUS_VERSION}.`, {
    param: 'Tus-Resumable',
    headers: { 'tus-version': TUS_VERSION },
  })
}

export const hasContent = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

export function requireChunkType(headers: IncomingHttpHeaders): void {
  const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity'
  if (headers['content-type'] !== CHUNK_TYPE || encoding !== 'identity')
    throw new Refusal(
      'media_type_unsupported',
      `Send the content as ${CHUNK_TYPE}, without Content-Encoding.`,
    )
}

export interface NewUpload {
  readonly name: string
  readonly sizeBytes: number
  readonly resumeKey: string | null
  /** All of `Upload-Metadata`, as it was sent. */
  readonly metadata: string
}

/** `Upload-Length` and `Upload-Metadata` of a new upload. */
export function readNewUpload(headers: IncomingHttpHeaders): NewUpload {
  if (headers['upload-defer-length'] !== undefined)
    throw invalid('Upload-Defer-Length', 'Upload-Defer-Length is not supported. Send Upload-Length.')
  if (headers['upload-concat'] !== undefined)
    throw invalid('Upload-Concat', 'Upload-Concat is not supported.')
  const sizeBytes = readBytes(headers, 'upload-length', 'Upload-Length')
  const metadata = readMetadata(headers['upload-metadata'])
  const name = metadata.get('filename') ?? ''
  if (name === '')
    throw invalid('Upload-Metadata', 'Upload-Metadata needs "filename", with the file name in base64.')
  if (Buffer.byteLength(name) > MAX_NAME_BYTES)
    throw invalid('Upload-Metadata', `The file name is longer than ${MAX_NAME_BYTES} bytes.`)
  const resumeKey = metadata.get('resume_key') ?? null
  if (resumeKey !== null && Buffer.byteLength(resumeKey) > MAX_RESUME_KEY_BYTES)
    throw invalid('Upload-Metadata', `resume_key is longer than ${MAX_RESUME_KEY_BYTES} bytes.`)
  return { name, sizeBytes, resumeKey, metadata: String(headers['upload-metadata']) }
}

/** A number of bytes in a header. Numbers above 2^53 are refused. */
export function readBytes(headers: IncomingHttpHeaders, name: string, shown: string): number {
  const value = headers[name]
  const bytes = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN
  if (!Number.isSafeInteger(bytes)) throw invalid(shown, `${shown} must be a number of bytes.`)
  return bytes
}

function readMetadata(header: string | string[] | undefined): ReadonlyMap<string, string> {
  const metadata = new Map<string, string>()
  const text = String(header ?? '').trim()
  for (const pair of text === '' ? [] : text.split(',')) {
    const [key = '', value = '', ...more] = pair.trim().split(' ')
    if (key === '' || more.length > 0)
      throw invalid('Upload-Metadata', 'Upload-Metadata must be a list of "KEY BASE64", separated by commas.')
    if (metadata.has(key))
      throw invalid('Upload-Metadata', `Upload-Metadata has ${JSON.stringify(key)} twice.`)
    metadata.set(key, decodeText(key, value))
  }
  return metadata
}

function decodeText(key: string, base64: string): string {
  const bytes = decodeBase64(base64)
  if (bytes === undefined)
    throw invalid('Upload-Metadata', `The value of ${JSON.stringify(key)} in Upload-Metadata is not base64.`)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw invalid('Upload-Metadata', `The value of ${JSON.stringify(key)} in Upload-Metadata is not UTF-8.`)
  }
}

function decodeBase64(text: string): Buffer | undefined {
  const isBase64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)
  return isBase64 ? Buffer.from(text, 'base64') : undefined
}

export interface Checksum {
  readonly algorithm: string
  readonly digest: Buffer
}

/** `Upload-Checksum`, if it was sent. */
export function readChecksum({ 'upload-checksum': header }: IncomingHttpHeaders): Checksum | undefined {
  if (header === undefined) return undefined
  const [name = '', value = '', ...more] = String(header).split(' ')
  const algorithm = ALGORITHMS[name.toLowerCase()]
  if (algorithm === undefined)
    throw invalid(
      'Upload-Checksum',
      `Upload-Checksum must use one of ${TUS_ALGORITHMS.replaceAll(',', ', ')}.`,
    )
  const digest = decodeBase64(value)
  if (digest?.length !== createHash(algorithm).digest().length || more.length > 0)
    throw invalid(
      'Upload-Checksum',
      `Upload-Checksum must be "${name} BASE64", with a digest of the right length.`,
    )
  return { algorithm, digest }
}

/** Passes content through, and throws at its end if its checksum differs. */
export async function* verifyChecksum(
  content: AsyncIterable<Uint8Array>,
  { algorithm, digest }: Checksum,
): AsyncGenerator<Uint8Array> {
  const hash = createHash(algorithm)
  for await (const chunk of content) {
    hash.update(chunk)
    yield chunk
  }
  if (hash.digest().equals(digest)) return
  throw new Refusal('checksum_mismatch', 'The content does not match Upload-Checksum. Send it again.')
}
