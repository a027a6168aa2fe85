import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../refusals.ts'
import type { Rule } from './admission.ts'

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

/** A key that is sent and not valid is 401 on every endpoint, the public ones too. `rules` ask who the caller is. */
export function tellCaller(app: FastifyInstance, authenticate: Authenticate, rules: readonly Rule[]): void {
  app.decorateRequest('caller', { getter: () => ANYONE })
  const broken = (request: FastifyRequest): Refusal | undefined => {
    for (const rule of rules) {
      const refusal = rule(request)
      if (refusal !== undefined) return refusal
    }
    return undefined
  }
  app.addHook('onRequest', (request, _reply, done) => {
    const key = request.headers['x-api-key']
    if (key === undefined) return done(broken(request))
    authenticate(String(key)).then(
      (caller) => {
        if (caller === undefined)
          return done(new Refusal('api_key_invalid', 'The X-API-Key that was sent is not valid.'))
        Object.defineProperty(request, 'caller', { value: caller })
        return done(broken(request))
      },
      (error: unknown) => done(error as Error),
    )
  })
}
