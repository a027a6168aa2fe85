import { existsSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isJsonObject, parseStrictJson } from '@kitseal/kit/internal'
import { allowsOthers, makeFolder, userFolder } from '@kitseal/kit/internal/node'
import { InputError, orInputError, readIfExists } from './input-error.ts'
import { replaceFile } from './write-file.ts'
import type { Terminal } from './terminal.ts'
import { userInfo } from 'node:os'

/** What "kitseal login" stores. */
export interface Settings {
  readonly url?: string
  readonly api_key?: string
}

export function settingsPath(env: Terminal['env']): string {
  return join(configFolder(env), 'kitseal', 'config.json')
}

/** The config file, or `{}` without one. Rejects a file that other users can read. */
export function configuredSettings(env: Terminal['env']): Settings {
  const path = settingsPath(env)
  const bytes = readIfExists(path)
  if (bytes === undefined) return {}
  if (allowsOthers(statSync(path).mode, 0o077))
    throw new InputError(
      `other users can read ${path}. Run "chmod 600 ${path}", and rotate the key if others use this machine.`,
    )
  return parseSettings(path, bytes)
}

/** Replaces the config file atomically. Only its owner can read it. */
export async function writeSettings(env: Terminal['env'], settings: Required<Settings>): Promise<string> {
  const path = settingsPath(env)
  await orInputError(`cannot write ${path}`, async () => {
    await makeFolder(dirname(path))
    replaceFile(path, `${JSON.stringify(settings, null, 2)}\n`, 0o600)
  })
  return path
}

/** Deletes the config file. Returns whether there was one. */
export function removeSettings(env: Terminal['env']): boolean {
  const path = settingsPath(env)
  const exists = existsSync(path)
  orInputError(`cannot delete ${path}`, () => rmSync(path, { force: true }))
  return exists
}

function parseSettings(path: string, bytes: Uint8Array): Settings {
  const value = orInputError(`${path} is not valid JSON`, () => parseStrictJson(bytes))
  const isValid =
    isJsonObject(value) &&
    Object.entries(value).every(([name, text]) => KNOWN.has(name) && typeof text === 'string' && text !== '')
  if (!isValid)
    throw new InputError(
      `${path} must contain {"url": "…", "api_key": "…"}. Both are optional, and nothing else is allowed.`,
    )
  return value as Settings
}

const KNOWN: ReadonlySet<string> = new Set(['url', 'api_key'])

type Environment = Readonly<Record<string, string | undefined>>

/** The user's configuration folder. */
export const configFolder = (env: Environment): string => folderOf('config', env)

/** The user's folder for data that programs keep between runs. */
export const stateFolder = (env: Environment): string => folderOf('state', env)

function folderOf(kind: 'config' | 'state', env: Environment): string {
  const named = userFolder(kind, env)
  if (named !== undefined) return named
  // Asks the system for the user, which may call a name service.
  const home = homeFolder()
  return userFolder(kind, { HOME: home, USERPROFILE: home }) ?? home
}

function homeFolder(): string {
  try {
    return userInfo().homedir
  } catch {
    // In a container, the user may have no passwd entry.
    return '/'
  }
}
