import type { CiKey } from './ci-key.ts'
import { configuredSettings, settingsPath } from './settings-file.ts'
import { InputError } from './input-error.ts'
import { promptSecret } from './prompt-secret.ts'
import type { Terminal } from './terminal.ts'

const DEFAULT_URL = 'http://127.0.0.1:8080'

/** The service URL: --url, KITSEAL_URL, the config file, or this machine. */
export function serviceUrl(given: string | undefined, { env }: Terminal): string {
  return parseServiceUrl(
    given ?? (env['KITSEAL_URL'] || undefined) ?? configuredSettings(env).url ?? DEFAULT_URL,
  )
}

export function parseServiceUrl(named: string): string {
  const url = URL.canParse(named) ? new URL(named) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new InputError(
      `${JSON.stringify(named)} is not a service URL. It must start with https:// or http://`,
    )
  if (url.username + url.password + url.search + url.hash !== '' || /[?#]/.test(named))
    throw new InputError('the service URL must not contain a user name, a password, "?" or "#"')
  return named.replace(/\/+$/, '')
}

/** The API key from KITSEAL_API_KEY, the token of a CI job, whose `fetch` sends a new key when it ends, the config file or a prompt. */
export async function apiKey(
  terminal: Terminal,
  url: string,
  signal?: AbortSignal,
): Promise<Partial<CiKey> & Pick<CiKey, 'text'>> {
  const { env } = terminal
  if (!env['KITSEAL_API_KEY'] && env['KITSEAL_FEDERATION_ID'])
    return (await import('./ci-key.ts')).ciKey(url, env, signal)
  const key =
    (env['KITSEAL_API_KEY'] || undefined) ??
    knownApiKey(terminal, url) ??
    (await promptSecret(terminal, `API key for ${url}: `, signal))
  if (key === undefined) {
    const { url: other, api_key } = configuredSettings(env)
    throw new InputError(
      api_key === undefined
        ? `no API key. Run "kitseal login ${url}", set KITSEAL_API_KEY, or write {"api_key": "ks_…"} to ${settingsPath(env)} (mode 600).`
        : `no API key for ${url}. You are logged in to ${other}. Set KITSEAL_API_KEY, or run "kitseal login ${url}".`,
    )
  }
  return { text: checkedApiKey(key) }
}

export function checkedApiKey(key: string): string {
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new InputError('the API key contains spaces or non-ASCII characters. Copy it again.')
  return key
}

/** The API key if one is configured. Never prompts. A key that is stored with a URL is sent to no other service. */
export function knownApiKey({ env }: Terminal, url: string): string | undefined {
  const given = env['KITSEAL_API_KEY'] || undefined
  if (given !== undefined) return given
  const { url: stored, api_key } = configuredSettings(env)
  return stored === undefined || isSameService(stored, url) ? api_key : undefined
}

/** Where the API key came from, for people. */
export function keySource(terminal: Terminal, url: string): string {
  if ((terminal.env['KITSEAL_API_KEY'] ?? '') !== '') return 'API key from KITSEAL_API_KEY'
  if ((terminal.env['KITSEAL_FEDERATION_ID'] ?? '') !== '') return 'key for the token of this CI job'
  return knownApiKey(terminal, url) === undefined ? 'API key typed' : 'logged in'
}

function isSameService(a: string, b: string): boolean {
  return URL.canParse(a) && new URL(a).href.replace(/\/+$/, '') === new URL(b).href.replace(/\/+$/, '')
}
