import { findProfile } from './submissions/profiles.ts'
import { lookup } from 'node:dns/promises'
import { hostname } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { type AppContext, buildApp } from './app.ts'
import { reachableUrl } from './http/connections.ts'
import { type Clock, systemClock, timestamp } from './runtime/clock.ts'
import type { Config } from './settings/config.ts'
import { consolePlace, invitationLink } from './access/console-place.ts'
import { invite } from './access/invitations.ts'
import { loadProfiles } from '@kitseal/examiner/node'
import { createMetrics, type MetricsServer, serveMetrics } from './http/metrics.ts'
import { type Identifiers, randomIdentifiers } from './runtime/identifiers.ts'
import { isShared } from './database/dialect.ts'
import { setLocalTasks } from './database/queued-tasks.ts'
import { lockFolder } from './database/lock-folder.ts'
import type { NodeClock } from './database/database-clock.ts'
import type { JobNotifications } from './database/postgres-notifications.ts'
import { isUnencrypted } from './keys/database-signer.ts'
import type { SigningKeys } from './keys/signing-keys.ts'
import { kitCatalog } from './kits/kit-queries.ts'
import type { KitToVerify } from './kits/verify-uploaded-kit.ts'
import { originOf, readLog } from './log/log-key.ts'
import { registerLogMetrics, registerWitnessMetrics } from './log/log-metrics.ts'
import { publishingPolicy, readProofSources } from './log/cosign-checkpoints.ts'
import { storeStartPage } from './kits/start-page.ts'
import { watchFreeSpace } from './objects/disk-check.ts'
import { openStore, type Store } from './open-store.ts'
import { DECLARED } from './tables.ts'
import { foldersOf, readyChecks } from './ready-checks.ts'
import { type StartupWait, startupWait } from './startup-wait.ts'
import { describeService, VERSION, forgetNode, recordNode } from './service-status.ts'
import { bufferLines, jsonLog, type LineSink, type Log } from './runtime/logger.ts'
import { sealStored } from './keys/secrets-at-rest.ts'
import { registerDeliveryMetrics, deliveryTasks } from './deliveries/delivery-tasks.ts'
import { registerMaintenanceMetrics, maintenanceTasks } from './maintenance/maintenance-tasks.ts'
import { leaseOwner, ownerIsGone } from './runtime/lease-owner.ts'
import { releaseTasksOf } from './tasks/tasks.ts'
import { releaseClaimsOf } from './submissions/resumable-uploads.ts'
import { registerJobAge, watchQueue } from './submissions/job-queue.ts'
import { submissionQueries } from './submissions/submission-queries.ts'
import { runWork, type Work, type WorkOptions } from './work/run-work.ts'
import { type WorkerConfig, type WorkerFunctions, type ServicePool } from './work/worker-functions.ts'
import { poolOfThisThread, startPool } from './runtime/worker-pool.ts'
import { allowedAddresses } from './deliveries/outgoing.ts'
import { postWebhooks } from './deliveries/post-webhook.ts'
import { repeat } from './runtime/repeat.ts'
import { authenticateKeys } from './access/authenticate-key.ts'
import { watchLastUse } from './access/last-use.ts'
import { downloadLog } from './audit/download-log.ts'
import { removeFirstStart, ensureFirstWorkspace } from './access/first-start.ts'
import { listWorkspaces } from './access/workspaces.ts'

/** A running service. */
export interface Service extends AsyncDisposable {
  readonly app: FastifyInstance
  /** `http://127.0.0.1:8080` */
  readonly address: string
  readonly issuer: string
  /** `http://127.0.0.1:9464/metrics`; undefined if this node does not serve them. */
  readonly metricsUrl: string | undefined
  readonly signingKeys: SigningKeys
  /** API key of the default workspace, on the first start only: it is not stored. */
  readonly firstApiKey: string | undefined
  /** One-time link for the owner of that workspace, on the first start only. */
  readonly firstInvitation: string | undefined
  /**
   * Runs what the service would run by itself at this time of its clock, and waits for it: expiry, retention, reminders, periods, and the
   * deliveries of mail and webhooks. For tests, which set the clock.
   */
  runDue(): Promise<void>
  /** Waits for running requests and jobs, then closes the store. */
  stop(): Promise<void>
}

