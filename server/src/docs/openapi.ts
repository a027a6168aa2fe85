// docs/decisions/0106
import swagger from '@fastify/swagger'
import { LONG_BOUNDARY, RECEIPT_VERSION } from '@kitseal/kit'
import type { FastifyInstance, FastifySchema } from 'fastify'
import { ANSWER_HEADERS, type AnsweredOperation, answerHeaders } from '../http/answer-headers.ts'
import { NAMED_SCHEMAS, ref } from '../http/schemas.ts'

const DESCRIPTION = `Takes evidence in, seals it into kits, and lets anyone check a kit.

Typical order: create a job, poll it, fetch the manifest, fetch the receipt, fetch the key set, verify.
Ids of jobs and kits are capabilities: whoever holds one can read what it names.
Every error has the shape of ErrorResponse, and its \`code\` is one of those in the table of error codes.

The evidence of one submission has at most 104,857,600 bytes, unless its plan says otherwise, in uploads of at most 1,000 files each.
The header fields of a request have at most 16,384 bytes. Requests are counted per minute: with a key by its workspace,
without one by address, for jobs and verification. At a limit the answer is 413, 431 or 429, and nothing is taken in.`

const TAGS = [
  { name: 'Intake', description: 'Create a job and follow it.' },
  { name: 'Kits', description: 'What was issued: manifest, receipt, and the whole kit.' },
  { name: 'Keys', description: 'The public keys that receipts are checked with.' },
  { name: 'Verification', description: 'Check a receipt against the kit that it names.' },
  {
    name: 'Submissions',
    description: 'Evidence in; a kit, or everything that is wrong with it. With an API key.',
  },
  { name: 'Workspace', description: 'Credits and the audit trail. With an API key.' },
  { name: 'Operation', description: 'For whoever runs the service.' },
]

/** Collects the routes that are registered after it; `app.swagger()` gives the description once the app is ready. */
export async function describeRoutes(app: FastifyInstance): Promise<void> {
  for (const schema of Object.values(NAMED_SCHEMAS)) app.addSchema(schema)
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'kitseal',
        version: RECEIPT_VERSION,
        description: DESCRIPTION,
        license: { name: 'Apache-2.0' },
      },
      tags: TAGS,
      components: { headers: ANSWER_HEADERS, securitySchemes: { ApiKey: API_KEY } },
      security: [{}, { ApiKey: [] }],
    },
    hideUntagged: true,
    refResolver: {
      buildLocalReference: (json, _base, _fragment, index) => String(json.$id ?? `schema-${index}`),
    },
    transform: ({ schema, url, route: { bodyLimit } }) => ({
      url: url.replace(/\/\*$/, '/:name'),
      schema: { ...schema, ...withLimit(schema, bodyLimit), response: withDefault(schema?.response) },
    }),
    transformObject: (document) => ('openapiObject' in document ? finish(document.openapiObject) : {}),
  })
}

const API_KEY = {
  type: 'apiKey' as const,
  in: 'header' as const,
  name: 'X-API-Key',
  description:
    'Names the workspace. Needed for submissions, not needed where intake is open. A key that is sent and not valid is 401 everywhere.',
}

/** Groups whose routes are for the holders of keys alone. */
const WITH_KEY = new Set(['Submissions', 'Workspace'])

/** What any route can answer (a bad key, a limit, a fault) has one shape. */
function withDefault(response: unknown): Record<string, unknown> {
  return { ...(response as Record<string, unknown> | undefined), default: ref('ErrorResponse') }
}

/** How large a body may be, as it is enforced. */
function withLimit(schema: FastifySchema | undefined, bodyLimit: number | undefined): FastifySchema {
  if (schema?.body === undefined || bodyLimit === undefined) return {}
  const limit = `The body has at most ${bodyLimit.toLocaleString('en')} bytes.`
  return { description: [schema.description, limit].filter((text) => text !== undefined).join(' ') }
}

/** Names what the generator leaves unnamed: each answer's description and its header fields. */
function finish(document: object): Description {
  const copy = JSON.parse(JSON.stringify(document)) as Description
  for (const item of Object.values(copy.paths)) {
    // HEAD answers what GET answers, everywhere; it is not described twice.
    delete item['head']
    for (const operation of Object.values(item)) {
      if (operation.tags?.some((tag) => WITH_KEY.has(tag)) === true) operation.security = [{ ApiKey: [] }]
      for (const [status, answer] of Object.entries(operation.responses ?? {})) {
        answer.headers = answerHeaders(operation, status)
        if (!/^[23]/.test(status)) answer.description = DESCRIPTIONS[status] ?? 'An error.'
      }
    }
  }
  return { ...copy, 'x-service-boundary': LONG_BOUNDARY }
}

interface Description {
  readonly paths: Readonly<Record<string, Record<string, Operation>>>
  readonly 'x-service-boundary'?: string
}

interface Operation extends AnsweredOperation {
  readonly tags?: readonly string[]
  security?: readonly object[]
  readonly responses?: Record<string, { description?: string; headers?: object }>
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  '400': 'The request is malformed; `message` names every problem.',
  '401': 'A key is needed, or the one that was sent is not valid.',
  '402': 'The workspace has no credit left.',
  '403': 'The workspace of this key may not do this.',
  '404': 'There is no such thing, or it is not yours.',
  '408': 'The request did not arrive in time.',
  '409': 'In conflict with what was asked before.',
  '410': 'It was there, and was deleted at the end of its retention.',
  '413': 'The body is too large.',
  '415': 'The body is in another media type.',
  '412': 'What is there is not what `If-Match` names.',
  '416': 'The range lies outside the file.',
  '429': 'Too many requests; `Retry-After` says how long to wait.',
  '503': 'Overloaded, or the store does not answer; `Retry-After` says how long to wait.',
  default: 'Any other error.',
}
