import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ObjectStore } from '../objects/object-store.ts'
import { Refusal } from '../refusals.ts'
import type { DownloadLog } from '../workspaces/download-log.ts'
import { setDownloadHeaders } from './download-headers.ts'
import { kitExpired } from './kit-documents.ts'
import type { KitRecord } from './kit-queries.ts'
import { readCheckedFile } from './kit-zip.ts'
import { throttleReads } from './throttle-reads.ts'

export interface FileSender {
  readonly objects: ObjectStore
  readonly downloads: DownloadLog
}

/** Sends one file of a kit, or a range of it. Always as an attachment of unknown type, so that no browser runs it. */
export async function sendKitFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { kit, path }: { readonly kit: KitRecord; readonly path: string },
  { objects, downloads }: FileSender,
): Promise<FastifyReply> {
  if (kit.expired !== undefined) throw kitExpired(kit)
  const entry = kit.entries.find((each) => each.path === path)
  if (entry === undefined) throw new Refusal('deliverable_not_found', 'The kit has no file with this path.')
  const part = setDownloadHeaders(request, reply, {
    is: 'file',
    etag: `"${Buffer.from(entry.sha256, 'hex').toString('base64url')}"`,
    sizeBytes: entry.sizeBytes,
    mediaType: 'application/octet-stream',
    fileName: path.slice(path.lastIndexOf('/') + 1),
  })
  if (part === undefined) return reply.send()
  if (request.method === 'HEAD') return reply.send(null)
  await downloads.record(request, { workspaceId: kit.workspaceId, subject: kit.kitId, name: path, ...part })
  const content = throttleReads(readCheckedFile(entry, objects, part))
  return reply.send(Readable.from(content, { objectMode: false }))
}
