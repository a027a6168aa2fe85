/** Who sends a request. */
export type Caller = { readonly is: 'anyone' } | { readonly is: 'workspace'; readonly workspaceId: string }

export const ANYONE: Caller = { is: 'anyone' }

/** Whose key this is; undefined where it is nobody's. */
export type Authenticate = (apiKey: string) => Promise<Caller | undefined>

/** There are no workspaces yet, so that no key is valid. */
export const noKeyIsValid: Authenticate = async () => undefined

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
  }
}
