import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Jwks, Receipt } from '@kitseal/kit'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Clock } from '../src/runtime/clock.ts'
import type { SubmissionsTable, KitEntry, KitsTable } from '../src/database/schema.ts'
import { openSqlite } from '../src/database/sqlite.ts'
import { handleErrors } from '../src/http/error-handler.ts'
import { ANYONE } from '../src/http/caller.ts'
import { handleClientErrors } from '../src/http/connections.ts'
import { routeTable } from '../src/http/route-table.ts'
import { jsonLog } from '../src/runtime/logger.ts'
import { readJsonStrictly, sharedSerializers } from '../src/http/json-bodies.ts'
import { NAMED_SCHEMAS } from '../src/site/schemas.ts'
import { randomIdentifiers } from '../src/runtime/identifiers.ts'
import { newJob } from '../src/submissions/create-submission.ts'
import { fileKeys } from '../src/keys/file-signer.ts'
import { jwksRoutes } from '../src/keys/jwks-routes.ts'
import { unitsOn } from './new-workspace.ts'
import { register } from '../src/http/route.ts'
import { signingKeys } from '../src/keys/signing-keys.ts'
import { transparencyLog } from '../src/log/transparency-log.ts'
import { filesystemObjects } from '../src/objects/filesystem-objects.ts'
import { registerVerifyKitRoutes } from '../src/kits/verify-kit-routes.ts'
import { registerVerifyRoutes } from '../src/kits/verify-receipt.ts'
import { intakeRecord, intakeReport } from '../src/kits/intake-record.ts'
import { kitCatalog } from '../src/kits/kit-queries.ts'
import type { DownloadLog } from '../src/audit/download-log.ts'
import { exportKit } from '../src/kits/export-kit.ts'
import { kitRoutes, visibleKits } from '../src/kits/kit-routes.ts'
import { sealFiles, sealJobKit, type SealContext, verifyAsServed } from '../src/kits/seal-kit.ts'
import { archiveSha256, type KitLayout } from '../src/kits/kit-zip.ts'
import { verifyUploadedKit } from '../src/kits/verify-uploaded-kit.ts'
import type { ObjectStore } from '../src/objects/object-store.ts'
import type { Store } from '../src/open-store.ts'
import { finishSubmission } from '../src/submissions/finish-submission.ts'
import { writeEmptySqlite } from '../../test/kit/databases.ts'
import { marksIn } from './marks-in.ts'
import { kitIssuer, passJobs, queueSealing } from '../src/submissions/seal-submission.ts'
import { SEAL } from '../src/submissions/statuses.ts'
import { claimTasks } from '../src/tasks/tasks.ts'

const ISSUER = 'https://issuer.example'

export interface KitsUnderTestOptions {
  readonly verifyUploaded?: typeof verifyUploadedKit
  readonly startPage?: Uint8Array
  /** The issuer in receipts, if not the one of the verifying service. */
  readonly sealedAs?: string
  /** Timeout of the HTTP server. Uploads have an idle timeout of 30 s. */
  readonly requestTimeoutMs?: number
}

/** As a worker does it. */
export const sealingIn =
  (objects: ObjectStore): SealContext['seal'] =>
  (_caller, files, sign) =>
    sealFiles(objects, files, sign)

const verifyIn = (objects: ObjectStore) => (stored: KitLayout, jwks: Jwks) =>
  verifyAsServed(objects, stored, jwks)

export const catalogOf = ({ db, objects }: Pick<Store, 'db' | 'objects'>) =>
  kitCatalog(db, (kit) => archiveSha256(kit, objects))

