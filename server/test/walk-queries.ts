// Runs every query of a page, a list, a feed, a search and an upkeep task once, as the service does.
import assert from 'node:assert/strict'
import { sweepConsole } from '../src/access/sessions.ts'
import { catalogOf } from './test-kits.ts'
import { webhooksBehind } from '../src/deliveries/deliver-events.ts'
import { forgetMails } from '../src/deliveries/send-mail.ts'
import { randomIdentifiers } from '../src/runtime/identifiers.ts'
import { expireKits, expireOpenKits } from '../src/maintenance/expire-kits.ts'
import { scrubObjects } from '../src/maintenance/scrub-objects.ts'
import { eraseObjects, sweepUnaccepted } from '../src/maintenance/sweep-objects.ts'
import { acceptedObjects } from '../src/objects/accepted-objects.ts'
import type { Store } from '../src/open-store.ts'
import { openPeriods } from '../src/requests/open-period.ts'
import { remind } from '../src/requests/request-mail.ts'
import { releaseClaimsOf, sweepUploads } from '../src/submissions/resumable-uploads.ts'
import { SORTS } from '../src/submissions/find-submissions.ts'
import { releaseTasksOf } from '../src/tasks/tasks.ts'
import { sweep } from '../src/submissions/expire-drafts.ts'
import { logHeads } from '../src/audit/audit-heads.ts'
import { type AccessFixture, accessFixture } from '../../test/kit/access-fixture.ts'
import { member } from '../../test/kit/console.ts'
import { printedRoutes } from '../../test/kit/routes.ts'
import type { TestService } from '../../test/kit/service.ts'
import { administer } from '../../test/kit/workspace.ts'

export interface Walked {
  readonly fixture: AccessFixture
}

/** A service with some of everything, each of its GET routes with every filter, and upkeep. */
export async function walkQueries(service: TestService, store: Store): Promise<Walked> {
  const fixture = await accessFixture(service)
  const console = await member(service, 'owner', fixture.owner.workspaceId)
  await administer(service, (admin) => admin.operators.add('owner@acme.example'))
  for (const path of apiPaths(service, fixture)) {
    const { status } = await get(service, fixture, path)
    assert.ok(status < 500, `${path} is ${status}`)
  }
  for (const path of consolePaths(service, fixture)) {
    const { status } = await console.get(path)
    assert.ok(status < 400 || status === 404 || path === NO_LOCATION, `${path} is ${status}`)
  }
  await followPages(fixture)
  await upkeep(store)
  return { fixture }
}

/** An endless response. */
const STREAM = '/v1/events/stream'
const NO_LOCATION = '/oidc/callback'

async function get(service: TestService, { owner }: AccessFixture, path: string): Promise<Response> {
  const response = await fetch(service.base + path, {
    headers: { 'x-api-key': owner.key, 'tus-resumable': '1.0.0' },
    redirect: 'manual',
  })
  await response.arrayBuffer()
  return response
}

const DAY = '2026-01-01T00:00:00Z'
const LIST_QUERIES = [
  'label=access',
  'label=access%20review',
  'path=a.txt',
  'tag=quarterly',
  'series=Access%20review',
  'external_id=none',
  ...['PENDING', 'RUNNING', 'PASS', 'FAIL', 'EXPIRED'].map((status) => `status=${status}`),
  `created_after=${DAY}&created_before=${DAY}`,
  ...SORTS.map((sort) => `sort=${sort}`),
  ...SORTS.map((sort) => `sort=${sort}&label=access`),
]
const AUDIT_QUERIES = [
  'action=key.created',
  'action=key',
  'action=submission',
  'action=submission.passed',
  'by=operator',
  'by=service',
  'subject=sub_AAAAAAAAAAAAAAAAAAAAAAAAAAA',
  `since=${DAY}&until=${DAY}`,
]

