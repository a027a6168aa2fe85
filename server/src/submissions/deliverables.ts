import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { DownloadedFile } from '../audit/download-log.ts'
import { route } from '../http/route.ts'
import { notModified, ref } from '../http/schema-parts.ts'
import type { Context } from '../kits/context.ts'
import { FILE_CODES } from '../kits/kit-routes.ts'
import { sendStoredFile, sendZip } from '../kits/send-kit.ts'
import { BINDER_PATH, madeFile, type MadeFile } from '../kits/kit-files.ts'
import { readDocument } from '../kits/kit-documents.ts'
import type { KitRecord } from '../kits/kit-queries.ts'
import { KIT_ZIP, kitZip } from '../kits/kit-zip.ts'
import { Refusal } from '../refusals.ts'
import { timestamp } from '../runtime/clock.ts'
import { statusOf } from './statuses.ts'
import type { SubmissionContext } from './submission-context.ts'
import { findSubmission, type OfSubmission, pollAfter, type SubmissionView } from './submission-queries.ts'
import { DeliverableList, deliverablePaths, FAIL_REPORT, failReport } from './submission.ts'

/** Files of a kit that can be downloaded separately. */
const DOWNLOADABLE = [
  'manifest.json',
  'receipt.json',
  'receipt.canonical.json',
  'receipt.sig',
  'jwks.json',
  'binder.pdf',
  'VERIFY.md',
  'reports/intake_report.json',
  'reports/classification_report.json',
  'reports/provenance.json',
  'reports/reissue.json',
  'reports/request.json',
  'reports/program.json',
  'reports/series.json',
] as const

/** The deliverables of a kit with these files. */
export function deliverableNames(paths: Iterable<string>): readonly string[] {
  const present = new Set(paths)
  return [KIT_ZIP, ...DOWNLOADABLE.filter((name) => present.has(name))]
}

const TYPES: Readonly<Record<string, string>> = {
  zip: 'application/zip',
  json: 'application/json; charset=utf-8',
  pdf: 'application/pdf',
  md: 'text/markdown; charset=utf-8',
  sig: 'application/octet-stream',
}

function deliverableType(name: string): string {
  return TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
}

const AnyDocument = Type.Union([
  ...(['FailReport', 'Manifest', 'Receipt', 'JWKS'] as const).map(ref),
  Type.Object({}, { additionalProperties: true }),
])
const Report = Type.Object({}, { additionalProperties: true })
const BINARY = ['application/zip', 'application/pdf', 'text/markdown', 'application/octet-stream']
const JsonFile = (schema: object) => ({
  description: 'The file.',
  content: { 'application/json': { schema } },
})
const ANY_FILE = {
  description: 'The file.',
  content: {
    'application/json': { schema: AnyDocument },
    ...Object.fromEntries(BINARY.map((type) => [type, { schema: { type: 'string', format: 'binary' } }])),
  },
}
const url = '/v1/submissions/:submission_id/deliverables'
const access = { scope: 'read', role: 'viewer' } as const

/** What a submission came to: the list, and each of its files. */
export const deliverableRoutes = [
  route('listDeliverables', `GET ${url}`, {
    access,
    summary: 'What a submission came to',
    description: 'Name, size and SHA-256 of each file. Empty until the status is PASS or FAIL.',
    returns: DeliverableList,
    codes: ['object_unavailable'],
    async run(ctx: SubmissionContext, call, reply) {
      const view = await findSubmission(ctx, call)
      const status = statusOf(view, timestamp(ctx.clock.now()))
      const retryAfter = pollAfter(ctx, view, status)
      if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
      const files = await filesOf(view, await kitOf(ctx, view), ctx)
      return { submission_id: view.submission_id, status, files }
    },
  }),
  route('getDeliverable', `GET ${url}/*`, {
    access,
    summary: 'Download a deliverable',
    description:
      'By its name in the list. A slash in the name can be sent as `/` or as `%2F`. Always the same bytes. Supports ranges, `If-None-Match` and HEAD.',
    path: {
      submission_id: Type.String(),
      name: Type.String({ description: 'A name such as `kit.zip` or `binder.pdf`.' }),
    },
    responses: { 200: ANY_FILE, 206: ANY_FILE, ...notModified },
    codes: FILE_CODES,
    send: (ctx: SubmissionContext, call, reply) => send(ctx, call, reply, call.params['*']),
  }),
  // The wildcard covers it, but generated clients send a slash in a parameter as %2F, which some proxies reject.
  route('getReport', `GET ${url}/reports/:report`, {
    access,
    summary: 'Download a report',
    description:
      'A deliverable in the folder `reports/`. Always the same bytes. Supports ranges, `If-None-Match` and HEAD.',
    path: {
      submission_id: Type.String(),
      report: Type.String({ description: 'A name without the folder, such as `intake_report.json`.' }),
    },
    responses: { 200: JsonFile(Report), 206: JsonFile(Report), ...notModified },
    codes: FILE_CODES,
    send: (ctx: SubmissionContext, call, reply) => send(ctx, call, reply, `reports/${call.params.report}`),
  }),
]

