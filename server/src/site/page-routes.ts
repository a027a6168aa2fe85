import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { linkScope } from '../http/link-scope.ts'
import { CONSOLE_API } from './console-routes.ts'
import { consolePlace } from '../access/console-place.ts'
import { matchesWeakly } from '../http/request-headers.ts'
import { Refusal } from '../refusals.ts'
import type { SendPage } from '../http/error-handler.ts'
import { BUILT_PAGE_HEADERS, ANY_ORIGIN, DOCS_HEADERS, PAGE_HEADERS } from '../http/headers.ts'
import {
  bestEncoding,
  type StaticFile,
  staticFiles,
  NOT_BUILT,
  staticPageSender,
  card,
  code,
  html,
  type Html,
  type Say,
  type StaticPage,
  table,
  facts,
} from './static-page.ts'
import { readFileSync } from 'node:fs'
import { etagOf } from '../http/send-document.ts'
import { verifierPage } from '@kitseal/kit/internal/node'
import type { PublishedKeySet, SigningKeys } from '../keys/signing-keys.ts'
import {
  verdictHeading,
  base64,
  parseCheckpoint,
  parsePolicy,
  verifyCheckpoint,
  vkey,
} from '@kitseal/kit/internal'
import type { SigningKeyRow } from '../keys/signing-key-queries.ts'
import { nodeHost } from '@kitseal/kit/node'
import type { Db } from '../database/schema.ts'
import { readLog } from '../log/log-key.ts'
import type { TransparencyLog } from '../log/transparency-log.ts'
import { policyText, type WitnessPolicy } from '../log/witness-policy.ts'

interface PageContext extends VerifierContext, HomePageData, LogPageData {
  readonly signingKeys: VerifierContext['signingKeys'] & HomePageData['signingKeys']
  /** The folder that the pages are built into. */
  readonly pages: string
  /** For programs that ask for the address of a share. */
  readonly shares: { describe(request: FastifyRequest, reply: FastifyReply): Promise<object> }
}

const IMMUTABLE = 'public, max-age=31536000, immutable'
const REVALIDATE = 'no-cache'
const NO_STORE = 'no-store'
const PAGE = { schema: { hide: true }, config: { ignoresQuery: true } } as const

/** The pages that the service writes (home, log), those that are built (verifier, console, links), and their assets. */
export function registerPageRoutes(app: FastifyInstance, ctx: PageContext): void {
  const pages = staticFiles(ctx.pages)
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
    scope.get('', PAGE, async (request, reply) => {
      if (!/text\/html/.test(request.headers.accept ?? '')) return ctx.shares.describe(request, reply)
      return sendPage(request, reply, pages.find('share.html'), NO_STORE)
    })
  })

  linkScope(app, '/r/:token', (scope) => {
    scope.get('', PAGE, async (request, reply) => {
      if (!/text\/html/.test(request.headers.accept ?? ''))
        return reply.redirect(`${request.url.split('?', 1)[0]}/request`, 302)
      return sendPage(request, reply, pages.find('request.html'), NO_STORE)
    })
  })

  const sendFile = (request: FastifyRequest, reply: FastifyReply, name: string, caching: string) => {
    const file = pages.find(name)
    if (file === undefined) throw new Refusal('route_not_found', 'No page at this path.')
    return sendStatic(request, reply, file, caching)
  }
  app.get<{ Params: { readonly file: string } }>('/assets/:file', PAGE, (request, reply) =>
    sendFile(request, reply, `assets/${request.params.file}`, IMMUTABLE),
  )
  app.get('/favicon.svg', PAGE, (request, reply) => sendFile(request, reply, 'favicon.svg', REVALIDATE))
}

