import swagger from '@fastify/swagger'
import { LONG_BOUNDARY, RECEIPT_VERSION } from '@kitseal/kit/internal'
import type { FastifyInstance, FastifySchema } from 'fastify'
import { EVENT_TYPES, eventSchema, exampleEvent } from '../audit/event-types.ts'
import { RESPONSE_HEADERS, responseHeaders, ERROR_RESPONSES, errorReference } from './error-responses.ts'
import { REFUSALS } from '../refusals.ts'
import { NAMED_SCHEMAS } from './schemas.ts'
import { SCOPE_MEANINGS } from '../http/caller.ts'
import { bodyText, example, addExamples } from './openapi-examples.ts'
import { codesOf } from './operation-codes.ts'
import { partName, type Described, shareSchemas } from './openapi-document.ts'
import { ref } from '../http/schema-parts.ts'

const DESCRIPTION = `Upload evidence, get a sealed kit, and let anyone verify it.

Typical order: create a job, poll it, get the manifest, the receipt and the key set, verify.
Job and kit IDs are capabilities: anyone who has one can read the job and the receipt. The manifest and the archive of a workspace's kit also
need its API key, unless the workspace has made its kits public.
Every error is an ErrorResponse. \`x-error-codes\` of an operation has each \`code\` that it can return.
\`/openapi/GROUP.json\` describes one group of operations alone.

Limits: 104,857,600 bytes of evidence per submission unless the plan says otherwise, 1,000 files per upload, and 16,384 bytes of
request headers. Requests are rate limited per minute: by workspace with an API key, by address without one (jobs, verification and
public downloads).
A request over a limit gets 413, 431 or 429 and has no effect.

An unknown query parameter gets 400. A path with a trailing slash is redirected, with 308, to the path without it.`

/** Each operation is in the group of its path below /v1, unless its route names another. */
const GROUPS: readonly Group[] = [
  { name: 'Intake', paths: ['intake'], description: 'Create a job and poll it.' },
  { name: 'Kits', paths: ['kits'], description: 'Manifest, receipt and archive of an issued kit.' },
  { name: 'Keys', description: 'The public keys that verify receipts and webhooks.' },
  { name: 'Log', description: 'The transparency log: every receipt and key event, for anyone to check.' },
  { name: 'Verification', paths: ['verify'], description: 'Verify a receipt or a whole kit.' },
  {
    name: 'Submissions',
    paths: ['submissions', 'series', 'compare', 'revocations'],
    description: 'Upload evidence and download the kit, or the list of blockers. Needs an API key.',
  },
  { name: 'Profiles', paths: ['profiles'], description: 'Checklists for evidence. Needs an API key.' },
  {
    name: 'Shares',
    paths: ['shares', 'rooms'],
    description:
      'Links to kits for people without an account, and rooms with several kits, comments and reviews. Needs an API key.',
  },
  {
    name: 'Requests',
    paths: ['requests'],
    description: 'Ask a supplier for evidence, item by item. Needs an API key.',
  },
  {
    name: 'Programs',
    paths: ['programs'],
    description: 'What you show again and again, period by period. Needs an API key.',
  },
  { name: 'Events', paths: ['events'], description: 'What happened, for other systems. Needs an API key.' },
  {
    name: 'Webhooks',
    paths: ['webhooks'],
    description: 'Send events to a URL of yours. Needs an API key with the scope `admin`.',
  },
  {
    name: 'Workspace',
    paths: ['overview', 'credits', 'trust', 'audit'],
    description: 'Credits and audit log. Needs an API key.',
  },
  {
    name: 'Access',
    paths: ['me', 'keys', 'federation', 'token'],
    description:
      'API keys, and tokens for CI systems. Needs an API key with the scope `admin`, except to exchange a token.',
  },
  { name: 'Operation', description: 'For operators.' },
]

/** Describes the routes that are registered after it. `app.swagger()` returns the document once the app is ready. */
export async function describeRoutes(app: FastifyInstance, issuer: () => string): Promise<void> {
  for (const schema of Object.values(NAMED_SCHEMAS)) app.addSchema(schema)
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'kitseal',
        version: RECEIPT_VERSION,
        description: DESCRIPTION,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      tags: GROUPS.map(({ name, description }) => ({ name, description })),
      components: { headers: RESPONSE_HEADERS, securitySchemes: { ApiKey: API_KEY, Bearer: BEARER } },
      security: [{}, ...WITH_API_KEY],
    },
    hideUntagged: true,
    refResolver: {
      buildLocalReference: (json, _base, _fragment, index) => String(json.$id ?? `schema-${index}`),
    },
    transform: ({ schema, url, route: { bodyLimit = app.initialConfig.bodyLimit, config } }) => ({
      url: url.replace(/\/(files|evidence)\/\*$/, '/$1/:file_path').replace(/\/\*$/, '/:name'),
      schema: {
        ...schema,
        ...withGroup(schema, url),
        ...withLimit(schema, bodyLimit),
        // The scope that an API key needs, and the role that a member needs in the console.
        ...(config?.access && { 'x-scope': config.access.scope, 'x-role': config.access.role }),
        // Any route can return an error: an invalid key, a rate limit, a failure.
        response: { ...(schema?.response as object | undefined), default: ref('ErrorResponse') },
      },
    }),
    transformObject: (document) =>
      'openapiObject' in document ? finish(document.openapiObject, issuer()) : {},
  })
}

