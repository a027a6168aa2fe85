import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { DownloadedFile, DownloadLog } from '../audit/download-log.ts'
import { failsIfMatch, matchesIfRange, matchesWeakly, parseRange } from '../http/request-headers.ts'
import { kitExpired } from './kit-documents.ts'
import { type KitFile, readFile } from './kit-files.ts'
import type { KitCatalog, KitRecord } from './kit-queries.ts'
import { KIT_ZIP, kitsZip, type KitZip, kitZip, readCheckedFile } from './kit-zip.ts'
import { fingerprintsOf } from '../objects/block-reads.ts'
import { type ObjectStore, ObjectUnreadable } from '../objects/object-store.ts'
import { Refusal } from '../refusals.ts'
import { Semaphore } from '../runtime/semaphore.ts'

/** Sends kit.zip, or a range of it. */
export const sendZip = (
  request: FastifyRequest,
  reply: FastifyReply,
  kit: KitRecord,
  sender: FileSender,
): Promise<FastifyReply> =>
  sendArchive(
    request,
    reply,
    { kits: [kit], zip: kitZip, hash: sender.kits.archiveSha256, fileName: `${kit.kitId}.zip` },
    sender,
  )

/** Sends one archive with the kit.zip of each kit, or a range of it. */
export const sendKits = (
  request: FastifyRequest,
  reply: FastifyReply,
  kits: readonly [KitRecord, ...KitRecord[]],
  sender: FileSender,
): Promise<FastifyReply> =>
  sendArchive(
    request,
    reply,
    { kits, zip: (_, objects) => kitsZip(kits, objects), fileName: 'kits.zip' },
    sender,
  )

interface Archive {
  readonly kits: readonly [KitRecord, ...KitRecord[]]
  readonly fileName: string
  hash?(kit: KitRecord): Promise<string | undefined>
  zip(kit: KitRecord, objects: ObjectStore): KitZip
}

async function sendArchive(
  request: FastifyRequest,
  reply: FastifyReply,
  { kits, fileName, hash, zip: layOut }: Archive,
  { objects, downloads, isChecked = true }: FileSender,
): Promise<FastifyReply> {
  const gone = kits.find(({ expired }) => expired !== undefined)
  if (gone !== undefined) throw kitExpired(gone)
  const [kit] = kits
  const zip = layOut(kit, objects)
  const part = setDownloadHeaders(request, reply, {
    is: 'kit',
    etag: zip.etag,
    sha256: await hash?.(kit),
    sizeBytes: zip.sizeBytes,
    mediaType: 'application/zip',
    fileName,
  })
  if (part === undefined || request.method === 'HEAD') return reply.send()
  for (const each of kits) await rejectIncomplete(each, objects)
  const { workspaceId, kitId: subject } = kit
  await downloads.record(request, { workspaceId, subject, name: KIT_ZIP, ...part })
  const content = isChecked ? zip.readChecked(part.start, part.end) : zip.read(part.start, part.end)
  return reply.send(
    Readable.from(objects.isRemote ? content : throttleReads(content), {
      objectMode: false,
      highWaterMark: 256 * 1024,
    }),
  )
}

/** Fails before the first byte is sent, while an error status is still possible. */
async function rejectIncomplete(kit: KitRecord, objects: ObjectStore): Promise<void> {
  const prints = await fingerprintsOf(objects, kit.objects)
  const missing = kit.objects.find((_, index) => prints[index] === undefined)
  if (missing !== undefined) throw new ObjectUnreadable(missing, 'is missing')
}

interface FileSender {
  readonly objects: ObjectStore
  readonly downloads: DownloadLog
  readonly kits: Pick<KitCatalog, 'archiveSha256'>
  /** False for a page that verifies what it gets: a damaged file arrives as it is stored, instead of breaking off. */
  readonly isChecked?: boolean
}

/** Sends one file of a kit, or a range of it. Always as an attachment of unknown type, so that no browser runs it. */
export async function sendKitFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { kit, path }: { readonly kit: KitRecord; readonly path: string },
  sender: FileSender,
): Promise<FastifyReply> {
  if (kit.expired !== undefined) throw kitExpired(kit)
  const entry = kit.entries.find((each) => each.path === path)
  if (entry === undefined) throw new Refusal('deliverable_not_found', 'The kit has no file with this path.')
  return sendStoredFile(request, reply, entry, { workspaceId: kit.workspaceId, subject: kit.kitId }, sender)
}

