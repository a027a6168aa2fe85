import { readFileSync } from 'node:fs'
import { createClient } from '@kitseal/client'
import { command, rowsOf, type Run } from '../command-line.ts'
import { InputError, orInputError } from '../input-error.ts'
import { issuerUrl, isUnencrypted } from '../fetch-document.ts'
import { type Keyboard, promptSecret } from '../prompt-secret.ts'
import { fetchLog } from '../read-policy.ts'
import { readKeySet } from '../read-documents.ts'
import { API_KEY_OPTION, callService, serviceCommand } from '../service-call.ts'
import { checkedApiKey, keySource, parseServiceUrl } from '../service-settings.ts'
import { removeSettings, settingsPath, writeSettings } from '../settings-file.ts'
import { EXIT, printable, type Terminal, writeLines } from '../terminal.ts'
import { trustIssuer } from '../pin-issuer.ts'
import { readTrustStore, trustStorePath } from '../trust-store.ts'

const HELP = `usage: kitseal login URL [--key-file FILE] [--yes] [--json]
       kitseal login [--json]                            show the service, workspace and API key in use

Logs in to a service: pins its keys, checks your API key, and stores both, so that other commands need neither --url nor
KITSEAL_API_KEY. Shows the keys of the service and asks before it pins them, and before the API key is sent.

The API key is asked for without echo, or read from standard input. It is never an argument, because other users of the
machine can see those. Create a key in the console under "API keys".

OPTIONS

The key is stored in ~/.config/kitseal/config.json (mode 600), or below XDG_CONFIG_HOME. It is sent to this service only.
--url and KITSEAL_URL, and KITSEAL_API_KEY, come first. "kitseal login" alone shows which are used; "kitseal logout" deletes it.

examples:
  kitseal login https://kitseal.example --yes < api-key.txt

exit codes: 0 success; 2 wrong usage, or the service cannot be reached; 4 the service rejected the API key`

const login = command('login', HELP, {
  options: {
    'key-file': 'FILE  read the API key from a file',
    yes: 'pin the keys without asking',
    'api-key': 'one',
  },
  read: ({ positionals: [url = '', ...more], value, has, json, reject }) => {
    reject(
      has('api-key') && API_KEY_OPTION,
      url === '' && 'pass the URL of the service, such as https://kitseal.example',
      ...more.map((word) =>
        word.startsWith('ks_')
          ? 'the API key must not be an argument: other users can see arguments, and the shell stores them. Rotate this key.'
          : `unexpected argument ${JSON.stringify(word)}`,
      ),
    )
    return (terminal) => {
      const readKey = (signal: AbortSignal): Promise<string> =>
        readApiKey(value('key-file'), url, terminal, signal)
      const pin = async (signal: AbortSignal): Promise<boolean> => {
        const service = parseServiceUrl(url)
        if (isUnencrypted(service))
          throw new InputError(
            `${service} is not encrypted: others on the network could read the API key. Use https.`,
          )
        // Says what is wrong with the URL, before anything is asked.
        await createClient({ baseUrl: service, retry: { attempts: 1 } }).getKeys({ signal })
        // Only the result goes to standard output.
        return pinService(service, has('yes'), json ? { ...terminal, stdout: terminal.stderr } : terminal)
      }
      const setup = { command: 'login', url, json, readKey }
      return callService(
        terminal,
        setup,
        pin,
        async ({ client, url: service, apiKey = '', signal }, pinned) => {
          const { workspace_id } = await client.me({ signal })
          const stored = await writeSettings(terminal.env, { url: service, api_key: apiKey })
          return {
            json: { status: 'OK', url: service, workspace_id, pinned, stored },
            out: [
              `Logged in to ${service}, workspace ${printable(workspace_id)}.`,
              `The API key is stored in ${printable(stored)}.`,
            ],
          }
        },
      )
    }
  },
})

