import type { FastifyInstance } from 'fastify'
import { Refusal } from '../refusals.ts'

/** Who sends a request. */
export type Caller = { readonly is: 'anyone' } | { readonly is: 'workspace'; readonly workspaceId: string }

/** Whose key this is; undefined where it is nobody's. */
export type Authenticate = (apiKey: string) => Promise<Caller | undefined>

/** There are no workspaces yet, so that no key is valid. */
export const noKeyIsValid: Authenticate = async () => undefined

const ANYONE: Caller = { is: 'anyone' }

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
  }
}

/** A key that is sent and not valid is 401 on every endpoint, the public ones too. */
export function tellCaller(app: FastifyInstance, authenticate: Authenticate): void {
  app.decorateRequest('caller', { getter: () => ANYONE })
  app.addHook('onRequest', (request, _reply, done) => {
    const key = request.headers['x-api-key']
    if (key === undefined) return done()
    authenticate(String(key)).then(
      (caller) => {
        if (caller === undefined)
          return done(new Refusal('api_key_invalid', 'The X-API-Key that was sent is not valid.'))
        Object.defineProperty(request, 'caller', { value: caller })
        return done()
      },
      (error: unknown) => done(error as Error),
    )
  })
}