const kitOf = async (
  { kits }: SubmissionContext,
  { kit_id }: SubmissionView,
): Promise<KitRecord | undefined> => (kit_id === null ? undefined : await kits.find(kit_id))

async function send(
  ctx: SubmissionContext,
  call: OfSubmission & { readonly request: FastifyRequest },
  reply: FastifyReply,
  name: string,
): Promise<FastifyReply> {
  const { request } = call
  const view = await findSubmission(ctx, call)
  const { workspace_id: workspaceId, submission_id } = view
  const sendFile = (file: MadeFile, subject: DownloadedFile['subject']) => {
    const headers = name === BINDER_PATH && isOfMember(request) ? SHOWN_IN_CONSOLE : undefined
    const mediaType = deliverableType(name)
    return sendStoredFile(request, reply, file, { workspaceId, subject }, ctx, { mediaType, headers })
  }
  if (name === FAIL_REPORT && statusOf(view, timestamp(ctx.clock.now())) === 'FAIL')
    return sendFile(madeFile(FAIL_REPORT, failReport(view)), submission_id)
  const kit = await kitOf(ctx, view)
  const isThere = kit !== undefined && Object.hasOwn(JSON.parse(kit.downloads) as object, name)
  if (isThere && name === KIT_ZIP) return sendZip(request, reply, kit, ctx)
  if (!isThere || !kit.entries.some(({ path }) => path === name))
    throw new Refusal(
      'deliverable_not_found',
      'No deliverable of this name, or not yet. See the list of deliverables.',
    )
  return sendFile(madeFile(name, await readDocument(ctx.objects, kit, name)), kit.kitId)
}

function filesOf(
  view: SubmissionView,
  kit: KitRecord | undefined,
  { objects, kits }: Pick<Context, 'objects' | 'kits'>,
) {
  const paths = Object.entries(deliverablePaths(view))
  return Promise.all(
    paths.map(async ([name, path]) => {
      const media_type = deliverableType(name).split(';', 1)[0] ?? ''
      if (name === FAIL_REPORT) {
        const { sizeBytes, sha256 } = madeFile(name, failReport(view))
        return { name, path, media_type, size_bytes: sizeBytes, sha256 }
      }
      if (kit === undefined) throw new Error(`${view.submission_id} has deliverables and no kit`)
      if (name === KIT_ZIP) {
        const size_bytes = kitZip(kit, objects).sizeBytes
        return { name, path, media_type, size_bytes, sha256: (await kits.archiveSha256(kit)) ?? null }
      }
      const entry = kit.entries.find((each) => each.path === name)
      return { name, path, media_type, size_bytes: entry?.sizeBytes ?? 0, sha256: entry?.sha256 ?? null }
    }),
  )
}

/** The console shows the binder in a frame, with the browser's PDF viewer. */
const SHOWN_IN_CONSOLE = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; frame-ancestors 'self'",
  'content-disposition': 'inline; filename="binder.pdf"',
}

const isOfMember = ({ caller }: FastifyRequest): boolean =>
  caller.is === 'workspace' && caller.session !== undefined
