import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ObjectStore } from '../objects/object-store.ts'
import { Refusal } from '../refusals.ts'
import type { DownloadedFile, DownloadLog } from '../audit/download-log.ts'
import { setDownloadHeaders } from './download-headers.ts'
import { kitExpired } from './kit-documents.ts'
import { type KitFile, readFile } from './kit-files.ts'
import type { KitCatalog, KitRecord } from './kit-queries.ts'
import { readCheckedFile } from './kit-zip.ts'
import { throttleReads } from './throttle-reads.ts'

export interface FileSender {
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
