import { lookup } from 'node:dns/promises'
import { fileURLToPath } from 'node:url'
import { verifierPage } from '@kitseal/kit/node'
import type { FastifyInstance } from 'fastify'
import { type AppContext, buildApp } from './app.ts'
import { type Clock, systemClock } from './clock.ts'
import type { Config } from './config.ts'
import { consolePlace, invitationLink } from './console/console-place.ts'
import { invitations } from './console/invitations.ts'
import type { Context } from './context.ts'
import { loadProfiles } from '@kitseal/evidence/node'
import { createMetrics } from './http/metrics.ts'
import { type Identifiers, randomIdentifiers } from './identifiers.ts'
import { isShared } from './database/dialect.ts'
import type { NodeBell } from './database/postgres-bell.ts'
import { whenItAnswers } from './database/when-it-answers.ts'
import { standsUnencrypted } from './keys/database-signer.ts'
import type { SigningKeys } from './keys/signing-keys.ts'
import { kitCatalog } from './kits/kit-queries.ts'
import type { StoredObject } from './objects/object-store.ts'
import { whenThere } from './objects/when-there.ts'
import { openStore, type Store } from './open-store.ts'
import { bufferLines, jsonLog, type LineSink, type Log } from './log.ts'
import { startUpkeep, type Upkeep } from './maintenance/start-maintenance.ts'
import { registerUpkeepMetrics } from './maintenance/maintenance-metrics.ts'
import { leaseOwner, ownerIsGone } from './work/lease-owner.ts'
import { releaseLeasesOf } from './work/leases.ts'
import { watchQueue } from './intake/job-queue.ts'
import { runWork, type WorkOptions } from './work/run-work.ts'
import { startWorkThread } from './work/start-work-thread.ts'
import { type Sweeper, startSweeper } from './work/sweeper.ts'
import type { Worker } from './work/worker.ts'
import { authenticateKeys } from './workspaces/api-keys.ts'
import { ensureFirstWorkspace } from './workspaces/first-workspace.ts'
import { type KeyUse, watchKeyUse } from './workspaces/key-use.ts'
import { workspaces } from './workspaces/workspaces.ts'

/** A running service. */
export interface Service extends AsyncDisposable {
  readonly app: FastifyInstance
  /** Where it answers: `http://127.0.0.1:8080`. */
  readonly address: string
  readonly issuer: string
  readonly signingKeys: SigningKeys
  /** The key of the workspace that the first start of all made; it is not kept anywhere. */
  readonly firstApiKey: string | undefined
  /** A one-time link into the console, for the owner of that workspace; it is not kept anywhere either. */
  readonly firstInvitation: string | undefined
  /** Finishes the requests and jobs in hand, then closes the store. */
  stop(): Promise<void>
}

export interface Surroundings {
  /** A service with a clock of its own does its work in the thread that serves, where the clock can be set. */
  readonly clock?: Clock
  readonly identifiers?: Identifiers
  readonly log: LineSink
  /** Where the built pages are; the project's own where it is not said. */
  readonly pages?: string
  /** Told of every statement that requests send to the database, and with a clock of its own of those of work too. */
  readonly statements?: (text: string) => void
}

/** How long a database, or an object store, that starts at the same time as the service is waited for. */
const STORE_PATIENCE_MS = 30_000

interface Running {
  stopping: boolean
  issuer: string
  worker?: Worker
  sweeper?: Sweeper
  upkeep?: Upkeep
  keyUse?: KeyUse
  bell?: NodeBell
  app?: FastifyInstance
}