const API_KEY = {
  type: 'apiKey' as const,
  in: 'header' as const,
  name: 'X-API-Key',
  description:
    'Identifies the workspace. Required for submissions, optional for open intake. An invalid key gets 401 on every endpoint. `x-scope` of an operation names the scope that the key needs.',
  'x-scopes': SCOPE_MEANINGS,
}

const BEARER = {
  type: 'http' as const,
  scheme: 'bearer',
  description: 'The same API key, or a token of `POST /v1/token`, as `Authorization: Bearer ks_…`.',
  'x-scopes': SCOPE_MEANINGS,
}

const WITH_API_KEY = [{ ApiKey: [] }, { Bearer: [] }]

/** Tags of routes that need an API key. */
const WITH_KEY = new Set([
  'Events',
  'Webhooks',
  'Submissions',
  'Profiles',
  'Shares',
  'Requests',
  'Programs',
  'Workspace',
  'Access',
])

function withGroup(schema: FastifySchema | undefined, url: string): FastifySchema {
  const path = /^\/v1\/(\w+)/.exec(url)?.[1] ?? ''
  const group = GROUPS.find(({ paths = [] }) => paths.includes(path))
  return schema?.tags === undefined && group !== undefined ? { tags: [group.name] } : {}
}

/** Documents the body limit that Fastify enforces. */
function withLimit(schema: FastifySchema | undefined, bodyLimit: number | undefined): FastifySchema {
  if (schema?.body === undefined || bodyLimit === undefined) return {}
  const limit = `Body limit: ${bodyLimit.toLocaleString('en')} bytes.`
  return { description: [schema.description, limit].filter((text) => text !== undefined).join(' ') }
}

/** Adds what the generator leaves out: security, response headers, examples and what operations share. */
function finish(document: object, issuer: string): object {
  const copy = shareSchemas(JSON.parse(JSON.stringify(document)) as Described)
  // No operation returns it. It is at /schemas/Kit.json.
  delete copy.components.schemas['Kit']
  for (const [path, item] of Object.entries(copy.paths)) {
    // Every GET route also answers HEAD.
    delete item['head']
    for (const [method, operation] of Object.entries(item)) {
      if (operation['x-role'] !== 'anyone' && operation.tags?.some((tag) => WITH_KEY.has(tag)) === true)
        operation.security = WITH_API_KEY
      for (const [status, answer] of Object.entries(operation.responses)) {
        if (/^[23]/.test(status)) answer.headers = responseHeaders(operation, status)
        else operation.responses[status] = errorReference(status)
      }
      const { 'x-own-codes': own, 'x-own-example': sent } = operation
      const sends = bodyText(operation.operationId, sent)
      delete operation['x-own-codes']
      delete operation['x-own-example']
      operation['x-error-codes'] = codesOf(method, operation, own)
      for (const code of operation['x-error-codes']) {
        const [status] = REFUSALS[code]
        operation.responses[status] ??= errorReference(`${status}`)
      }
      addExamples(operation, sends)
      operation['x-codeSamples'] = [
        { lang: 'Shell', source: example({ path, method: method.toUpperCase(), said: operation, sends }) },
      ]
    }
  }
  const url = issuer.replace(/\/+$/, '')
  return {
    ...copy,
    info: { ...copy.info, contact: { name: 'Documentation', url: `${url}/docs` } },
    servers: [{ url, description: 'This service.' }],
    tags: copy.tags?.map((tag) => ({
      ...tag,
      externalDocs: { url: `${url}/openapi/${partName(tag.name)}.json`, description: 'This group alone.' },
    })),
    components: { ...copy.components, responses: ERROR_RESPONSES },
    webhooks: describeWebhooks(),
    'x-service-boundary': LONG_BOUNDARY,
  }
}

/** What a webhook receives, for each type of event. */
function describeWebhooks(): Readonly<Record<string, object>> {
  return Object.fromEntries(
    Object.entries(EVENT_TYPES).map(([name, { summary }]) => {
      const type = name as keyof typeof EVENT_TYPES
      const operation = {
        operationId: `on_${type.replaceAll('.', '_')}`,
        summary,
        tags: ['Events'],
        security: [],
        requestBody: {
          content: { 'application/json': { schema: eventSchema(type), example: exampleEvent(type) } },
        },
        responses: { '2XX': { description: 'Received. Any other response is retried.' } },
      }
      return [type, { post: operation }]
    }),
  )
}

interface Group {
  readonly name: string
  readonly description: string
  readonly paths?: readonly string[]
}
