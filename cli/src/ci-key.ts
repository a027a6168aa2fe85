import { createClient, type Fetch } from '@kitseal/client'
import { describeError, InputError } from './input-error.ts'
import { fetchBody, isUnencrypted } from './fetch-document.ts'
import type { Terminal } from './terminal.ts'

type Environment = Terminal['env']

/** An API key of a CI job, and a `fetch` that sends a new one when it has nearly ended or is refused. */
export interface CiKey {
  readonly text: string
  readonly fetch: Fetch
}

/** In a CI job: an API key for the token that the CI system signed for this job. */
export async function ciKey(url: string, env: Environment, signal?: AbortSignal): Promise<CiKey> {
  if (isUnencrypted(url))
    throw new InputError(`${url} is not encrypted, so the token of this job is not sent to it`)
  const client = createClient({ baseUrl: url })
  const exchange = async (previous?: string): Promise<ShortKey> => {
    const idToken = await jobToken(env['KITSEAL_AUDIENCE'] || url, env)
    const sentAtMs = Date.now()
    const { access_token, expires_in } = await client.exchangeToken(
      {
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token: idToken,
        subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
        federation_id: env['KITSEAL_FEDERATION_ID'] ?? '',
        // Another key for the one that ends.
        ...(previous !== undefined && {
          actor_token: previous,
          actor_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        }),
      },
      { signal },
    )
    return { text: access_token, renewAtMs: sentAtMs + expires_in * RENEW_AFTER * 1000 }
  }
  const first = await exchange()
  return { text: first.text, fetch: renewingFetch(first, exchange) }
}

interface ShortKey {
  readonly text: string
  readonly renewAtMs: number
}

/** Of the lifetime of a key. The rest is for a CI system that does not answer at once. */
const RENEW_AFTER = 0.6

/** Sends each request with a key that lives. One that is refused with 401 is repeated once, with a new key. */
function renewingFetch(first: ShortKey, exchange: (previous: string) => Promise<ShortKey>): Fetch {
  let key = first
  let renewal: Promise<void> | undefined
  const renew = (used: ShortKey): Promise<void> | undefined => {
    if (used !== key) return undefined
    renewal ??= exchange(used.text)
      .then((made) => void (key = made))
      .finally(() => (renewal = undefined))
    return renewal
  }
  const send: Fetch = (url, init) =>
    globalThis.fetch(url, { ...init, headers: { ...(init?.headers as object), 'x-api-key': key.text } })
  return async (url, init) => {
    // If that fails, the old key is used to its end.
    if (Date.now() >= key.renewAtMs) await renew(key)?.catch(() => undefined)
    const used = key
    const response = await send(url, init)
    if (response.status !== 401) return response
    try {
      await renew(used)
    } catch {
      return response
    }
    // What was sent of it is gone. The client continues the upload.
    if (init?.body instanceof ReadableStream) throw new Error('the key of the job had ended and was renewed')
    return send(url, init)
  }
}

/** From KITSEAL_ID_TOKEN (`id_tokens` in GitLab, a credential in Jenkins), or from GitHub Actions. */
async function jobToken(audience: string, env: Environment): Promise<string> {
  const given = (env['KITSEAL_ID_TOKEN'] ?? '').trim()
  if (given !== '') return given
  const address = env['ACTIONS_ID_TOKEN_REQUEST_URL'] ?? ''
  const bearer = env['ACTIONS_ID_TOKEN_REQUEST_TOKEN'] ?? ''
  if (address === '' || bearer === '')
    throw new InputError(
      'KITSEAL_FEDERATION_ID is set, but this job has no token. In GitHub Actions, add "permissions: id-token: write". In GitLab, add KITSEAL_ID_TOKEN to id_tokens.',
    )
  return githubToken(address, bearer, audience)
}

const MAX_ANSWER_BYTES = 64 * 1024

async function githubToken(address: string, bearer: string, audience: string): Promise<string> {
  try {
    const url = new URL(address)
    url.searchParams.set('audience', audience)
    const bytes = await fetchBody(url.href, MAX_ANSWER_BYTES, { authorization: `Bearer ${bearer}` })
    if (bytes === undefined) throw new Error('status 404')
    const { value } = JSON.parse(Buffer.from(bytes).toString('utf8')) as { readonly value?: unknown }
    if (typeof value !== 'string' || value === '') throw new Error('the answer contains no token')
    return value
  } catch (error) {
    throw new InputError(`cannot get the token of this job from GitHub: ${describeError(error)}`)
  }
}
