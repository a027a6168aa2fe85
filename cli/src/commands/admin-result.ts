import type { Config } from '@kitseal/server'
import type { Shown } from '../command-line.ts'
import { EXIT, type Terminal, usageError } from '../terminal.ts'

/** With exit code 1 unless `isOk`. */
export function done(text: readonly string[], json: unknown, isOk = true): Shown {
  return isOk ? { out: text, json } : { err: text, json, exitCode: EXIT.fail }
}

export function refused(code: string, ...text: readonly string[]): Shown {
  return done(text, { refused: code, message: text.join(' ') }, false)
}

export interface StoreCall {
  readonly command: string
  /** The folder of the data, if it was given. */
  readonly data: string | undefined
  /** Whether the store must exist. */
  readonly requiresStore: boolean
}

/** Performs an operation on the data of a service, which may be running. */
export async function performOnStore(
  { command, data, requiresStore }: StoreCall,
  terminal: Terminal,
  perform: (config: Config) => Promise<Shown>,
): Promise<Shown | number> {
  const { hasStore, readConfig } = await import('@kitseal/server')
  const config = readConfig(terminal.env, data === undefined ? {} : { KITSEAL_DATA: data })
  if (!config.ok) return usageError(terminal, command, config.problems)
  if (requiresStore && !hasStore(config.value)) return noStore(command, config.value)
  return perform(config.value).catch((error: unknown) => storeError(error, command, config.value))
}

function noStore(command: string, { dataFolder }: Config): Shown {
  const problem = `kitseal ${command}: no kitseal data found in ${dataFolder}.`
  const fix =
    'Pass the folder with --data DIR, set KITSEAL_DATABASE_URL, or start the service once to create it.'
  return { ...refused('no_data', problem, fix), exitCode: EXIT.usage }
}

/** Turns an error that the operator can fix into a result. Rethrows bugs. */
async function storeError(error: unknown, command: string, config: Config): Promise<Shown> {
  const { storeProblem, TransferRefused } = await import('@kitseal/server')
  if (error instanceof TransferRefused)
    return refused('transfer_refused', `kitseal ${command}: ${error.message}`)
  const isUnavailable = (error as Error).name === 'ObjectsUnavailable'
  const problem = isUnavailable ? (error as Error).message : storeProblem(error, config)
  if (problem === undefined) throw error
  return refused('store_unavailable', `kitseal ${command}: ${problem}`)
}
