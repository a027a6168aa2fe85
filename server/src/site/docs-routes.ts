import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ANY_ORIGIN, DOCS_HEADERS, PAGE_HEADERS } from '../http/headers.ts'
import { Refusal } from '../refusals.ts'
import { sendStatic } from './page-routes.ts'
import { type StaticFile, staticFiles } from './static-files.ts'

const PAGE = { schema: { hide: true }, config: { ignoresQuery: true } } as const
const NOT_BUILT = 'The documentation is not built. Run "npm run build" in the project folder.'

/** Serves the static pages of the documentation, which `docs/site` builds, and their Markdown. */
export function registerDocsRoutes(app: FastifyInstance, folder: string): void {
  const top = staticFiles(folder)
  let within: ReadonlyMap<string, Files> | undefined
  const page = (request: FastifyRequest, reply: FastifyReply, file: StaticFile | undefined): FastifyReply => {
    if (file !== undefined) return send(request, reply, file)
    if (top.find('index.html') === undefined) throw new Refusal('pages_not_built', NOT_BUILT)
    const missing = top.find('404.html')
    // Browsers get a page, programs the JSON error.
    if (missing === undefined || request.headers.accept?.includes('text/html') !== true)
      throw new Refusal('route_not_found', 'There is no such page in the documentation.')
    return send(request, reply.code(404), missing)
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
function send(request: FastifyRequest, reply: FastifyReply, file: StaticFile): FastifyReply {
  const isMarkdown = file.type.startsWith('text/markdown')
  reply.headers(isMarkdown ? { ...PAGE_HEADERS, ...ANY_ORIGIN } : DOCS_HEADERS)
  return sendStatic(request, reply, file, 'no-cache')
}
