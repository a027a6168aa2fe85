import { spawnSync, type SpawnSyncReturns } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { needs } from '../../test/kit/needs.ts'

export const PROGRAM = path.join(import.meta.dirname, 'kitseal-verify.py')
const RUN_VECTORS = path.join(import.meta.dirname, 'run-vectors.py')

/** A reason to skip tests, or false. */
export const skipWithoutPython = needs('python3').skip

/** What --json prints. */
export interface PythonReport {
  readonly status: string
  readonly verdict: string
  readonly errors: readonly string[]
  readonly checks: readonly { readonly check: string; readonly guarantee: string; readonly result: string }[]
  readonly signer: { readonly kid: string | null; readonly trust: string }
  readonly [boolean: string]: unknown
}

export function verify(...args: readonly string[]): SpawnSyncReturns<string> {
  return python('-B', PROGRAM, ...args)
}

export function python(...args: readonly string[]): SpawnSyncReturns<string> {
  return spawnSync('python3', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
}

/** The results of all vectors in a folder, by name. */
export function runVectors(folder: string, ...options: readonly string[]): Readonly<Record<string, unknown>> {
  if (!existsSync(path.join(folder, 'index.json'))) throw new Error(`${folder} has no vectors`)
  const { status, stdout, stderr } = python('-B', RUN_VECTORS, folder, ...options)
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as Readonly<Record<string, unknown>>
}
