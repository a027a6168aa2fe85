import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { openapiText } from './description-routes.ts'
import { docsPage } from './docs-page.ts'
import type { Described } from './openapi-document.ts'
import { PAGE_HEADERS } from '../http/headers.ts'

/** The reference that people read: made from the description that programs read, with nothing fetched from elsewhere. */
export function registerDocsRoutes(app: FastifyInstance): void {
  const style = readFileSync(new URL('docs.css', import.meta.url), 'utf8')
  let page: string | undefined

  app.get('/docs', { schema: { hide: true } }, (_request, reply) => {
    page ??= docsPage(JSON.parse(openapiText(app)) as Described)
    return reply.headers(PAGE_HEADERS).type('text/html; charset=utf-8').send(page)
  })
  app.get('/docs/docs.css', { schema: { hide: true } }, (_request, reply) =>
    reply.headers(PAGE_HEADERS).type('text/css; charset=utf-8').send(style),
  )
}
