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

interface FileSender {
  readonly objects: ObjectStore
  readonly downloads: DownloadLog
  readonly kits: Pick<KitCatalog, 'archiveSha256'>
  /** False for a page that verifies what it gets: a damaged file arrives as it is stored, instead of breaking off. */
  readonly isChecked?: boolean
}

/** Sends kit.zip, or a range of it. */
export async function sendZip(
  request: FastifyRequest,
  reply: FastifyReply,
  kit: KitRecord,
  sender: FileSender,
): Promise<FastifyReply> {
  rejectExpired([kit])
  const zip = kitZip(kit, sender.objects)
  const sha256 = await sender.kits.archiveSha256(kit)
  return sendArchive(request, reply, { kits: [kit], zip, sha256, fileName: `${kit.kitId}.zip` }, sender)
}

/** Sends one archive with the kit.zip of each kit, or a range of it. */
export async function sendKits(
  request: FastifyRequest,
  reply: FastifyReply,
  kits: readonly [KitRecord, ...KitRecord[]],
  sender: FileSender,
): Promise<FastifyReply> {
  rejectExpired(kits)
  return sendArchive(
    request,
    reply,
    { kits, zip: kitsZip(kits, sender.objects), fileName: 'kits.zip' },
    sender,
  )
}

function rejectExpired(kits: readonly KitRecord[]): void {
  const gone = kits.find(({ expired }) => expired !== undefined)
  if (gone !== undefined) throw kitExpired(gone)
}

interface Archive extends Pick<Download, 'sha256' | 'fileName'> {
  readonly kits: readonly [KitRecord, ...KitRecord[]]
  readonly zip: KitZip
}

function sendArchive(
  request: FastifyRequest,
  reply: FastifyReply,
  { kits, zip, ...more }: Archive,
  sender: FileSender,
): Promise<FastifyReply> {
  const { objects, isChecked = true } = sender
  const [{ workspaceId, kitId: subject }] = kits
  const { etag, sizeBytes } = zip
  const archive = { is: 'kit', etag, sizeBytes, mediaType: 'application/zip', ...more } as const
  return sendDownload(
    request,
    reply,
    { ...archive, workspaceId, subject, name: KIT_ZIP },
    sender,
    async (part) => {
      for (const kit of kits) await rejectIncomplete(kit, objects)
      return zip.read(part.start, part.end, isChecked ? 'checked' : 'unchecked')
    },
  )
}

/** Fails before the first byte is sent, while an error status is still possible. */
async function rejectIncomplete(kit: KitRecord, objects: ObjectStore): Promise<void> {
  const prints = await fingerprintsOf(objects, kit.objects)
  const missing = kit.objects.find((_, index) => prints[index] === undefined)
  if (missing !== undefined) throw new ObjectUnreadable(missing, 'is missing')
}

/** Sends one file of a kit, or a range of it. */
export async function sendKitFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { kit, path }: { readonly kit: KitRecord; readonly path: string },
  sender: FileSender,
): Promise<FastifyReply> {
  rejectExpired([kit])
  const entry = kit.entries.find((each) => each.path === path)
  if (entry === undefined) throw new Refusal('deliverable_not_found', 'The kit has no file with this path.')
  return sendStoredFile(request, reply, entry, { workspaceId: kit.workspaceId, subject: kit.kitId }, sender)
}

/**
 * Sends a file of a kit, one that is not sealed yet, or one that was made for the response. Without a type it is an attachment of unknown
 * type, so that no browser runs it.
 */
export function sendStoredFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: KitFile,
  of: Pick<DownloadedFile, 'workspaceId' | 'subject'>,
  sender: Pick<FileSender, 'objects' | 'downloads' | 'isChecked'>,
  { mediaType = 'application/octet-stream', headers }: Partial<Pick<Download, 'mediaType' | 'headers'>> = {},
): Promise<FastifyReply> {
  const { objects, isChecked = true } = sender
  const { path, sha256, sizeBytes } = file
  const etag = `"${Buffer.from(sha256, 'hex').toString('base64url')}"`
  const fileName = path.slice(path.lastIndexOf('/') + 1)
  const download = {
    is: 'file',
    etag,
    sha256,
    sizeBytes,
    mediaType,
    headers,
    fileName,
    ...of,
    name: path,
  } as const
  return sendDownload(request, reply, download, sender, async ({ start, end }) =>
    isChecked ? readCheckedFile(file, objects, { start, end }) : readFile(objects, file, start, end),
  )
}

/** Sends what never changes, or a range of it, and records the download. */
async function sendDownload(
  request: FastifyRequest,
  reply: FastifyReply,
  download: Download,
  { objects, downloads }: Pick<FileSender, 'objects' | 'downloads'>,
  open: (part: Part) => Promise<AsyncIterable<Uint8Array>>,
): Promise<FastifyReply> {
  const part = setDownloadHeaders(request, reply, download)
  if (part === undefined || request.method === 'HEAD') return reply.send()
  const content = await open(part)
  const { workspaceId, subject, name } = download
  await downloads.record(request, { workspaceId, subject, name, ...part })
  const read = objects.isRemote ? content : throttleReads(content)
  return reply.send(Readable.from(read, { objectMode: false, highWaterMark: 256 * 1024 }))
}

/** A kit never changes. `private`, because its ID is a capability. What a key or a session unlocked is not kept. */
const CACHE_FOREVER = 'private, max-age=31536000, immutable'
const CACHE_NOTHING = 'private, no-store'

/** An immutable file, and what the audit log says about it. */
interface Download extends Pick<DownloadedFile, 'workspaceId' | 'subject' | 'name'> {
  /** For error messages. */
  readonly is: 'kit' | 'file'
  /** Strong. */
  readonly etag: string
  /** Hex. Undefined if it is not known. */
  readonly sha256?: string | undefined
  readonly sizeBytes: number
  readonly mediaType: string
  readonly fileName: string
  /** Instead of those of an attachment. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** `end` is exclusive. */
type Part = Pick<DownloadedFile, 'start' | 'end'>

/** Sets status and headers and returns the byte range to send. Undefined means 304: send no body. */
function setDownloadHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  { is, etag, sha256, sizeBytes, mediaType, fileName, headers: more = {} }: Download,
): Part | undefined {
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
    .headers(more)
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
export async function* throttleReads(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = content[Symbol.asyncIterator]()
  // Reads one chunk ahead while the current one is sent.
  let ahead = reads.run(() => chunks.next())
  try {
    for (;;) {
      const next = await ahead
      if (next.done === true) return
      ahead = reads.run(() => chunks.next())
      // Errors surface when the chunk is awaited. If the client is gone by then, nobody awaits it.
      ahead.catch(() => {})
      yield next.value
    }
  } finally {
    await chunks.return?.()
  }
}