/** The one place where everything is built and joined. */
export async function startService(config: Config, surroundings: Surroundings): Promise<Service> {
  const clock = surroundings.clock ?? systemClock
  const identifiers = surroundings.identifiers ?? randomIdentifiers()
  const lines = bufferLines(surroundings.log)
  const log = jsonLog(config.logLevel, lines, clock)
  const store = await openStore(config, {
    clock,
    patienceMs: STORE_PATIENCE_MS,
    watch: surroundings.statements,
  })
  const state: Running = { stopping: false, issuer: config.issuer ?? '' }

  const stop = async (): Promise<void> => {
    if (state.stopping) return
    state.stopping = true
    await state.sweeper?.stop()
    await state.upkeep?.stop()
    await state.bell?.stop()
    await Promise.all([closeApp(state.app), state.worker?.stop()])
    await state.keyUse?.stop()
    await store[Symbol.asyncDispose]()
    lines.flush()
  }

  try {
    const page = await prepareStore(store)
    const isWorker = config.role === 'worker'
    const makeFirst = () => ensureFirstWorkspace(store.db, clock, identifiers)
    const firstApiKey = isWorker ? undefined : await whenItAnswers(makeFirst, STORE_PATIENCE_MS)
    await warnOperator(store, config, log)
    const profiles = loadProfiles()
    const keyUse = watchKeyUse(store.db, clock, log)
    state.keyUse = keyUse
    const context: Context = { ...store, kits: kitCatalog(store.db), config, clock, identifiers }
    const wake = (): void => state.worker?.wake()
    const queue = watchQueue(store.db, config.maxQueue, () => {
      wake()
      state.bell?.ring()
    })
    const metrics = createMetrics()
    registerUpkeepMetrics(metrics.registry, store.db)
    const app = await buildApp({
      ...context,
      queue,
      metrics,
      log,
      profiles: new Set(profiles.keys()),
      pages: surroundings.pages ?? BUILT_PAGES,
      authenticate: authenticateKeys(store.db, clock, keyUse.used),
      ready: readyChecks(context, () => state.worker),
      waitingJobs: queue.countSoon,
      isStopping: () => state.stopping,
      issuer: () => state.issuer,
    } satisfies AppContext)
    state.app = app
    // An address: for the name localhost the framework opens a second server, for which none of our limits would hold.
    const host = (await lookup(config.host)).address
    const address = reachable(await app.listen({ host, port: config.port }))
    const issuer = config.issuer ?? address
    state.issuer = issuer
    log.info({ address, issuer }, 'listening')
    if (config.role !== 'api') {
      const work = { issuer, page, log, ended: metrics.jobEnded }
      state.worker = await startWork(store, context, work, surroundings)
    }
    if (config.databaseUrl !== undefined) {
      const { postgresBell } = await import('./database/postgres-bell.ts')
      state.bell = postgresBell(config.databaseUrl, wake)
    }
    state.sweeper = startSweeper(store.db, clock, log, queue)
    if (config.role !== 'api')
      state.upkeep = startUpkeep({ ...context, log, owner: leaseOwner(), page: page.sha256 })
    return {
      app,
      address,
      issuer,
      signingKeys: store.signingKeys,
      firstApiKey,
      firstInvitation: firstApiKey === undefined ? undefined : await inviteFirstOwner(context, issuer),
      stop,
      [Symbol.asyncDispose]: stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

const BUILT_PAGES = fileURLToPath(new URL('../../web/dist', import.meta.url))

/** Whoever starts a service of their own for the first time is its owner. */
async function inviteFirstOwner(context: Context, issuer: string): Promise<string> {
  const [workspace] = await workspaces(context).list()
  if (workspace === undefined) throw new Error('there is no workspace')
  const asked = { workspaceId: workspace.workspace_id, email: FIRST_OWNER, role: 'owner' } as const
  const { token } = await invitations(context).invite(asked, { is: 'service' })
  return invitationLink(consolePlace(issuer), token)
}

const FIRST_OWNER = 'owner@localhost'
const CLOSE_IDLE_EVERY_MS = 50

/** A connection that was busy when the stop began falls idle later, and would be kept open for a next request. */
async function closeApp(app: FastifyInstance | undefined): Promise<void> {
  const timer = setInterval(() => app?.server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS)
  await app?.close()
  clearInterval(timer)
}

/** Proves, before anything is served, that the store can be written and that there is a key to sign with. */
async function prepareStore(store: Store): Promise<StoredObject> {
  await whenThere(store.objects, STORE_PATIENCE_MS)
  await store.objects.sweepTemp()
  await whenItAnswers(() => store.signingKeys.ensureFirstKey(), STORE_PATIENCE_MS)
  await store.signingKeys.activeSigner()
  return store.objects.put(verifierPage())
}

/** What works, and is worth a second thought. */
async function warnOperator(store: Store, config: Config, log: Log): Promise<void> {
  if (config.signer.is === 'database' && (await standsUnencrypted(store.db)))
    log.warn(
      {},
      'the private signing key stands unencrypted in the database: set KITSEAL_KEY_PASSPHRASE at every node',
    )
  if (config.databaseUrl !== undefined && config.issuer === undefined)
    log.warn({}, 'KITSEAL_ISSUER is not set: each node names its own address as the issuer of what it seals')
}

/** Examining and sealing take long: requests are served meanwhile, so that work has a thread of its own. */
async function startWork(
  store: Store,
  { config, clock, identifiers }: Context,
  work: Pick<WorkOptions, 'issuer' | 'page' | 'ended'> & { readonly log: Log },
  surroundings: Surroundings,
): Promise<Worker> {
  const owner = leaseOwner()
  const self = { owner, shared: isShared(store.db) }
  await releaseLeasesOf(store.db, (other) => ownerIsGone(other, self))
  if (surroundings.clock === undefined) return startWorkThread(store.db, { ...work, config })
  const options = { ...work, config, clock, identifiers, owner, lanes: config.workers }
  return runWork(store, options)
}

function readyChecks(context: Context, worker: () => Worker | undefined): AppContext['ready'] {
  return {
    database: async () => {
      await context.db.selectFrom('signing_keys').select('kid').limit(1).execute()
      return true
    },
    objects: async () => {
      await context.objects.check()
      return true
    },
    signing_key: async () => (await context.signingKeys.activeSigner()).kid !== '',
    work: async () => context.config.role === 'api' || worker()?.healthy() === true,
  }
}

/** A service that listens on every interface is reached, from the same machine, on this one. */
const reachable = (address: string): string =>
  address.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
