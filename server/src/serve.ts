import { type Config, type Environment, readConfig } from './config.ts'
import { databaseProblem } from './database/database-problem.ts'
import { storeProblem } from './database/store-problem.ts'
import type { LineSink } from './log.ts'
import { type Service, startService } from './services.ts'
import { welcome } from './welcome.ts'

export interface ServeOptions {
  readonly env: Environment
  /** By the names of settings: `{ KITSEAL_PORT: '8080' }`. */
  readonly flags: Environment
  readonly stdout: LineSink
  readonly stderr: LineSink
  /** Resolves when the service is to stop. */
  readonly stopped: Promise<unknown>
}

const OK = 0
const FAILED = 1
const USAGE = 2

/** Runs the service until it is told to stop; resolves to an exit code. */
export async function serve(options: ServeOptions): Promise<number> {
  const { stdout, stderr } = options
  const config = readConfig(options.env, options.flags)
  if (!config.ok) {
    stderr.write(
      ['kitseal: the settings need mending:', ...config.problems.map((text) => `  ${text}`), ''].join('\n'),
    )
    return USAGE
  }
  let service: Service
  try {
    service = await startService(config.value, { log: stderr })
  } catch (error) {
    stderr.write(`kitseal: ${startProblem(error, config.value)}\n`)
    return FAILED
  }
  stdout.write(await welcome(service, config.value))
  await options.stopped
  stdout.write('Stopping: what is in hand is finished first.\n')
  return (await stopWithin(service, config.value.stopTimeoutSeconds)) ? OK : FAILED
}

function isOfObjects(error: unknown, { objects, dataFolder }: Config): boolean {
  const { path = '' } = error as NodeJS.ErrnoException
  return objects.is === 'folder' && !objects.path.startsWith(dataFolder) && path.startsWith(objects.path)
}

function startProblem(error: unknown, config: Config): string {
  const { host, port, dataFolder } = config
  const ofDatabase = databaseProblem(error, config)
  if (ofDatabase !== undefined) return ofDatabase
  const { code, message } = error as NodeJS.ErrnoException
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} of ${host} is taken by another process. Stop that one, or choose another port with --port.`
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `not allowed: ${message}. Check that ${dataFolder} is yours to write, and that the port is above 1023.`
    case 'EEXIST':
    case 'ENOTDIR':
    case 'ENOENT':
      return isOfObjects(error, config)
        ? `the objects can't lie there (${message}). Choose another folder with --objects.`
        : `${dataFolder} can't be a folder (${message}). Choose another with --data.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `this machine has no address ${host}. Choose another with --host.`
    case 'SQLITE_NOTADB':
    case 'SQLITE_CORRUPT':
      return `${dataFolder}/kitseal.sqlite is not a readable database. Restore it from a backup, or choose another folder with --data.`
    default:
      return storeProblem(error, config) ?? message
  }
}

async function stopWithin(service: Service, seconds: number): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>()
  const timer = setTimeout(() => resolve(false), seconds * 1000)
  const done = await Promise.race([service.stop().then(() => true), late])
  clearTimeout(timer)
  if (!done) service.app.server.closeAllConnections()
  return done
}
