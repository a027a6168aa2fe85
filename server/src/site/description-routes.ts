import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { type Document, etagOf, sendDocument } from '../http/send-document.ts'
import { ANY_ORIGIN } from '../http/headers.ts'
import { errors, notModified } from '../http/schema-parts.ts'
import { Refusal } from '../refusals.ts'
import { type Described, openapiPart } from './openapi-document.ts'
import { NAMED_SCHEMAS } from './schemas.ts'

const CACHE = 'public, max-age=300'

/** Serves /openapi.json, its parts at /openapi/NAME.json, and the JSON Schemas at /schemas. */
export function registerDescriptionRoutes(app: FastifyInstance): void {
  let description: Document | undefined

  app.get(
    '/openapi.json',
    {
      schema: {
        operationId: 'getOpenApi',
        summary: 'This description',
        description: 'The OpenAPI document of this service, with an ETag.',
        tags: ['Operation'],
        response: { 200: ANY_OBJECT, ...notModified, ...errors(401, 412) },
      },
    },
    (request, reply) => {
      description ??= documentOf(openapiText(app))
      return sendDocument(request, reply.type('application/json; charset=utf-8'), description, CACHE)
    },
  )

  app.get<Named>('/openapi/:file', HIDDEN, (request, reply) => {
    const name = /^([a-z]+)\.json$/.exec(request.params.file)?.[1] ?? ''
    const part = openapiPart(app.swagger() as unknown as Described, name)
    if (part === undefined)
      throw new Refusal(
        'schema_not_found',
        'No part of this name. `externalDocs` of the tags in /openapi.json has them.',
      )
    const text = `${JSON.stringify(part)}\n`
    return sendDocument(request, reply.type('application/json; charset=utf-8'), documentOf(text), CACHE)
  })

  app.get('/schemas', HIDDEN, async (_request, reply) => {
    reply.headers({ 'cache-control': CACHE, ...ANY_ORIGIN })
    return { schemas: Object.keys(NAMED_SCHEMAS).map((name) => `/schemas/${name}.json`) }
  })

  app.get<Named>('/schemas/:file', HIDDEN, (request, reply) => {
    const name = /^([A-Za-z]+)\.json$/.exec(request.params.file)?.[1] ?? ''
    if (!Object.hasOwn(NAMED_SCHEMAS, name))
      throw new Refusal('schema_not_found', 'No schema of this name. See /schemas for the list.')
    return sendDocument(request, reply.type('application/schema+json'), documentOf(schemaText(name)), CACHE)
  })
}

const HIDDEN = { schema: { hide: true } } as const
interface Named {
  readonly Params: { readonly file: string }
}

const ANY_OBJECT = Type.Object({}, { additionalProperties: true })

function documentOf(text: string): Document {
  const body = Buffer.from(text)
  return { body, etag: etagOf(body) }
}

/** The exact content of spec/openapi.json. */
export function openapiText(app: FastifyInstance): string {
  return `${JSON.stringify(app.swagger(), undefined, 2)}\n`
}

export function schemaText(name: string): string {
  const schema = { ...NAMED_SCHEMAS[name], $id: `/schemas/${name}.json` }
  return `${JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema }, undefined, 2)}\n`
}
