// docs/decisions/0297
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { CONSOLE_API } from '../console/console-routes.ts'
import { consolePlace } from '../console/console-place.ts'
import { matchesWeakly } from '../http/byte-range.ts'
import { Refusal } from '../refusals.ts'
import type { SendPage } from '../http/error-handler.ts'
import { BUILT_PAGE_HEADERS } from '../http/headers.ts'
import { bestEncoding, type StaticFile, staticFiles } from './static-files.ts'
import { type VerifierContext, verifierPageSender } from './verifier-routes.ts'

export interface PageContext extends VerifierContext {
  /** The folder that the pages are built into. */
  readonly pages: string
}

const FOR_A_YEAR = 'public, max-age=31536000, immutable'
const ASK_FIRST = 'no-cache'
const NOWHERE = 'no-store'
const HIDDEN = { schema: { hide: true } } as const
const HOW_TO_BUILD = 'The pages have not been built: run "npm run build" in the folder of the project.'

/** The built pages: the public ones, the console, and what they load. */
export function registerPageRoutes(app: FastifyInstance, ctx: PageContext): void {
  const pages = staticFiles(ctx.pages)
  const assets = staticFiles(join(ctx.pages, 'assets'))
  const sendVerifier = verifierPageSender(ctx)

  app.get('/', HIDDEN, (request, reply) => {
    if (wantsNoPage(request)) throw new Refusal('route_not_found', 'No page at this path.')
    return sendPage(request, reply, pages.find('index.html'), ASK_FIRST)
  })

  // Where the pages are not built, the page that travels in each kit does the same.
  for (const path of ['/verify', '/verify/:kit_id']) {
    app.get(path, HIDDEN, (request, reply) => {
      const page = pages.find('verify.html')
      return page === undefined ? sendVerifier(reply) : sendPage(request, reply, page, ASK_FIRST)
    })
  }

  for (const path of ['/console', '/console/*']) {
    app.get(path, HIDDEN, (request, reply) => {
      if (request.url.startsWith(`${CONSOLE_API}/`))
        throw new Refusal('route_not_found', 'No page at this path.')
      const { url, otherHosts } = consolePlace(ctx.issuer())
      if (otherHosts.has(request.headers.host ?? ''))
        return reply.redirect(url.replace(/\/console$/, '') + request.url, 302)
      return sendPage(request, reply, pages.find('console.html'), NOWHERE)
    })
  }

  app.get<{ Params: { readonly file: string } }>('/assets/:file', HIDDEN, (request, reply) => {
    const file = assets.find(request.params.file)
    if (file === undefined) throw new Refusal('route_not_found', 'No page at this path.')
    return sendStatic(request, reply, file, FOR_A_YEAR)
  })

  app.get('/favicon.svg', HIDDEN, (request, reply) => {
    const file = pages.find('favicon.svg')
    if (file === undefined) throw new Refusal('route_not_found', 'No page at this path.')
    return sendStatic(request, reply, file, ASK_FIRST)
  })
}

/** What a person sees who follows a broken link; a program, which asks for no page by name, gets the contract's answer. */
export function nothingHerePage(pages: string): SendPage {
  const files = staticFiles(pages)
  return (request, reply) => {
    const page = files.find('index.html')
    const isForPeople = request.method === 'GET' && /text\/html/.test(request.headers.accept ?? '')
    if (page === undefined || !isForPeople || /^\/(v1|console|assets|\.well-known)\//.test(request.url))
      return undefined
    return sendPage(request, reply.code(404), page, NOWHERE)
  }
}

/** A program that says it wants JSON is not sent a page. */
const wantsNoPage = ({ headers: { accept = '*/*' } }: FastifyRequest): boolean =>
  !/text\/html|\*\/\*|text\/\*/.test(accept)

function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: StaticFile | undefined,
  caching: string,
): FastifyReply {
  if (page === undefined) throw new Refusal('pages_not_built', HOW_TO_BUILD)
  reply.headers(BUILT_PAGE_HEADERS)
  return sendStatic(request, reply, page, caching)
}

function sendStatic(
  request: FastifyRequest,
  reply: FastifyReply,
  file: StaticFile,
  caching: string,
): FastifyReply {
  const encoding = bestEncoding(file, request.headers['accept-encoding'])
  const etag = encoding === 'identity' ? file.etag : file.etag.replace(/"$/, `-${encoding}"`)
  reply.headers({ etag, 'cache-control': caching, vary: 'accept-encoding' })
  if (matchesWeakly(request.headers['if-none-match'], etag)) return reply.code(304).send()
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.type(file.type).send(file.bodies[encoding] ?? file.bodies.identity)
}
