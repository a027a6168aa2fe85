import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject, parseStrictJson } from '@kitseal/kit'
import { configFolder } from './config-folder.ts'
import { promptSecret } from './prompt-secret.ts'
import { describeError, InputError } from './input-error.ts'
import type { Terminal } from './terminal.ts'

interface Settings {
  readonly url?: string
  readonly api_key?: string
}

const DEFAULT_URL = 'http://127.0.0.1:8080'

/** The service URL: --url, KITSEAL_URL, the config file, or this machine. */
export function serviceUrl(given: string | undefined, { env }: Terminal): string {
  const named = given ?? (env['KITSEAL_URL'] || undefined) ?? readSettings(env).url ?? DEFAULT_URL
  const url = URL.canParse(named) ? new URL(named) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new InputError(
      `${JSON.stringify(named)} is not a service URL. It must start with https:// or http://`,
    )
  if (url.username + url.password + url.search + url.hash !== '' || /[?#]/.test(named))
    throw new InputError('the service URL must not contain a user name, a password, "?" or "#"')
  return named.replace(/\/+$/, '')
}

/** The API key from KITSEAL_API_KEY, the config file or a prompt. */
export async function apiKey(terminal: Terminal, url: string, signal?: AbortSignal): Promise<string> {
  const { env } = terminal
  const known = (env['KITSEAL_API_KEY'] || undefined) ?? readSettings(env).api_key
  const key = known ?? (await promptSecret(terminal, `API key for ${url}: `, signal))
  if (key === undefined) {
    throw new InputError(
      `no API key. Set KITSEAL_API_KEY, or write {"api_key": "ks_…"} to ${settingsPath(env)} (mode 600).`,
    )
  }
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new InputError('the API key contains spaces or non-ASCII characters. Copy it again.')
  return key
}

/** The API key if one is configured. Never prompts. */
export function knownApiKey({ env }: Terminal): string | undefined {
  return (env['KITSEAL_API_KEY'] || undefined) ?? readSettings(env).api_key
}

function settingsPath(env: Terminal['env']): string {
  return join(configFolder(env), 'kitseal', 'config.json')
}

/** The config file, or `{}` without one. Rejects a file that other users can read. */
function readSettings(env: Terminal['env']): Settings {
  const path = settingsPath(env)
  const bytes = readIfExists(path)
  if (bytes === undefined) return {}
  if ((statSync(path).mode & 0o077) !== 0)
    throw new InputError(
      `other users can read ${path}. Run "chmod 600 ${path}", and rotate the key if others use this machine.`,
    )
  return parseSettings(path, bytes)
}

function readIfExists(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path)
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined
    throw new InputError(`cannot read ${path}: ${describeError(error)}`)
  }
}

function parseSettings(path: string, bytes: Uint8Array): Settings {
  let value
  try {
    value = parseStrictJson(bytes)
  } catch (error) {
    throw new InputError(`${path} is not valid JSON: ${describeError(error)}`)
  }
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
