import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject, parseStrictJson } from '@kitseal/kit'
import { configFolder } from './config-folder.ts'
import { promptSecret } from './prompt-secret.ts'
import { reason, UnreadableInput } from './unreadable-input.ts'
import type { Terminal } from './terminal.ts'

interface Settings {
  readonly url?: string
  readonly api_key?: string
}

const DEFAULT_URL = 'http://127.0.0.1:8080'

/** Where the service is: --url, KITSEAL_URL, the configuration, or this machine. */
export function serviceUrl(given: string | undefined, { env }: Terminal): string {
  const named = given ?? (env['KITSEAL_URL'] || undefined) ?? readSettings(env).url ?? DEFAULT_URL
  const url = URL.canParse(named) ? new URL(named) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new UnreadableInput(`${JSON.stringify(named)} is no address of a service: it begins with https://`)
  if (url.username + url.password + url.search + url.hash !== '' || /[?#]/.test(named))
    throw new UnreadableInput(
      'the address of a service holds no user and no password, nothing behind "?" and nothing behind "#"',
    )
  return named.replace(/\/+$/, '')
}

/** The API key: KITSEAL_API_KEY, the configuration, or what is typed at a prompt. Never an argument: those are seen by all. */
export async function apiKey(terminal: Terminal, url: string, signal?: AbortSignal): Promise<string> {
  const { env } = terminal
  const known = (env['KITSEAL_API_KEY'] || undefined) ?? readSettings(env).api_key
  const key = known ?? (await promptSecret(terminal, `API key for ${url}: `, signal))
  if (key === undefined) {
    throw new UnreadableInput(
      `an API key is needed: set KITSEAL_API_KEY, or write {"api_key": "ks_…"} to ${settingsPath(env)} (mode 600)`,
    )
  }
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new UnreadableInput('the API key is not one: copy it again, as a whole')
  return key
}

/** Whether there is a key to send where none is needed. */
export function knownApiKey({ env }: Terminal): string | undefined {
  return (env['KITSEAL_API_KEY'] || undefined) ?? readSettings(env).api_key
}

function settingsPath(env: Terminal['env']): string {
  return join(configFolder(env), 'kitseal', 'config.json')
}

/** The configuration; empty where there is none. One that others can read is refused: its key is no secret any more. */
function readSettings(env: Terminal['env']): Settings {
  const path = settingsPath(env)
  const bytes = readIfThere(path)
  if (bytes === undefined) return {}
  if ((statSync(path).mode & 0o077) !== 0)
    throw new UnreadableInput(
      `${path} can be read by others: run "chmod 600 ${path}", and rotate the key if others use this machine`,
    )
  return parseSettings(path, bytes)
}

function readIfThere(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path)
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined
    throw new UnreadableInput(`${path} cannot be read: ${reason(error)}`)
  }
}

function parseSettings(path: string, bytes: Uint8Array): Settings {
  let value
  try {
    value = parseStrictJson(bytes)
  } catch (error) {
    throw new UnreadableInput(`${path} is no JSON: ${reason(error)}`)
  }
  const isRight =
    isJsonObject(value) &&
    Object.entries(value).every(([name, text]) => KNOWN.has(name) && typeof text === 'string' && text !== '')
  if (!isRight)
    throw new UnreadableInput(`${path} is not {"url": "…", "api_key": "…"}, of which each may be left out`)
  return value as Settings
}

const KNOWN: ReadonlySet<string> = new Set(['url', 'api_key'])
