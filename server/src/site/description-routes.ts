import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { failsIfMatch, matchesWeakly } from '../http/request-headers.ts'
import { ANY_ORIGIN } from '../http/headers.ts'
import { errors, notModified } from '../http/schema-parts.ts'
import { Refusal } from '../refusals.ts'
import { type Described, openapiPart } from './openapi-document.ts'
import { NAMED_SCHEMAS } from './schemas.ts'

const SHARED = { 'cache-control': 'public, max-age=300', ...ANY_ORIGIN }

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
      return sendDocument(request, reply.type('application/json; charset=utf-8'), description)
    },
  )

  app.get<{ Params: { readonly file: string } }>(
    '/openapi/:file',
    { schema: { hide: true } },
    (request, reply) => {
      const name = /^([a-z]+)\.json$/.exec(request.params.file)?.[1] ?? ''
      const part = openapiPart(app.swagger() as unknown as Described, name)
      if (part === undefined)
        throw new Refusal(
          'schema_not_found',
          'No part of this name. `externalDocs` of the tags in /openapi.json has them.',
        )
      const text = `${JSON.stringify(part)}\n`
      return sendDocument(request, reply.type('application/json; charset=utf-8'), documentOf(text))
    },
  )

  app.get('/schemas', { schema: { hide: true } }, async (_request, reply) => {
    reply.headers(SHARED)
    return { schemas: Object.keys(NAMED_SCHEMAS).map((name) => `/schemas/${name}.json`) }
  })

  app.get<{ Params: { readonly file: string } }>(
    '/schemas/:file',
    { schema: { hide: true } },
    (request, reply) => {
      const name = /^([A-Za-z]+)\.json$/.exec(request.params.file)?.[1] ?? ''
      if (!Object.hasOwn(NAMED_SCHEMAS, name))
        throw new Refusal('schema_not_found', 'No schema of this name. See /schemas for the list.')
      return sendDocument(request, reply.type('application/schema+json'), documentOf(schemaText(name)))
    },
  )
}

const ANY_OBJECT = Type.Object({}, { additionalProperties: true })

interface Document {
  readonly bytes: Buffer
  /** For tools that ask again. */
  readonly etag: string
}

function documentOf(text: string): Document {
  const bytes = Buffer.from(text)
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` }
}

function sendDocument(request: FastifyRequest, reply: FastifyReply, { bytes, etag }: Document): FastifyReply {
  reply.headers({ ...SHARED, etag })
  if (failsIfMatch(request.headers['if-match'], etag))
    throw new Refusal('precondition_failed', 'The document does not match If-Match.')
  return matchesWeakly(request.headers['if-none-match'], etag) ? reply.code(304).send() : reply.send(bytes)
}

/** The exact content of spec/openapi.json. */
export function openapiText(app: FastifyInstance): string {
  return `${JSON.stringify(app.swagger(), undefined, 2)}\n`
}

export function schemaText(name: string): string {
  const schema = { ...NAMED_SCHEMAS[name], $id: `/schemas/${name}.json` }
  return `${JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema }, undefined, 2)}\n`
}