/** The routes and services for kits, with real storage in a temp folder. */
export async function kitsUnderTest(options: KitsUnderTestOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'kitseal-kits-'))
  const clock = { time: Date.parse('2026-03-01T12:00:00.250Z'), now: () => clock.time }
  await writeEmptySqlite(join(folder, 'kitseal.db'))
  const db = await openSqlite(join(folder, 'kitseal.db'))
  const objectsFolder = join(folder, 'objects')
  const objects = filesystemObjects(objectsFolder)
  const identifiers = randomIdentifiers()
  const providers = [fileKeys({ directory: join(folder, 'keys') })] as const
  const keys = signingKeys({ db, clock, providers })
  await keys.ensureFirstKey()
  const log = transparencyLog({ db, clock, providers, marks: marksIn(folder) })
  await log.ensure('issuer.example/log')
  const page = options.startPage
  const sealing: SealContext = {
    identifiers,
    signingKeys: keys,
    seal: sealingIn(objects),
    issuer: options.sealedAs ?? ISSUER,
    ...(page === undefined ? {} : { startPage: await objects.put(page) }),
  }
  const app = smallApp(clock, options.requestTimeoutMs ?? 0)
  const config = { issuer: ISSUER, dataFolder: folder, requestTimeoutSeconds: 30 }
  const ctx = {
    db,
    objects,
    space: { isLow: () => false, [Symbol.dispose]: () => {} },
    kits: catalogOf({ db, objects }),
    verifyUploaded: options.verifyUploaded ?? verifyUploadedKit,
    signingKeys: keys,
    transparencyLog: log,
    config,
    issuer: () => ISSUER,
  }
  const service = { ...ctx, units: unitsOn(db, clock) }
  const visible = { ...service, downloads: NO_DOWNLOAD_LOG, visibleKit: visibleKits(ctx) }
  register(app, [...kitRoutes, exportKit], visible)
  registerVerifyRoutes(app, ctx)
  register(app, jwksRoutes, service)
  registerVerifyKitRoutes(app, service, 1_000_000)

  const aJob = (): SubmissionsTable => {
    const request = {
      tenant_id: 'tenant',
      scope_label: 'scope',
      status: 'SUBMITTED',
      workspace_id: null,
    } as const
    return newJob({ clock, identifiers }, request, null)
  }

  return {
    folder,
    clock,
    db,
    objects,
    keys,
    sealing,
    app,
    ctx,
    newJob: aJob,
    /** The path of an object in the store. */
    pathOf: (object: string) => join(objectsFolder, object.slice(0, 1), object),
    async issue(evidence: readonly KitEntry[] = []) {
      const job = aJob()
      await db.insertInto('submissions').values(job).execute()
      await queueSealing(db, job)
      const holder = { db, clock, owner: 'test', leaseMs: 60_000 }
      const [task] = await claimTasks(holder, SEAL)('', 1)
      if (task === undefined) throw new Error('the job is not queued')
      const made = await sealTestKit(sealing, { job, evidence })
      const sealed = { db, clock, node: 'test', transparencyLog: log }
      await passJobs(sealed, [{ task, job, made: { is: 'kit', ...made } }], true)
      await kitIssuer({ ...sealed, verifyStored: verifyIn(objects), ...UNWATCHED }).issue()
      const row = await db
        .selectFrom('kits')
        .selectAll()
        .where('kit_id', '=', made.kit.kit_id)
        .executeTakeFirstOrThrow()
      return { kit: row, ...readRow(row) }
    },
    async [Symbol.asyncDispose]() {
      await app.close()
      await db.destroy()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export function readRow(kit: KitsTable): {
  readonly receipt: Receipt
  readonly entries: readonly KitEntry[]
} {
  return {
    receipt: JSON.parse(kit.receipt) as Receipt,
    entries: JSON.parse(kit.entries) as readonly KitEntry[],
  }
}

/** A kit with these files, or else with the record of its intake. */
export const sealTestKit = (
  ctx: SealContext,
  { job, evidence = [] }: { readonly job: SubmissionsTable; readonly evidence?: readonly KitEntry[] },
) =>
  sealJobKit(ctx, {
    job,
    evidence,
    describe: async ({ issuedAt }) => ({
      reports: [...(evidence.length === 0 ? [intakeRecord(job)] : []), intakeReport(job, null, issuedAt)],
    }),
  })

const UNWATCHED = { settle: finishSubmission, log: { info: () => {}, error: () => {} }, ended: () => {} }

/** Kits without a workspace have no audit log. */
const NO_DOWNLOAD_LOG: DownloadLog = { record: async () => undefined, stop: async () => undefined }

function smallApp(clock: Clock, requestTimeout: number): FastifyInstance {
  const app = Fastify({
    logger: false,
    requestTimeout,
    http: { connectionsCheckingInterval: 50 },
    clientErrorHandler: handleClientErrors({ identifiers: randomIdentifiers(), headers: {} }),
    schemaController: { compilersFactory: { buildSerializer: sharedSerializers } },
  })
  handleErrors(app, jsonLog('silent', process.stderr, clock), routeTable(app))
  readJsonStrictly(app)
  app.decorateRequest('caller', { getter: () => ANYONE })
  for (const [name, schema] of Object.entries(NAMED_SCHEMAS)) app.addSchema({ ...schema, $id: name })
  return app
}

/** The checks of a report that did not pass. */
export function notPassed(
  checks: readonly { readonly check: string; readonly result: string }[],
): readonly string[] {
  return checks.filter(({ result }) => result !== 'pass').map(({ check, result }) => `${check}: ${result}`)
}
