import { verifierPage } from '@kitseal/kit/node'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { PublishedKeySet, SigningKeys } from '../keys/signing-keys.ts'
import { PAGE_HEADERS } from '../http/headers.ts'

export interface VerifierContext {
  readonly signingKeys: Pick<SigningKeys, 'published'>
  issuer(): string
}

/** The page that travels in each kit, here with the keys of this service to trust. It verifies in the browser alone. */
export function registerVerifierRoutes(app: FastifyInstance, ctx: VerifierContext): void {
  const send = verifierPageSender(ctx)
  app.get('/verifier.html', { schema: { hide: true } }, (_request, reply) => send(reply))
}

export function verifierPageSender(ctx: VerifierContext): (reply: FastifyReply) => Promise<FastifyReply> {
  let made: { readonly etag: string; readonly page: Buffer; readonly policy: string } | undefined

  const page = (keys: PublishedKeySet): NonNullable<typeof made> => {
    if (made?.etag === keys.etag) return made
    const bytes = Buffer.from(verifierPage([{ from: ctx.issuer(), jwks: keys.jwks }]))
    made = { etag: keys.etag, page: bytes, policy: policyOf(bytes.toString()) }
    return made
  }

  return async (reply) => {
    const current = page(await ctx.signingKeys.published())
    return reply
      .headers({ ...PAGE_HEADERS, 'content-security-policy': current.policy })
      .type('text/html; charset=utf-8')
      .send(current.page)
  }
}

/** The page brings its own policy, with the hashes of its script and style; the header adds what only a header can say. */
function policyOf(page: string): string {
  const own = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1]
  if (own === undefined) throw new Error('the verifier page has no policy')
  return `${own}; frame-ancestors 'none'`
}
