import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
} from 'fastify'
import type { JsonValue } from '@kitseal/kit'
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import type { MemberRole } from '../database/schema.ts'
import type { Acting, Bounds, Reader, Unit, Units } from '../database/unit.ts'
import type { RefusalCode } from '../refusals.ts'
import type { Caller, Scope } from './caller.ts'
import { createForKey, idempotencyKey } from './idempotency.ts'
import { checkCursor, PageQuery, pageOf } from './page-query.ts'
import type { Answer, Body } from './resource.ts'
import { deleted, idempotencyHeader, ref, Closed } from './schema-parts.ts'
import { type Problem, type ExtraCheck, validateRequest } from './validate-request.ts'

/** Who may call an operation. */
export interface Access {
  /** What an API key needs. `none`: any key will do. `session`: no key will do. */
  readonly scope: Scope | 'none' | 'session'
  /** The lowest role of a member. `anyone` needs no session, `self` any, and `operator` that of one, whatever the plan. */
  readonly role: MemberRole | 'self' | 'operator' | 'anyone'
  /** A caller without a key is not rejected: the handler decides what they get. */
  readonly isOpen?: true
  /** What is enough for a draft, or to work on one. The handler asks for the rest. */
  readonly ofDrafts?: Pick<Access, 'scope' | 'role'>
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call this route. */
    readonly access?: Access
  }
}

type ParamOf<P extends string> = P extends `${infer A}/${infer B}`
  ? ParamOf<A> | ParamOf<B>
  : P extends `:${infer N}`
    ? N
    : P extends '*'
      ? P
      : never

export interface Call<P extends string, B, Q extends TProperties> {
  readonly params: Readonly<Record<ParamOf<P>, string>>
  readonly body: B
  readonly query: Static<TObject<Q>>
  readonly page: Bounds
  readonly caller: Caller
  readonly acting: Acting
  readonly request: FastifyRequest
}

/** What every operation can count on. One that needs more says so with the type of `service`. */
export interface Service {
  readonly units: Units
}

interface Described {
  /** Without one, the API's description leaves the operation out. */
  readonly summary?: string
  readonly description?: string
  /** The group in the API's description, if its path does not say it. */
  readonly group?: string
  readonly codes?: readonly RefusalCode[]
  /** What a retry with the same `Idempotency-Key` does. Without it, the operation takes no such key. `send` sees to it by itself. */
  readonly once?: string
  /** Of the request, beside the key of `once`. They are read where they are used. */
  readonly headers?: TProperties
  readonly example?: unknown
  readonly body?: Body<unknown>
  readonly query?: TProperties
  /** Of the path, if its parameters need words. */
  readonly path?: TProperties
  readonly returns?: Pick<Answer<never>, 'schema' | 'pages'>
  /** Of an operation that sends something other than `returns`. */
  readonly responses?: object
}

/**
 * One of four: `read` cannot write, `handle` is one unit, `run` may await more than the database and opens its own units, and
 * `send` answers by itself, such as with a file.
 */
interface Declared<P extends string, B, Q extends TProperties, Out, S, R> extends Described {
  /** Not of what anyone may read, outside /v1. */
  readonly access?: Access
  readonly config?: Omit<FastifyContextConfig, 'access'>
  readonly bodyLimit?: number
  /** Of what holds a secret. */
  readonly isSecret?: true
  /** By default 201 of what is created, 200, or 204 of what returns nothing. */
  readonly status?: number
  /** The path of what was created, by members of the response. */
  readonly location?: string
  readonly example?: NoInfer<B>
  readonly body?: Body<B>
  readonly query?: Q
  readonly returns?: Answer<Out>
  /** Before the body is read. */
  before?(request: FastifyRequest, service: S & Service): Promise<void>
  check?(body: NoInfer<B>, service: S): Iterable<Problem>
  readonly checkQuery?: ExtraCheck
  read?(reader: Reader, call: Call<P, NoInfer<B>, Q>, service: S): Promise<NoInfer<Out>>
  /** Before the unit: what awaits more than the database, such as reading a file or hashing a password. */
  prepare?(service: S & Service, call: Call<P, NoInfer<B>, Q>): Promise<R>
  handle?(unit: Unit, call: Call<P, NoInfer<B>, Q>, service: S, prepared: NoInfer<R>): Promise<NoInfer<Out>>
  /** What a retry gets beside the stored response, such as a new link. */
  again?(unit: Unit, stored: object, service: S): Promise<object>
  run?(service: S & Service, call: Call<P, NoInfer<B>, Q>, reply: FastifyReply): Promise<NoInfer<Out>>
  send?(service: S & Service, call: Call<P, NoInfer<B>, Q>, reply: FastifyReply): Promise<FastifyReply>
}

/** `S` is contravariant, so whoever registers routes has to have everything that any of them needs. */
export interface Route<S> {
  readonly operation: string
  readonly method: string
  readonly path: string
  /** Schemas with a name. */
  readonly schemas: readonly TSchema[]
  register: (app: FastifyInstance, service: S & Service) => void
}

/** `at` is the method and the path. */
export function route<
  const P extends string,
  B = undefined,
  Q extends TProperties = {},
  Out = void,
  S = unknown,
  R = undefined,