export interface ServiceOptions {
  /** With a custom clock, workers are functions of this thread, which start faster. */
  readonly clock?: Clock
  /** The clocks of this machine, for tests: the service follows the database's. */
  readonly nodeClock?: NodeClock
  readonly identifiers?: Identifiers
  readonly log: LineSink
  /** Folder of the built pages; by default web/dist. */
  readonly pages?: string
  /** Called with every SQL statement of the main thread. */
  readonly onStatement?: (text: string) => void
  /** Resolves when the service should stop, also while it waits for its store. */
  readonly stopped?: Promise<unknown>
}

interface Running {
  isStopping: boolean
  issuer: string
  worker?: Work
  notifications?: JobNotifications
  metricsServer?: MetricsServer
}

/** The composition root: builds and connects all parts of the service. */
export async function startService(config: Config, options: ServiceOptions): Promise<Service> {
  const ownClock = options.clock ?? options.nodeClock ?? systemClock
  const identifiers = options.identifiers ?? randomIdentifiers(ownClock)
  const lines = bufferLines(options.log)
  const log = jsonLog(config.logLevel, lines, ownClock)
  const proofSources = readProofSources(config.proof)
  const witnesses = proofSources?.witnesses
  const state: Running = { isStopping: false, issuer: config.issuer ?? '' }
  let isAsked = false
  void options.stopped?.then(() => (isAsked = true))
  await using waiting = startupWait(config, log, () => isAsked || state.isStopping)
  /** What is opened is closed in reverse. */
  const opened = new AsyncDisposableStack()
  opened.defer(() => lines.flush())
  const stop = async (): Promise<void> => {
    state.isStopping = true
    await opened.disposeAsync()
  }

  try {
    // Before the mark of the log is read.
    if (config.databaseUrl === undefined) opened.use(await lockFolder(config.dataFolder))
    const store = opened.use(
      await openStore(config, {
        clock: options.clock,
        nodeClock: options.nodeClock,
        publishing: publishingPolicy(proofSources, config.proof),
        retry: waiting.until,
        onStatement: options.onStatement,
      }),
    )
    const { clock } = store
    await prepareStore(store, waiting)
    const createWorkspace = () => ensureFirstWorkspace({ ...store, identifiers })
    const firstApiKey = config.role === 'worker' ? undefined : await waiting.until(createWorkspace)
    await waiting.until(() => warnOperator(store, config, log))
    await store.secrets.ready()
    await waiting.until(() => sealStored(store.db, store.secrets, DECLARED))
    const profiles = loadProfiles()
    const space = opened.use(await watchFreeSpace(Object.values(foldersOf(config)), config.minFreeBytes))
    const downloads = downloadLog({ db: store.db, clock, log, rateLimit: config.rateLimit })
    opened.defer(() => downloads.stop())
    const lastUse = watchLastUse(store.db, clock, log)
    opened.defer(() => lastUse.stop())
    opened.defer(() => state.metricsServer?.stop())
    const post = postWebhooks({ allowed: allowedAddresses(config.webhookAllow) })
    const pool = await openPool(store, config, log, options)
    opened.defer(() => pool.stop())
    const context = {
      ...store,
      space,
      transactTogether: store.units.together,
      webhooks: { ...store, clock, key: store.webhookKey, post, log },
      kits: kitCatalog(store.db, (kit) => pool.run('hashArchive', kit.workspaceId ?? '', kit)),
      verifyUploaded: (kit: KitToVerify) => pool.run('verifyUploaded', 'uploaded kits', kit),
      submissions: submissionQueries(store.db),
      downloads,
      config,
      clock,
      identifiers,
    }
    setLocalTasks(store.db, {
      place: (kind) => state.worker?.place(kind),
      queued(kinds) {
        for (const kind of kinds) state.worker?.wake(kind)
        // Other nodes look for tasks every second.
        if (state.worker?.healthy() !== true) state.notifications?.notify()
      },
    })
    const queue = watchQueue(store.db, { most: config.maxQueue })
    const metrics = createMetrics()
    registerMaintenanceMetrics(metrics.registry, store.db)
    registerJobAge(metrics.registry, store.db, clock)
    registerDeliveryMetrics(metrics.registry, store.db, clock)
    registerLogMetrics(metrics.registry, store, proofSources?.authorities !== undefined)
    const ready = await readyChecks(
      { ...options, store, config, worker: () => state.worker, waitsFor: () => waiting.reason },
      metrics.registry,
    )
    registerWitnessMetrics(metrics.registry, store.db, witnesses?.witnesses ?? [])
    const node = leaseOwner()
    const self = {
      name: `${hostname()}/${process.pid}`,
      role: config.role,
      version: VERSION,
      started_at: timestamp(clock.now()),
    }
    await waiting.until(() =>
      releaseClaimsOf(store.db, (owner) => ownerIsGone(owner, { owner: node, shared: isShared(store.db) })),
    )
    const app = await buildApp({
      ...context,
      node,
      queue,
      metrics,
      lastUse,
      log,
      witnesses,
      profiles,
      findProfile: (workspaceId, name) => findProfile(store.db, profiles, workspaceId, name),
      pages: options.pages ?? BUILT_PAGES,
      docs: BUILT_DOCS,
      authenticate: authenticateKeys(store.db, clock, lastUse.keyUsed),
      ready,
      describeService: (results) => describeService({ config, store, issuer: state.issuer }, results),
      waitingJobs: queue.countSoon,
      isStopping: () => state.isStopping,
      issuer: () => state.issuer,
    } satisfies AppContext)
    opened.defer(async () => void (await Promise.all([closeApp(app), state.worker?.stop()])))
    opened.defer(() => state.notifications?.stop())
    opened.defer(() => forgetNode(store.db, node).catch(() => undefined))
    // For the name localhost, Fastify would open a second server without our limits.
    const host = (await lookup(config.host)).address
    await waiting[Symbol.asyncDispose]()
    await app.listen({ host, port: config.port })
    const address = reachableUrl(app.server.address())
    const issuer = config.issuer ?? address
    state.issuer = issuer
    log.info({ address, issuer }, 'listening')
    const metricsServer = await serveMetrics(metrics, config.metrics, log)
    if (metricsServer !== undefined) state.metricsServer = metricsServer
    await waiting.until(() => store.transparencyLog.ensure(config.logOrigin ?? originOf(issuer)))
    await waiting.until(() => checkLog(store, log))
    if (config.role !== 'api') {
      const page = await waiting.until(() => storeStartPage(store, issuer))
      const work = {
        config,
        clock,
        identifiers,
        issuer,
        page,
        proofSources,
        profiles,
        log,
        pool,
        ended: metrics.jobEnded,
        kinds: [
          ...maintenanceTasks({ ...context, log, issuer }),
          ...(await deliveryTasks({ ...context, log, issuer })),
        ],
      }
      state.worker = await waiting.until(() => startWork(store, work))
    }
    if (config.databaseUrl !== undefined) {
      const { listenForJobs } = await import('./database/postgres-notifications.ts')
      state.notifications = listenForJobs(config.databaseUrl, () => state.worker?.poll())
    }
    const repeated = [
      repeat(1000, 'counting waiting jobs', () => queue.count(), log),
      repeat(1000, 'removing first-start.txt', () => removeFirstStart(store.db, config.dataFolder), log),
      repeat(30_000, 'recording this node', () => recordNode(store.db, clock, node, self), log),
    ]
    for (const each of repeated) opened.defer(() => each.stop())
    return {
      app,
      address,
      issuer,
      metricsUrl: metricsServer?.url,
      signingKeys: store.signingKeys,
      firstApiKey,
      firstInvitation:
        firstApiKey === undefined ? undefined : await waiting.until(() => inviteFirstOwner(context, issuer)),
      runDue: async () => {
        for (const each of repeated) await each.run()
        await state.worker?.run()
      },
      stop,
      [Symbol.asyncDispose]: stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

const BUILT_PAGES = fileURLToPath(new URL('../../web/dist', import.meta.url))
const BUILT_DOCS = fileURLToPath(new URL('../../docs/dist', import.meta.url))

type Inviting = Pick<AppContext, 'db' | 'units' | 'clock' | 'identifiers' | 'mail'>
/** The operator who starts the service first becomes the owner of the default workspace. */
async function inviteFirstOwner(context: Inviting, issuer: string): Promise<string> {
  const [workspace] = await listWorkspaces(context.db)
  if (workspace === undefined) throw new Error('there is no workspace')
  const acting = { workspaceId: workspace.workspace_id, actor: { is: 'service' } } as const
  const { token } = await context.units.write(acting, 'first owner', (unit) =>
    invite(unit, context, { email: FIRST_OWNER, role: 'owner' }),
  )
  return invitationLink(consolePlace(issuer), token)
}

const FIRST_OWNER = 'owner@localhost'
const CLOSE_IDLE_EVERY_MS = 50

/** Connections that become idle during the shutdown would otherwise be kept alive. */
async function closeApp(app: FastifyInstance): Promise<void> {
  const timer = setInterval(() => app.server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS)
  await app.close()
  clearInterval(timer)
}

/** Checks that the store is writable and that a signing key exists. */
async function prepareStore({ objects, signingKeys }: Store, { until }: StartupWait): Promise<void> {
  if (objects.isRemote) await until(() => objects.check())
  await objects.sweepTemp()
  await until(() => signingKeys.ensureFirstKey().then(() => signingKeys.activeSigner()))
}

/** Warns about settings that work but are risky. */
async function warnOperator(store: Store, config: Config, log: Log): Promise<void> {
  if (config.signer.is === 'database' && (await isUnencrypted(store.db)))
    log.warn(
      {},
      'the private signing key is stored unencrypted in the database: set KITSEAL_KEY_PASSPHRASE on every node',
    )
  if (config.databaseUrl !== undefined && config.issuer === undefined)
    log.warn({}, 'KITSEAL_ISSUER is not set: each node uses its own address as the issuer of its kits')
}

/** A log that was rolled back is frozen before anything is signed. The service starts, so that everything else works. */
async function checkLog({ db, marks, transparencyLog }: Store, log: Log): Promise<void> {
  if (await marks.isInData())
    log.warn(
      {},
      'the high-water mark of the log is in the data folder, so an old copy of the folder is not noticed: set KITSEAL_LOG_MARK to a folder outside',
    )
  const frozen = await transparencyLog.check()
  if (frozen !== undefined)
    log.error({ ...frozen }, 'the log is frozen: no kits are issued. Run "kitseal admin log repair"')
  const current = await readLog(db)
  if (current?.marked === 1 && (await (await marks.of(current)).read()).length === 0)
    log.warn({}, 'this node finds no high-water mark of the log: let all nodes share one KITSEAL_LOG_MARK')
}

/** What takes long or may crash runs in threads: as many as are configured, or one for each core but one. */
async function openPool(
  store: Store,
  { objects, clamav, workers }: Config,
  log: Log,
  { clock, nodeClock }: ServiceOptions,
): Promise<ServicePool> {
  const workerData: WorkerConfig = { objects, clamav }
  if (clock !== undefined || nodeClock !== undefined) {
    const { workerFunctions } = await import('./work/worker-functions.ts')
    return poolOfThisThread(workerFunctions(workerData, store.objects))
  }
  return startPool<WorkerFunctions>({ file: WORKER, workerData, size: workers, risky: RISKY, log })
}

/** They read what others have made. */
const RISKY = ['examine', 'verifyUploaded'] as const satisfies readonly (keyof WorkerFunctions)[]
const WORKER = new URL('./work/worker-thread.ts', import.meta.url)

async function startWork(store: Store, work: Omit<WorkOptions, 'owner' | 'concurrency'>): Promise<Work> {
  const owner = leaseOwner()
  const self = { owner, shared: isShared(store.db) }
  await releaseTasksOf(store, (other) => ownerIsGone(other, self))
  // Some are loaded or pass while others are in the workers.
  return runWork(store, { ...work, owner, concurrency: work.config.workers * 4 })
}
