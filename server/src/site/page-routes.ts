import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { linkScope } from '../http/link-scope.ts'
import { CONSOLE_API } from './console-routes.ts'
import { consolePlace } from '../access/console-place.ts'
import { matchesWeakly } from '../http/request-headers.ts'
import { Refusal } from '../refusals.ts'
import type { SendPage } from '../http/error-handler.ts'
import { BUILT_PAGE_HEADERS } from '../http/headers.ts'
import { bestEncoding, type StaticFile, staticFiles } from './static-files.ts'
import { homePage, type HomePageData, NOT_FOUND } from './home-page.ts'
import { logPage, type LogPageData } from './log-page.ts'
import { NOT_BUILT, staticPageSender } from './static-page.ts'
import { type VerifierContext, verifierPageSender } from './verifier-routes.ts'

export interface PageContext extends VerifierContext, HomePageData, LogPageData {
  readonly signingKeys: VerifierContext['signingKeys'] & HomePageData['signingKeys']
  /** The folder that the pages are built into. */
  readonly pages: string
  readonly shares: SharePage
}

/** For programs that ask for the address of a share. */
export interface SharePage {
  describe(request: LinkRequest, reply: FastifyReply): Promise<object>
}

type LinkRequest = FastifyRequest<{ Params: { readonly token: string } }>

const IMMUTABLE = 'public, max-age=31536000, immutable'
const REVALIDATE = 'no-cache'
const NO_STORE = 'no-store'
const PAGE = { schema: { hide: true }, config: { ignoresQuery: true } } as const

/** The pages that the service writes (home, log), those that are built (verifier, console, links), and their assets. */
export function registerPageRoutes(app: FastifyInstance, ctx: PageContext): void {
  const pages = staticFiles(ctx.pages)
  const assets = staticFiles(join(ctx.pages, 'assets'))
  const sendVerifier = verifierPageSender(ctx)
  const sendStaticPage = staticPageSender(ctx.pages)

  app.get('/', PAGE, (request, reply) => {
    if (acceptsNoHtml(request)) throw new Refusal('route_not_found', 'No page at this path.')
    return sendStaticPage(request, reply, homePage(ctx))
  })

  app.get('/log', PAGE, (request, reply) => sendStaticPage(request, reply, logPage(ctx)))

  // Without built pages, the verifier page that is part of each kit is served.
  for (const path of ['/verify', '/verify/:kit_id']) {
    app.get(path, PAGE, (request, reply) => {
      const page = pages.find('verify.html')
      return page === undefined ? sendVerifier(reply) : sendPage(request, reply, page, REVALIDATE)
    })
  }

  for (const path of ['/console', '/console/*']) {
    app.get(path, PAGE, (request, reply) => {
      if (request.url.startsWith(`${CONSOLE_API}/`))
        throw new Refusal('route_not_found', 'No page at this path.')
      const { url, otherHosts } = consolePlace(ctx.issuer())
      if (otherHosts.has(request.headers.host ?? ''))
        return reply.redirect(url.replace(/\/console$/, '') + request.url, 302)
      return sendPage(request, reply, pages.find('console.html'), NO_STORE)
    })
  }

  // The pages are the same for every link, and say in words what is wrong with one.
  linkScope(app, '/s/:token', (scope) => {
    scope.get<{ Params: { readonly token: string } }>('', PAGE, async (request, reply) => {
      if (!/text\/html/.test(request.headers.accept ?? '')) return ctx.shares.describe(request, reply)
      return sendPage(request, reply, pages.find('share.html'), NO_STORE)
    })
  })

  linkScope(app, '/r/:token', (scope) => {
    scope.get<{ Params: { readonly token: string } }>('', PAGE, async (request, reply) => {
      if (!/text\/html/.test(request.headers.accept ?? ''))
        return reply.redirect(`${request.url.split('?', 1)[0]}/request`, 302)
      return sendPage(request, reply, pages.find('request.html'), NO_STORE)
    })
  })

  app.get<{ Params: { readonly file: string } }>('/assets/:file', PAGE, (request, reply) => {
    const file = assets.find(request.params.file)
    if (file === undefined) throw new Refusal('route_not_found', 'No page at this path.')
    return sendStatic(request, reply, file, IMMUTABLE)
  })

  app.get('/favicon.svg', PAGE, (request, reply) => {
    const file = pages.find('favicon.svg')
    if (file === undefined) throw new Refusal('route_not_found', 'No page at this path.')
    return sendStatic(request, reply, file, REVALIDATE)
  })
}

/** The 404 page for browsers. Returns undefined for API clients, which get the JSON error. */
export function notFoundPage(pages: string): SendPage {
  const send = staticPageSender(pages)
  const files = staticFiles(join(pages, 'assets'))
  return (request, reply) => {
    const isBrowser = request.method === 'GET' && /text\/html/.test(request.headers.accept ?? '')
    const isBuilt = files.find('site.css') !== undefined
    if (!isBuilt || !isBrowser || /^\/(v1|console|assets|\.well-known)\//.test(request.url)) return undefined
    return send(request, reply, NOT_FOUND)
  }
}

/** Whether the client accepts no HTML, for example only JSON. */
const acceptsNoHtml = ({ headers: { accept = '*/*' } }: FastifyRequest): boolean =>
  !/text\/html|\*\/\*|text\/\*/.test(accept)

function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: StaticFile | undefined,
  caching: string,
): FastifyReply {
  if (page === undefined) throw new Refusal('pages_not_built', NOT_BUILT)
  reply.headers(BUILT_PAGE_HEADERS)
  return sendStatic(request, reply, page, caching)
}

export function sendStatic(
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
