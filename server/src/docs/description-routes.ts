import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { ANY_ORIGIN } from '../http/headers.ts'
import { Refusal } from '../refusals.ts'
import { NAMED_SCHEMAS, type SchemaName } from '../http/schemas.ts'

const SHARED = { 'cache-control': 'public, max-age=300', ...ANY_ORIGIN }

/** Serves /openapi.json and the JSON Schemas at /schemas. */
export function registerDescriptionRoutes(app: FastifyInstance): void {
  let description: string | undefined

  app.get(
    '/openapi.json',
    {
      schema: {
        operationId: 'getOpenApi',
        summary: 'This description',
        tags: ['Operation'],
        response: { 200: ANY_OBJECT },
      },
    },
    (_request, reply) => {
      description ??= openapiText(app)
      return reply.headers(SHARED).type('application/json; charset=utf-8').serializer(asIs).send(description)
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
      return reply
        .headers(SHARED)
        .type('application/schema+json')
        .serializer(asIs)
        .send(schemaText(name as SchemaName))
    },
  )
}

const ANY_OBJECT = Type.Object({}, { additionalProperties: true })
const asIs = (text: unknown): string => text as string

/** The exact content of spec/openapi.json. */
export function openapiText(app: FastifyInstance): string {
  return `${JSON.stringify(app.swagger(), undefined, 2)}\n`
}

export function schemaText(name: SchemaName): string {
  const schema = { ...NAMED_SCHEMAS[name], $id: `/schemas/${name}.json` }
  return `${JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema }, undefined, 2)}\n`
}