/** Without a URL: what the other commands use, and what the key may do. */
const show = serviceCommand('login', HELP, {
  arguments: [],
  read:
    () =>
    async ({ client, signal, url, terminal }) => {
      const me = await client.me({ signal })
      const { actor } = me
      const shown = {
        service: `${url}, ${keySource(terminal, url)}`,
        workspace: `${me.workspace_id}  ${me.workspace_name}`,
        [actor.type]: `${actor.id}  ${actor.name}`,
        may: me.scopes ?? me.role,
        expires: me.expires_at ?? 'never',
        plan: me.plan.name,
      }
      return { json: { url, ...me }, out: rowsOf(shown) }
    },
})

/** `kitseal login`. */
export const run: Run = (args, terminal) =>
  args.some((arg) => !/^--(json|url)\b/.test(arg)) ? login(args, terminal) : show(args, terminal)

/** Pins the issuer unless it is pinned already. Returns whether it is pinned. */
async function pinService(
  service: string,
  yes: boolean,
  terminal: Terminal & { readonly stdin?: Keyboard },
): Promise<boolean> {
  const say = (text: string): void => writeLines(terminal.stderr, [printable(text)])
  const issuer = issuerUrl(service)
  if (issuer === undefined) {
    say(`The keys of ${service} were not pinned, because the connection is not encrypted.`)
    return false
  }
  const origin = (await fetchLog(issuer))?.key.name
  if (origin !== undefined && origin !== `${issuer.replace(/^https?:\/\//, '')}/log`) {
    say(
      `The keys were not pinned: the log of ${service} has another name, ${origin}. To pin them, run "kitseal trust add ISSUER" with the issuer that its kits name.`,
    )
    return false
  }
  const path = trustStorePath(terminal.env)
  if (await isPinned(issuer, path)) return true
  const { out = [], err = [], exitCode = EXIT.ok } = await trustIssuer(issuer, { yes }, path, terminal)
  writeLines(terminal.stderr, err)
  writeLines(terminal.stdout, out)
  if (exitCode === EXIT.ok) return true
  throw new InputError('you are not logged in, because the keys were not pinned. The API key was not sent.')
}

async function isPinned(issuer: string, path: string): Promise<boolean> {
  const pinned = new Set(
    readTrustStore(path)
      .pins.filter((pin) => pin.issuer === issuer)
      .map(({ kid }) => kid),
  )
  if (pinned.size === 0) return false
  const { keys } = await readKeySet(`${issuer}/.well-known/jwks.json`)
  return keys.length === pinned.size && keys.every(({ kid }) => pinned.has(kid))
}

const MAX_KEY_BYTES = 4096

async function readApiKey(
  file: string | undefined,
  url: string,
  terminal: Terminal & { readonly stdin?: Keyboard },
  signal: AbortSignal,
): Promise<string> {
  const typed =
    file === undefined && terminal.stdin?.isTTY === true
      ? await promptSecret(terminal, `API key for ${url}: `, signal)
      : readKeyText(file)
  if (typed === undefined || typed === '')
    throw new InputError(
      'no API key. Type it at the prompt, or pass it on standard input or with --key-file.',
    )
  return checkedApiKey(typed)
}

function readKeyText(file: string | undefined): string {
  const source = file ?? 'the API key from standard input'
  const bytes = orInputError(`cannot read ${source}`, () => readFileSync(file ?? 0))
  if (bytes.length > MAX_KEY_BYTES)
    throw new InputError(`${file ?? 'standard input'} is too large for an API key`)
  return bytes.toString('utf8').trim()
}

const LOGOUT = `usage: kitseal logout [OPTIONS]

Deletes the API key and the URL that "kitseal login" stored. The key stays valid until it is revoked, and the issuer stays
pinned until "kitseal trust remove".

OPTIONS

exit codes: 0 success; 2 wrong usage, or the file cannot be deleted`

/** `kitseal logout`. */
export const logout = command('logout', LOGOUT, {
  arguments: [],
  read:
    () =>
    async ({ env }) => {
      const path = settingsPath(env)
      const removed = removeSettings(env)
      const text = removed ? `Logged out. Deleted ${printable(path)}.` : 'You were not logged in.'
      return { json: { status: 'OK', removed, path }, out: [text] }
    },
})
