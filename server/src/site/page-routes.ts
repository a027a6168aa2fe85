import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { linkScope } from '../http/link-scope.ts'
import { CONSOLE_API } from './console-routes.ts'
import { consolePlace } from '../access/console-place.ts'
import { matchesWeakly } from '../http/request-headers.ts'
import { Refusal } from '../refusals.ts'
import type { SendPage } from '../http/error-handler.ts'
import { BUILT_PAGE_HEADERS, ANY_ORIGIN, DOCS_HEADERS, PAGE_HEADERS } from '../http/headers.ts'
import { bestEncoding, type StaticFile, staticFiles, NOT_BUILT, staticPageSender } from './static-page.ts'
import { homePage, type HomePageData, NOT_FOUND } from './home-page.ts'
import { logPage, type LogPageData } from './log-page.ts'
import { readdirSync, readFileSync } from 'node:fs'
import { etagOf } from '../http/send-document.ts'
import { verifierPage } from '@kitseal/kit/internal/node'
import type { PublishedKeySet, SigningKeys } from '../keys/signing-keys.ts'

interface PageContext extends VerifierContext, HomePageData, LogPageData {
  readonly signingKeys: VerifierContext['signingKeys'] & HomePageData['signingKeys']
  /** The folder that the pages are built into. */
  readonly pages: string
  readonly shares: SharePage
}

/** For programs that ask for the address of a share. */
interface SharePage {
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

const DOCS_NOT_BUILT = 'The documentation is not built. Run "npm run build" in the project folder.'

/** Serves the static pages of the documentation, which `docs/site` builds, and their Markdown. */
export function registerDocsRoutes(app: FastifyInstance, folder: string): void {
  const top = staticFiles(folder)
  let within: ReadonlyMap<string, Files> | undefined
  const page = (request: FastifyRequest, reply: FastifyReply, file: StaticFile | undefined): FastifyReply => {
    if (file !== undefined) return sendDocs(request, reply, file)
    if (top.find('index.html') === undefined) throw new Refusal('pages_not_built', DOCS_NOT_BUILT)
    const missing = top.find('404.html')
    // Browsers get a page, programs the JSON error.
    if (missing === undefined || request.headers.accept?.includes('text/html') !== true)
      throw new Refusal('route_not_found', 'There is no such page in the documentation.')
    return sendDocs(request, reply.code(404), missing)
  }
  for (const [url, name] of [
    ['/docs', 'index'],
    ['/docs.md', 'index.md'],
    ['/llms.txt', 'llms.txt'],
  ] as const)
    app.get(url, PAGE, (request, reply) => page(request, reply, named(top, name)))
  app.get<{ Params: { readonly kind: string } }>('/docs/:kind', PAGE, (request, reply) =>
    page(request, reply, named(top, request.params.kind)),
  )
  app.get<{ Params: { readonly kind: string; readonly page: string } }>(
    '/docs/:kind/:page',
    PAGE,
    (request, reply) => {
      const { kind, page: name } = request.params
      within ??= foldersIn(folder)
      return page(request, reply, named(within.get(kind), name))
    },
  )
}

type Files = ReturnType<typeof staticFiles>

const named = (files: Files | undefined, name: string): StaticFile | undefined =>
  files?.find(name.includes('.') ? name : `${name}.html`)

function foldersIn(folder: string): ReadonlyMap<string, Files> {
  const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return new Map(entries.map(({ name }) => [name, staticFiles(join(folder, name))]))
}

/** Any website may read Markdown, as it may read the API description. */
function sendDocs(request: FastifyRequest, reply: FastifyReply, file: StaticFile): FastifyReply {
  const isMarkdown = file.type.startsWith('text/markdown')
  reply.headers(isMarkdown ? { ...PAGE_HEADERS, ...ANY_ORIGIN } : DOCS_HEADERS)
  return sendStatic(request, reply, file, 'no-cache')
}

interface VerifierContext {
  readonly signingKeys: Pick<SigningKeys, 'published'>
  issuer(): string
}

const PYTHON_VERIFIER = new URL('../../../spec/independent/kitseal-verify.py', import.meta.url)

/** The verifier page that is part of each kit, with the keys of this service as trusted, and the Python verifier. */
export function registerVerifierRoutes(app: FastifyInstance, ctx: VerifierContext): void {
  const send = verifierPageSender(ctx)
  app.get('/verifier.html', PAGE, (_request, reply) => send(reply))

  const program = readFileSync(PYTHON_VERIFIER)
  const etag = etagOf(program)
  app.get('/verify/kitseal-verify.py', PAGE, (request, reply) => {
    reply.headers({ etag, 'cache-control': 'no-cache' })
    if (matchesWeakly(request.headers['if-none-match'], etag)) return reply.code(304).send()
    return reply
      .header('content-disposition', 'attachment; filename="kitseal-verify.py"')
      .type('text/x-python; charset=utf-8')
      .send(program)
  })
}

function verifierPageSender(ctx: VerifierContext): (reply: FastifyReply) => Promise<FastifyReply> {
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
