import { ApiError, type Client } from '@kitseal/client'

/** The workspace of the API key. Undefined if its scopes do not allow to ask. Throws if the service rejects the key. */
export async function findWorkspace(client: Client, signal: AbortSignal): Promise<string | undefined> {
  try {
    return (await client.getCredits({ limit: 1 }, { signal })).workspace_id
  } catch (error) {
    if (error instanceof ApiError && error.code === 'scope_missing') return undefined
    throw error
  }
}
