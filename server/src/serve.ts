import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { type Config, readConfig } from './settings/config.ts'
import type { Environment } from './settings/settings.ts'
import { databaseProblem, storeProblem } from './database/store-problem.ts'
import type { LineSink } from './runtime/logger.ts'
import { within } from './runtime/promises.ts'
import { type Service, startService } from './services.ts'
import { StoppedWaiting } from './startup-wait.ts'
import { welcome } from './welcome.ts'

export interface ServeOptions {
  readonly env: Environment
  /** By setting name: `{ KITSEAL_PORT: '8080' }`. */
  readonly flags: Environment
  readonly stdout: LineSink & { readonly isTTY?: boolean }
  readonly stderr: LineSink
  /** Resolves when the service should stop. */
  readonly stopped: Promise<unknown>
}

const OK = 0
const FAILED = 1
const USAGE = 2

/** Runs the service until it is asked to stop; returns an exit code. */
export async function serve(options: ServeOptions): Promise<number> {
  const { stdout, stderr } = options
  const config = readConfig(options.env, options.flags)
  if (!config.ok) {
    stderr.write(['kitseal: invalid settings:', ...config.problems.map((text) => `  ${text}`), ''].join('\n'))
    return USAGE
  }
  let service: Service
  try {
    service = await startService(config.value, { log: stderr, stopped: options.stopped })
  } catch (error) {
    if (error instanceof StoppedWaiting) return OK
    stderr.write(`kitseal: ${startProblem(error, config.value)}\n`)
    return FAILED
  }
  // Set by deploy/Dockerfile. A container is named by its host name, unless the operator chose another.
  const container = options.env['container'] === 'kitseal' ? hostname() : undefined
  // Elsewhere, npx would run whatever has that name on npm.
  const program = existsSync('node_modules/.bin/kitseal') ? 'npx kitseal' : 'kitseal'
  const isTerminal = stdout.isTTY === true
  stdout.write(await welcome(service, config.value, { isTerminal, container, program }))
  await options.stopped
  stdout.write('Stopping after running requests and jobs have finished.\n')
  return (await stopWithin(service, config.value.stopTimeoutSeconds)) ? OK : FAILED
}

function isInObjectsFolder(error: unknown, { objects, dataFolder }: Config): boolean {
  const { path = '' } = error as NodeJS.ErrnoException
  return objects.is === 'folder' && !objects.path.startsWith(dataFolder) && path.startsWith(objects.path)
}

function startProblem(error: unknown, config: Config): string {
  const { host, port, dataFolder } = config
  const postgresProblem = databaseProblem(error, config)
  if (postgresProblem !== undefined) return postgresProblem
  const { code, message } = error as NodeJS.ErrnoException
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} on ${host} is in use. Stop the other process, or choose another port with --port.`
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `permission denied: ${message}. Check that you can write to ${dataFolder}, and that the port is above 1023.`
    case 'EEXIST':
    case 'ENOTDIR':
    case 'ENOENT':
      return isInObjectsFolder(error, config)
        ? `cannot use the objects folder (${message}). Choose another with --objects.`
        : `cannot use ${dataFolder} as the data folder (${message}). Choose another with --data.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this machine. Choose another with --host.`
    case 'SQLITE_NOTADB':
    case 'SQLITE_CORRUPT':
      return `${dataFolder}/kitseal.sqlite is not a readable database. Restore it from a backup, or choose another folder with --data.`
    default:
      return storeProblem(error, config) ?? message
  }
}

async function stopWithin(service: Service, seconds: number): Promise<boolean> {
  const stopped = service.stop().then(() => true)
  const done = await within(seconds * 1000, stopped, false)
  if (!done) service.app.server.closeAllConnections()
  return done
}
