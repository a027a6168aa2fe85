import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { fingerprintsOf } from '../objects/fingerprints.ts'
import { type ObjectStore, ObjectUnreadable } from '../objects/object-store.ts'
import { setDownloadHeaders } from './download-headers.ts'
import { kitExpired } from './kit-documents.ts'
import type { KitRecord } from './kit-queries.ts'
import { KIT_ZIP, type KitZip, kitZip } from './kit-zip.ts'
import { kitsZip } from './kits-zip.ts'
import type { FileSender } from './send-kit-file.ts'
import { throttleReads } from './throttle-reads.ts'

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