/** Sends a file of a kit, or one that is not sealed yet. */
export async function sendStoredFile(
  request: FastifyRequest,
  reply: FastifyReply,
  entry: KitFile,
  of: Pick<DownloadedFile, 'workspaceId' | 'subject'>,
  { objects, downloads, isChecked = true }: FileSender,
): Promise<FastifyReply> {
  const { path } = entry
  const part = setDownloadHeaders(request, reply, {
    is: 'file',
    etag: `"${Buffer.from(entry.sha256, 'hex').toString('base64url')}"`,
    sha256: entry.sha256,
    sizeBytes: entry.sizeBytes,
    mediaType: 'application/octet-stream',
    fileName: path.slice(path.lastIndexOf('/') + 1),
  })
  if (part === undefined || request.method === 'HEAD') return reply.send()
  await downloads.record(request, { ...of, name: path, ...part })
  const content = isChecked ? readCheckedFile(entry, objects, part) : storedBytes(objects, entry, part)
  return reply.send(Readable.from(throttleReads(content), { objectMode: false }))
}

async function* storedBytes(
  objects: ObjectStore,
  entry: KitFile,
  { start, end }: { readonly start: number; readonly end: number },
): AsyncGenerator<Uint8Array> {
  yield* readFile(objects, entry, start, end)
}

/** A kit never changes. `private`, because its ID is a capability. What a key or a session unlocked is not kept. */
const CACHE_FOREVER = 'private, max-age=31536000, immutable'
const CACHE_NOTHING = 'private, no-store'

/** An immutable file. */
export interface Download {
  /** For error messages. */
  readonly is: 'kit' | 'file'
  /** Strong. */
  readonly etag: string
  /** Hex. Undefined if it is not known. */
  readonly sha256?: string | undefined
  readonly sizeBytes: number
  readonly mediaType: string
  readonly fileName: string
}

/** Sets status and headers and returns the byte range to send (`end` is exclusive). Undefined means 304: send no body. */
export function setDownloadHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  { is, etag, sha256, sizeBytes, mediaType, fileName }: Download,
): { readonly start: number; readonly end: number } | undefined {
  reply.header('accept-ranges', 'bytes')
  if (isNotModified(request, reply, { is, etag })) return undefined
  const { headers, method } = request
  const isCurrent = method === 'GET' && matchesIfRange(joined(headers['if-range']), etag)
  const range = parseRange(isCurrent ? headers.range : undefined, sizeBytes)
  if (range.is === 'unsatisfiable') {
    throw new Refusal(
      'range_not_satisfiable',
      `The range is outside the ${is}, which has ${sizeBytes} bytes.`,
      {
        headers: { 'content-range': `bytes */${sizeBytes}`, 'accept-ranges': 'bytes' },
      },
    )
  }
  const { start, end } = range.is === 'part' ? range : { start: 0, end: sizeBytes }
  if (range.is === 'part') reply.code(206).header('content-range', `bytes ${start}-${end - 1}/${sizeBytes}`)
  reply
    .type(mediaType)
    .header('content-length', end - start)
    .header('content-disposition', attachment(fileName))
  setDigest(reply, sha256)
  return { start, end }
}

/** `Repr-Digest` (RFC 9530): of the whole file, also if a range of it is sent. */
export function setDigest(reply: FastifyReply, sha256: string | undefined): void {
  if (sha256 !== undefined)
    reply.header('repr-digest', `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`)
}

/** With the name in UTF-8 (RFC 8187) if it is not plain ASCII. */
function attachment(fileName: string): string {
  const plain = fileName.replaceAll(/[^ !#-[\]-~]/gu, '_')
  const encoded = encodeURIComponent(fileName).replaceAll(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16)}`,
  )
  return `attachment; filename="${plain}"${plain === fileName ? '' : `; filename*=UTF-8''${encoded}`}`
}

/** Sets the ETag and evaluates `If-Match` and `If-None-Match`. True means 304: send no body. */
export function isNotModified(
  { headers, caller }: Pick<FastifyRequest, 'headers' | 'caller'>,
  reply: FastifyReply,
  { is, etag }: Pick<Download, 'is' | 'etag'>,
): boolean {
  reply
    .header('etag', etag)
    .header('cache-control', caller.is === 'workspace' ? CACHE_NOTHING : CACHE_FOREVER)
  if (failsIfMatch(headers['if-match'], etag))
    throw new Refusal('precondition_failed', `The ETag of the ${is} does not match If-Match.`, {
      headers: { etag },
    })
  const isMatch = matchesWeakly(headers['if-none-match'], etag)
  if (isMatch) reply.code(304)
  return isMatch
}

function joined(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.join(',')
}

/** One for the process: all downloads share the main thread with requests. */
const reads = new Semaphore(4)

/**
 * Limits how many downloads read at the same time. A hundred downloads that start together would otherwise each read and
 * hash a chunk before any other request is served. A download that waits for a slow client does not count.
 */
export async function* throttleReads(content: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  // Reads one chunk ahead while the current one is sent.
  let ahead = reads.run(() => content.next())
  try {
    for (;;) {
      const next = await ahead
      if (next.done === true) return
      ahead = reads.run(() => content.next())
      // Errors surface when the chunk is awaited. If the client is gone by then, nobody awaits it.
      ahead.catch(() => {})
      yield next.value
    }
  } finally {
    await content.return(undefined)
  }
}
