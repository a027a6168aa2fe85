import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'
import { verifierPage } from '@kitseal/kit/node'
import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import { type AppContext, buildApp } from './app.ts'
import { type Clock, systemClock } from './clock.ts'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import type { Database } from './database/schema.ts'
import { openSqlite } from './database/sqlite.ts'
import { createMetrics } from './http/metrics.ts'
import { type Identifiers, randomIdentifiers } from './identifiers.ts'
import { fileKeys } from './keys/file-signer.ts'
import { pkcs11Keys } from './keys/pkcs11-signer.ts'
import type { KeyProvider } from './keys/signer.ts'
import { type SigningKeys, signingKeys } from './keys/signing-keys.ts'
import { discardKit, type SealContext, sealJobKit } from './kits/seal-kit.ts'
import { filesystemObjects } from './objects/filesystem-objects.ts'
import type { ObjectStore, StoredObject } from './objects/object-store.ts'
import { bufferLines, jsonLog, type LineSink, type Log } from './log.ts'
import { leaseOwner, ownerIsGone } from './work/lease-owner.ts'
import { releaseLeasesOf } from './work/leases.ts'
import { watchQueue } from './work/queue.ts'
import { type Sweeper, startSweeper } from './work/sweeper.ts'
import { type Worker, startWorker } from './work/worker.ts'
import { authenticateKeys } from './workspaces/api-keys.ts'
import { ensureFirstWorkspace } from './workspaces/first-workspace.ts'
import { type KeyUse, watchKeyUse } from './workspaces/key-use.ts'

/** What is kept between runs. */
export interface Store extends AsyncDisposable {
  readonly db: Kysely<Database>
  readonly objects: ObjectStore
  readonly signingKeys: SigningKeys
}

export async function openStore(config: Config, clock: Clock = systemClock): Promise<Store> {
  const db = await openSqlite(join(config.dataFolder, 'kitseal.sqlite'))
  const providers = keyProviders(config)
  return {
    db,
    objects: filesystemObjects(join(config.dataFolder, 'objects')),
    signingKeys: signingKeys({ db, providers, clock }),
    [Symbol.asyncDispose]: async () => {
      for (const provider of providers) await provider.close()
      await db.destroy()
    },
  }
}

/** The first makes new keys; a key in a file stays usable after a token is configured. */
function keyProviders(config: Config): readonly [KeyProvider, ...KeyProvider[]] {
  const passphrase = config.keyPassphrase === undefined ? {} : { passphrase: config.keyPassphrase }
  const files = fileKeys({ directory: join(config.dataFolder, 'keys'), ...passphrase })
  return config.signer.is === 'pkcs11' ? [pkcs11Keys(config.signer), files] : [files]
}

/** A running service. */
export interface Service extends AsyncDisposable {
  readonly app: FastifyInstance
  /** Where it answers: `http://127.0.0.1:8080`. */
  readonly address: string
  readonly issuer: string
  readonly signingKeys: SigningKeys
  /** The key of the workspace that the first start of all made; it is not kept anywhere. */
  readonly firstApiKey: string | undefined
  /** Finishes the requests and jobs in hand, then closes the store. */
  stop(): Promise<void>
}

export interface Surroundings {
  readonly clock?: Clock
  readonly identifiers?: Identifiers
  readonly log: LineSink
}

interface Running {
  stopping: boolean
  issuer: string
  worker?: Worker
  sweeper?: Sweeper
  keyUse?: KeyUse
  app?: FastifyInstance
}

/** The one place where everything is built and joined. */
export async function startService(config: Config, surroundings: Surroundings): Promise<Service> {
  const clock = surroundings.clock ?? systemClock
  const identifiers = surroundings.identifiers ?? randomIdentifiers()
  const lines = bufferLines(surroundings.log)
  const log = jsonLog(config.logLevel, lines, clock)
  const store = await openStore(config, clock)
  const state: Running = { stopping: false, issuer: config.issuer ?? '' }

  const stop = async (): Promise<void> => {
    if (state.stopping) return
    state.stopping = true
    await state.sweeper?.stop()
    await Promise.all([closeApp(state.app), state.worker?.stop()])
    await state.keyUse?.stop()
    await store[Symbol.asyncDispose]()
    lines.flush()
  }

  try {
    const page = await prepareStore(store)
    const firstApiKey = await ensureFirstWorkspace(store.db, clock, identifiers)
    const keyUse = watchKeyUse(store.db, clock, log)
    state.keyUse = keyUse
    const context: Context = { ...store, config, clock, identifiers }
    const queue = watchQueue(store.db, config.maxQueue, () => state.worker?.wake())
    const metrics = createMetrics()
    const app = await buildApp({
      ...context,
      queue,
      metrics,
      log,
      authenticate: authenticateKeys(store.db, clock, keyUse.used),
      ready: readyChecks(context, () => state.worker),
      waitingJobs: () => queue.count(),
      isStopping: () => state.stopping,
      issuer: () => state.issuer,
    } satisfies AppContext)
    state.app = app
    const address = await app.listen({ host: config.host, port: config.port })
    const issuer = config.issuer ?? address
    state.issuer = issuer
    log.info({ address, issuer }, 'listening')
    state.worker = await startWork({ ...context, issuer, verifierPage: page }, log, metrics)
    state.sweeper = startSweeper(store.db, clock, log, queue)
    return {
      app,
      address,
      issuer,
      signingKeys: store.signingKeys,
      firstApiKey,
      stop,
      [Symbol.asyncDispose]: stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

const CLOSE_IDLE_EVERY_MS = 50

/** A connection that was busy when the stop began falls idle later, and would be kept open for a next request. */
async function closeApp(app: FastifyInstance | undefined): Promise<void> {
  const timer = setInterval(() => app?.server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS)
  await app?.close()
  clearInterval(timer)
}

/** Proves, before anything is served, that the store can be written and that there is a key to sign with. */
async function prepareStore(store: Store): Promise<StoredObject> {
  await store.objects.sweepTemp()
  await store.signingKeys.ensureFirstKey()
  await store.signingKeys.activeSigner()
  return store.objects.put(verifierPage())
}

async function startWork(
  context: Context & SealContext,
  log: Log,
  metrics: AppContext['metrics'],
): Promise<Worker> {
  const { config, db, objects } = context
  const owner = leaseOwner()
  await releaseLeasesOf(db, (other) => ownerIsGone(other, owner))
  const ended = metrics.jobEnded
  return startWorker(
    {
      db,
      clock: context.clock,
      owner,
      leaseMs: config.leaseSeconds * 1000,
      maxAttempts: config.maxAttempts,
      seal: (job) => sealJobKit(context, { job }),
      discard: (kit) => discardKit(objects, kit),
      log,
      ended,
    },
    config.workers,
  )
}

function readyChecks(context: Context, worker: () => Worker | undefined): AppContext['ready'] {
  return {
    database: async () => {
      await context.db.selectFrom('signing_keys').select('kid').limit(1).execute()
      return true
    },
    objects: async () => {
      await access(join(context.config.dataFolder, 'objects'), constants.W_OK)
      return true
    },
    signing_key: async () => (await context.signingKeys.activeSigner()).kid !== '',
    work: async () => worker()?.healthy() === true,
  }
}
