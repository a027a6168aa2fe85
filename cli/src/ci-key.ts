// docs/decisions/0424
import { createClient } from '@kitseal/client'
import { describeError, InputError } from './input-error.ts'
import { fetchBody } from './fetch-body.ts'
import { isUnencrypted } from './is-unencrypted.ts'
import type { Terminal } from './terminal.ts'

type Environment = Terminal['env']

/** In a CI job with KITSEAL_FEDERATION_ID: an API key for the token that the CI system signed for this job. Else undefined. */
export async function ciKey(
  url: string,
  env: Environment,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const federationId = env['KITSEAL_FEDERATION_ID'] ?? ''
  if (federationId === '') return undefined
  if (isUnencrypted(url))
    throw new InputError(`${url} is not encrypted, so the token of this job is not sent to it`)
  const idToken = await jobToken(env['KITSEAL_AUDIENCE'] || url, env)
  const client = createClient({ baseUrl: url })
  const { access_token } = await client.exchangeToken({ federationId, idToken }, { signal })
  return access_token
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
const TIMEOUT_MS = 20_000

async function githubToken(address: string, bearer: string, audience: string): Promise<string> {
  try {
    const url = new URL(address)
    url.searchParams.set('audience', audience)
    const bytes = await fetchBody(url.href, {
      headers: { authorization: `Bearer ${bearer}` },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      limitBytes: MAX_ANSWER_BYTES,
      tooLarge: () => new Error('the answer is too large'),
    })
    if (bytes === undefined) throw new Error('status 404')
    const { value } = JSON.parse(Buffer.from(bytes).toString('utf8')) as { readonly value?: unknown }
    if (typeof value !== 'string' || value === '') throw new Error('the answer contains no token')
    return value
  } catch (error) {
    throw new InputError(`cannot get the token of this job from GitHub: ${describeError(error)}`)
  }
}