>(operation: string, at: P, declared: Declared<P, B, Q, Out, S, R>): Route<S> {
  const { returns, before, read, prepare, handle, again, run, send, body, check, once: repeats } = declared
  const [method = '', path = ''] = at.split(' ')
  if ([read, handle, run, send].filter(Boolean).length !== 1)
    throw new Error(`${operation} needs one of read, handle, run and send`)
  if (repeats !== undefined && handle === undefined && send === undefined)
    throw new Error(`${operation} is not a unit, so no key can make it idempotent`)
  const status = declared.status ?? (returns === undefined ? 204 : operation.startsWith('create') ? 201 : 200)
  const show = (out: Out, isFirst = true): object | undefined => returns?.show(out, isFirst)

  /** What the operation returns, and whether it is the stored response to an earlier request. */
  async function answer(service: S & Service, call: Call<P, B, Q>, reply: FastifyReply): Promise<Answered> {
    const { units } = service
    const { acting, request } = call
    if (read !== undefined)
      return { shown: show(await units.read(acting, (reader) => read(reader, call, service))) }
    if (handle === undefined) return { shown: show(await run!(service, call, reply)) }
    // Without `prepare`, `R` is undefined.
    const prepared = (await prepare?.(service, call)) as R
    const key = repeats === undefined ? undefined : idempotencyKey(request, request.body as JsonValue)
    return units.write(acting, operation, async (unit) => {
      if (key === undefined) return { shown: show(await handle(unit, call, service, prepared)) }
      let shown: object | undefined
      const stored = await createForKey(unit.db, Date.parse(unit.at), key, async () => {
        const out = await handle(unit, call, service, prepared)
        shown = show(out)
        return { status, body: JSON.stringify(show(out, false)) }
      })
      if (shown !== undefined) return { shown }
      const repeated = JSON.parse(stored.body) as object
      return { shown: { ...repeated, ...(await again?.(unit, repeated, service)) }, replayed: true }
    })
  }

  async function handler(
    service: S & Service,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<unknown> {
    const { caller } = request
    const acting: Acting = caller.is === 'anyone' ? { actor: { is: 'anonymous' } } : caller
    // Fastify matched the path and validated the rest.
    const sent = request as Pick<Call<P, B, Q>, 'params' | 'body' | 'query'>
    const page = returns?.pages === undefined ? ALL : pageOf(returns.pages, sent.query as PageQuery)
    const call: Call<P, B, Q> = {
      params: sent.params,
      body: sent.body,
      query: sent.query,
      page,
      caller,
      acting,
      request,
    }
    if (send !== undefined) return send(service, call, reply)
    const { shown, replayed } = await answer(service, call, reply)
    if (declared.isSecret === true) reply.header('cache-control', 'no-store')
    if (replayed === true) reply.header('idempotency-replayed', 'true')
    if (declared.location !== undefined) reply.header('location', filled(declared.location, shown))
    return reply.code(status).send(shown)
  }

  return {
    operation,
    method,
    path,
    schemas: [body?.schema, returns?.schema, ...(returns?.parts ?? [])].flatMap((schema) =>
      schema === undefined || nameOf(schema) === '' ? [] : [schema],
    ),
    register: (app, service) =>
      void app.route({
        method,
        url: path,
        ...(declared.bodyLimit !== undefined && { bodyLimit: declared.bodyLimit }),
        schema: schemaOf(operation, status, declared),
        config: { ...declared.config, ...(declared.access && { access: declared.access }) },
        ...(before && { onRequest: (request: FastifyRequest) => before(request, service) }),
        validatorCompiler: validateRequest({
          named: body === undefined ? {} : { [nameOf(body.schema)]: body.schema },
          ...(check && { body: (sent) => [...check(sent as B, service)] }),
          ...(returns?.pages && { querystring: checkCursor(returns.pages) }),
          ...(declared.checkQuery && { querystring: declared.checkQuery }),
        }),
        handler: (request, reply) => handler(service, request, reply),
      }),
  }
}

interface Answered {
  readonly shown: object | undefined
  readonly replayed?: boolean
}

const ALL: Bounds = { before: Number.MAX_SAFE_INTEGER, limit: Number.MAX_SAFE_INTEGER }

/** `/v1/webhooks/:webhook_id`, with the members of a response. */
const filled = (path: string, shown: object | undefined): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) =>
    String(Object.entries(shown ?? {}).find(([key]) => key === name)?.[1]),
  )

/** As Fastify and the API's description read it. `openapi.ts` takes what begins with `x-own`. */
function schemaOf(
  operationId: string,
  status: number,
  { summary, description, group, body, query, path, returns, once, headers, codes, ...more }: Described,
): FastifySchema {
  const { example, responses } = more
  const parameters = { ...(returns?.pages && PageQuery.properties), ...query }
  const success = returns === undefined ? deleted : { [status]: named(returns.schema) }
  return {
    operationId,
    ...(summary === undefined && { hide: true }),
    ...(summary !== undefined && { summary, description }),
    ...(group !== undefined && { tags: [group] }),
    ...((once ?? headers) !== undefined && {
      headers: Type.Object({ ...headers, ...(once !== undefined && idempotencyHeader(once).properties) }),
    }),
    ...(body && { body: named(body.schema) }),
    ...(path && { params: Type.Object(path) }),
    ...(Object.keys(parameters).length > 0 && { querystring: Closed(parameters) }),
    response: responses ?? success,
    ...(codes && { 'x-own-codes': codes }),
    ...(example !== undefined && { 'x-own-example': example }),
  }
}

/** Puts routes on Fastify. */
export function register<S>(
  app: FastifyInstance,
  routes: readonly Route<S>[],
  service: NoInfer<S> & Service,
): void {
  for (const each of routes) each.register(app, service)
}

/** The named schemas of routes, by name. */
export const schemasOf = (
  routes: readonly Pick<Route<never>, 'schemas'>[],
): Readonly<Record<string, TSchema>> =>
  Object.fromEntries(routes.flatMap(({ schemas }) => schemas.map((schema) => [nameOf(schema), schema])))

const nameOf = (schema: TSchema): string => ('$id' in schema ? String(schema.$id) : '')

/** What has no name is part of the operation. */
const named = (schema: TSchema): TSchema => (nameOf(schema) === '' ? schema : ref(nameOf(schema)))