/** The 404 page for browsers. Returns undefined for API clients, which get the JSON error. */
export function notFoundPage(pages: string): SendPage {
  const send = staticPageSender(pages)
  const files = staticFiles(pages)
  return (request, reply) => {
    const isBrowser = request.method === 'GET' && /text\/html/.test(request.headers.accept ?? '')
    const isBuilt = files.find('assets/site.css') !== undefined
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

function sendStatic(request: FastifyRequest, reply: FastifyReply, file: StaticFile, caching: string) {
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
  const files = staticFiles(folder)
  const page = (request: FastifyRequest, reply: FastifyReply, name: string): FastifyReply => {
    const file = files.find(/\.\w+$/.test(name) ? name : `${name}.html`)
    if (file !== undefined) return sendDocs(request, reply, file)
    if (files.find('index.html') === undefined) throw new Refusal('pages_not_built', DOCS_NOT_BUILT)
    const missing = files.find('404.html')
    // Browsers get a page, programs the JSON error.
    if (missing === undefined || request.headers.accept?.includes('text/html') !== true)
      throw new Refusal('route_not_found', 'There is no such page in the documentation.')
    return sendDocs(request, reply.code(404), missing)
  }
  app.get('/docs', PAGE, (request, reply) => page(request, reply, 'index'))
  app.get('/docs.md', PAGE, (request, reply) => page(request, reply, 'index.md'))
  app.get('/llms.txt', PAGE, (request, reply) => page(request, reply, 'llms.txt'))
  for (const path of ['/docs/:kind', '/docs/:kind/:page'])
    app.get(path, PAGE, (request, reply) =>
      page(request, reply, Object.values(request.params as object).join('/')),
    )
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

interface HomePageData {
  issuer(): string
  readonly signingKeys: { list(): Promise<readonly SigningKeyRow[]> }
}

/** `/`: what a kit is, what it proves, and the signing keys of this service. */
const homePage = ({ issuer, signingKeys }: HomePageData): StaticPage => ({
  title: () => '',
  body: async (say) =>
    html` <div class="hero">
        <h1>${say('home.heading')}</h1>
        <p class="lead">${say('home.lead')}</p>
        <div class="row">
          <a class="button main" href="/verify">${say('home.verifyAction')}</a>
          <a class="button" href="/console">${say('home.consoleAction')}</a>
        </div>
      </div>
      <ol class="steps">
        ${[0, 1, 2].map(
          (step) =>
            html`<li class="card">
              <h2>${step + 1}. ${say(`home.steps.${step}.title`)}</h2>
              <p class="quiet">${say(`home.steps.${step}.text`)}</p>
            </li>`,
        )}
      </ol>
      <div class="pair">
        ${claims(
          say('home.proves'),
          [0, 1, 2, 3, 4].map((line) => say(`home.provesList.${line}`)),
        )}
        ${claims(
          say('home.provesNot'),
          [0, 1, 2, 3].map((line) => say(`home.provesNotList.${line}`)),
        )}
      </div>
      ${keyTable(say, issuer(), await signingKeys.list())}
      <div class="pair">
        ${card(
          say('home.offline.title'),
          html`<p>${say('home.offline.text')}</p>`,
          html`<p class="command">${code(say('home.offline.command', { origin: issuer() }))}</p>`,
          html`<p class="quiet">${say('home.offline.more')}</p>`,
        )}
        ${card(
          say('home.links.title'),
          html`<ul class="stack">
            ${LINKS.map(([href, key]) => html`<li><a href="${href}">${say(key)}</a></li>`)}
          </ul>`,
        )}
      </div>`,
})

const LINKS = [
  ['/docs', 'home.links.docs'],
  ['/openapi.json', 'home.links.openapi'],
  ['/.well-known/jwks.json', 'home.keys.file'],
  ['/log', 'home.links.log'],
] as const

const claims = (title: string, lines: readonly string[]): Html =>
  card(
    title,
    html`<ul>
      ${lines.map((line) => html`<li>${line}</li>`)}
    </ul>`,
  )

function keyTable(say: Say, issuer: string, rows: readonly SigningKeyRow[]): Html {
  const title = say('home.keys.title')
  const lead = html`<p class="quiet">${say('home.keys.lead')}</p>`
  if (rows.length === 0) return card(title, lead, html`<p>${say('home.keys.none')}</p>`)
  return card(
    title,
    lead,
    table(
      [say('home.keys.kid'), say('home.keys.since'), say('home.keys.status')],
      rows.map((row) => [code(row.kid), row.created_at.slice(0, 10), statusOf(say, row)]),
    ),
    html`<p class="quiet">${say('home.keys.issuer') + say('common.colon')}${code(issuer)}</p>`,
  )
}

function statusOf(say: Say, { state, retired_at, revoked_at }: SigningKeyRow): string {
  if (revoked_at !== null) {
    const revoked = { verdict: 'key_revoked', signer: { revoked_at } } as const
    return say('home.keys.statuses.revoked', { heading: verdictHeading(revoked, say) })
  }
  if (state === 'active') return say('home.keys.statuses.active')
  return say('home.keys.statuses.retired', { until: retired_at?.slice(0, 10) ?? '' })
}

/** The page for an unknown path. */
const NOT_FOUND: StaticPage = {
  title: (say) => say('notFound.title'),
  status: 404,
  body: (say) =>
    html`<div class="heading">
        <div>
          <h1>${say('notFound.title')}</h1>
          <p class="lead">${say('notFound.text')}</p>
        </div>
      </div>
      <a href="/">${say('notFound.action')}</a>`,
}

interface LogPageData {
  issuer(): string
  readonly db: Db
  readonly transparencyLog: Pick<TransparencyLog, 'checkpoint' | 'vkey'>
  readonly witnesses: WitnessPolicy | undefined
}

/** `/log`: the newest checkpoint of the transparency log, its witnesses, and how to check it. It says nothing of its own correctness. */
const logPage = (data: LogPageData): StaticPage => ({
  title: (say) => say('log.title'),
  body: async (say) => {
    const log = await readLog(data.db)
    const heading = html`<div class="heading">
      <div>
        <h1>${say('log.title')}</h1>
        <p class="lead">${say('log.lead')}</p>
      </div>
    </div>`
    if (log === undefined)
      return html`${heading}
        <p>${say('log.unavailable')}</p>`
    const key = await data.transparencyLog.vkey()
    const issuer = data.issuer().replace(/\/+$/, '')
    const policy = parsePolicy(policyText(key, `${issuer}/log`, data.witnesses?.lines), nodeHost.digest)
    const checkpoint = parseCheckpoint(await data.transparencyLog.checkpoint())
    const status = await verifyCheckpoint(checkpoint, policy, nodeHost)
    const seen = new Map(status.is === 'signed' ? status.cosigned.map(({ name, time }) => [name, time]) : [])
    return html`${heading} ${log.frozen_at === null ? undefined : frozen(say, log.frozen_at)}
    ${card(
      say('log.checkpoint'),
      facts([
        [say('log.size'), String(checkpoint.size)],
        [say('log.last'), instant(log.updated_at)],
        [say('log.origin'), checkpoint.origin],
        [say('log.root'), code(base64(checkpoint.root))],
        [say('log.key'), code(key)],
      ]),
    )}
    ${card(
      say('log.witnesses.title'),
      html`<p class="quiet">
        ${say(policy.witnesses.length === 0 ? 'log.witnesses.none' : 'log.witnesses.lead')}
      </p>`,
      ...(policy.witnesses.length === 0
        ? []
        : [
            table(
              [say('log.witnesses.name'), say('log.witnesses.key'), say('log.witnesses.seen')],
              policy.witnesses.map(({ name, key: own }) => {
                const time = seen.get(name)
                const cosigned = time === undefined ? say('log.witnesses.notYet') : instant(time * 1000)
                return [own.name, code(vkey(own)), cosigned]
              }),
            ),
          ]),
    )}
    ${card(
      say('log.monitor.title'),
      html`<p>${say('log.monitor.text')}</p>`,
      html`<p class="command">${code(say('log.monitor.command', { issuer: data.issuer() }))}</p>`,
      html`<p><a href="/docs/how-to/run-a-monitor">${say('log.monitor.guide')}</a></p>`,
      html`<p class="quiet">
        ${say('log.monitor.files')} <a href="/log/checkpoint">/log/checkpoint</a>,
        <a href="/log/policy">/log/policy</a>
      </p>`,
    )}`
  },
})

const frozen = (say: Say, since: string): Html =>
  html`<div class="notice warn">
    <div>
      <p class="strong">${say('log.frozenTitle')}</p>
      <p>${say('log.frozen', { since: instant(since) })}</p>
    </div>
  </div>`

function instant(at: string | number): string {
  const iso = new Date(at).toISOString()
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`
}
