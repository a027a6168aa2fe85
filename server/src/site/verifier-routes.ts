import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { verifierPage } from '@kitseal/kit/internal/node'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { matchesWeakly } from '../http/request-headers.ts'
import type { PublishedKeySet, SigningKeys } from '../keys/signing-keys.ts'
import { PAGE_HEADERS } from '../http/headers.ts'

export interface VerifierContext {
  readonly signingKeys: Pick<SigningKeys, 'published'>
  issuer(): string
}

const PYTHON_VERIFIER = new URL('../../../spec/independent/kitseal-verify.py', import.meta.url)

const PAGE = { schema: { hide: true }, config: { ignoresQuery: true } } as const

/** The verifier page that is part of each kit, with the keys of this service as trusted, and the Python verifier. */
export function registerVerifierRoutes(app: FastifyInstance, ctx: VerifierContext): void {
  const send = verifierPageSender(ctx)
  app.get('/verifier.html', PAGE, (_request, reply) => send(reply))

  const program = readFileSync(PYTHON_VERIFIER)
  const etag = `"${createHash('sha256').update(program).digest('base64url')}"`
  app.get('/verify/kitseal-verify.py', PAGE, (request, reply) => {
    reply.headers({ etag, 'cache-control': 'no-cache' })
    if (matchesWeakly(request.headers['if-none-match'], etag)) return reply.code(304).send()
    return reply
      .header('content-disposition', 'attachment; filename="kitseal-verify.py"')
      .type('text/x-python; charset=utf-8')
      .send(program)
  })
}

export function verifierPageSender(ctx: VerifierContext): (reply: FastifyReply) => Promise<FastifyReply> {
  let cached: { readonly etag: string; readonly page: Buffer; readonly policy: string } | undefined

  const page = (keys: PublishedKeySet): NonNullable<typeof cached> => {
    if (cached?.etag === keys.etag) return cached
    const bytes = Buffer.from(verifierPage({ from: ctx.issuer(), jwks: keys.jwks }))
    cached = { etag: keys.etag, page: bytes, policy: policyOf(bytes.toString()) }
    return cached
  }

  return async (reply) => {
    const current = page(await ctx.signingKeys.published())
    return reply
      .headers({ ...PAGE_HEADERS, 'content-security-policy': current.policy })
      .type('text/html; charset=utf-8')
      .send(current.page)
  }
}

/** The policy of the page, which has the hashes of its script and style, plus what is only allowed in a header. */
function policyOf(page: string): string {
  const own = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1]
  if (own === undefined) throw new Error('the verifier page has no policy')
  return `${own}; frame-ancestors 'none'`
}