function apiPaths(service: TestService, fixture: AccessFixture): readonly string[] {
  const plain = printedRoutes(service.service.app)
    .filter(([method, path]) => method === 'GET' && !path.startsWith('/console'))
    .map(([, path]) => filled(path, fixture))
    .filter((path) => path !== STREAM)
  return [
    ...plain,
    ...LIST_QUERIES.map((query) => `/v1/submissions?${query}`),
    '/v1/submissions?q=access',
    '/v1/submissions?q=%25',
    `/v1/submissions?q=${fixture.kitId}`,
    `/v1/submissions?q=${fixture.submissionId}`,
    ...AUDIT_QUERIES.map((query) => `/v1/audit?${query}`),
    `/v1/audit?by=${fixture.keyIds[0]}`,
    '/v1/audit?after=1',
    '/v1/audit?names=true',
    '/v1/events?after=1',
  ]
}

function consolePaths(service: TestService, fixture: AccessFixture): readonly string[] {
  return printedRoutes(service.service.app)
    .filter(([method, path]) => method === 'GET' && path.startsWith('/console/api/'))
    .map(([, path]) => filled(path.slice('/console/api'.length), fixture))
}

/** A path with IDs that exist. */
function filled(path: string, fixture: AccessFixture): string {
  const isDraft = path.includes('/uploads')
  const ids: Readonly<Record<string, string>> = {
    ':workspace_id': fixture.owner.workspaceId,
    ':submission_id': isDraft ? fixture.draftId : fixture.submissionId,
    ':upload_id': fixture.uploadId,
    ':kit_id': fixture.kitId,
    ':job_id': fixture.jobId,
    ':share_id': fixture.shareId,
    ':room_id': fixture.roomId,
    ':comment_id': fixture.commentId,
    ':evidence_request_id': fixture.evidenceRequestId,
    ':program_id': fixture.programId,
    ':period': fixture.period,
    ':webhook_id': fixture.webhookId,
    ':federation_id': fixture.federationId,
    ':series': 'Access%20review',
    ':profile': 'access-review',
    ':report': 'intake_report.json',
  }
  const comparison = path.endsWith('/compare') ? `?from=${fixture.kitId}&to=${fixture.kitId}` : ''
  return (
    path
      .replace(/^\/s\/:token(?=\/(?:kits|remarks))/, fixture.roomPath)
      .replace('/s/:token', fixture.sharePath)
      .replace('/r/:token', fixture.linkPath)
      .replace(/\/(files|proofs)\/\*$/, '/$1/data/a.txt')
      .replace(/deliverables\/\*$/, 'deliverables/kit.zip')
      .replaceAll(/:[a-z_]+/g, (name) => ids[name] ?? 'x'.repeat(43)) + comparison
  )
}

/** The second page of each list. */
async function followPages({ owner }: AccessFixture): Promise<void> {
  const lists = [
    'submissions',
    'audit',
    'events',
    'credits',
    'series',
    'shares',
    'rooms',
    'requests',
    'programs',
  ].map((list) => `/v1/${list}`)
  for (const list of [...lists, ...SORTS.map((sort) => `/v1/submissions?sort=${sort}`)]) {
    const first = `${list}${list.includes('?') ? '&' : '?'}limit=1`
    const cursor = (await owner.get(first)).json['next_cursor']
    if (typeof cursor === 'string') assert.equal((await owner.get(`${first}&cursor=${cursor}`)).status, 200)
  }
}

/** What runs in the background, and what `kitseal admin` runs. */
async function upkeep(store: Store): Promise<void> {
  const { db, objects, clock } = store
  const log = { info: () => {}, error: () => {} }
  const ctx = { ...store, log, identifiers: randomIdentifiers(), kits: catalogOf(store) }
  await db.updateTable('plans').set({ retention_days: 1 }).execute()
  await expireKits(ctx)
  await expireOpenKits(ctx, 1)
  for await (const _ of scrubObjects({ db, objects })) continue
  const config = { orphanGraceHours: 0, scrubBytesPerSecond: 0, openIntakeTtlDays: 1 }
  await eraseObjects(ctx)
  await sweepUnaccepted({ ...ctx, config })
  await logHeads(ctx)
  await openPeriods(ctx)
  await remind(ctx)
  await sweep(db, clock)
  await sweepUploads(ctx)
  await sweepConsole(db, clock)
  await releaseTasksOf(store, () => false)
  await releaseClaimsOf(db, () => false)
  await webhooksBehind(db).execute()
  await forgetMails(db, clock)
  // Backup and move.
  for await (const _ of acceptedObjects(db)) continue
}
