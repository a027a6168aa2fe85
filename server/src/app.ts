import { timestamp } from './runtime/clock.ts'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { registerConsoleRoutes } from './site/console-routes.ts'
import { type ConsoleServices, consoleServices } from './site/console-services.ts'
import { resolveSession } from './access/sessions.ts'
import { admit, isNotCrowding, isNotOverloaded, isNotStopping } from './http/admission.ts'
import { compressJson, readJsonStrictly, sharedSerializers } from './http/json-bodies.ts'
import { crossOrigin } from './http/cross-origin.ts'
import { handleErrors, hasRoute, sendError } from './http/error-handler.ts'
import type { Authenticate } from './http/caller.ts'
import {
  handleClientErrors,
  handleNodeRejections,
  closeUnusedConnections,
  limitConnections,
  closeStalledResponses,
} from './http/connections.ts'
import { registerDescriptionRoutes } from './site/description-routes.ts'
import {
  registerDocsRoutes,
  notFoundPage,
  registerPageRoutes,
  registerVerifierRoutes,
} from './site/page-routes.ts'
import { headersOf } from './http/headers.ts'
import {
  healthRoutes,
  cachedChecks,
  type ReadyCheck,
  type ReadyResults,
  registerReadyMetric,
} from './http/readiness.ts'
import { type WebhookKey, webhookKeyRoutes } from './deliveries/webhook-key.ts'
import { type WebhookSender, webhookRoutes } from './deliveries/webhooks.ts'
import { register } from './http/route.ts'
import { eventStreams, feedRoutes } from './audit/events.ts'
import { measureLoad } from './http/load.ts'
import type { Metrics } from './http/metrics.ts'
import { isKnownHost, isWellFormed, pathOf, hasNoUnknownParameters } from './http/request-rules.ts'
import { NAMED_SCHEMAS } from './site/schemas.ts'
import { describeRoutes } from './site/openapi.ts'
import { isWithinRate } from './http/rate-limits.ts'
import { requestTimes, StreamErrorLog, observeRequests } from './http/observe-requests.ts'
import { routeTable, withoutTrailingSlash } from './http/route-table.ts'
import { lookUpAccess, mayCall } from './access/may-call.ts'
import { validateRequest } from './http/validate-request.ts'
import { jobRoutes } from './submissions/intake-jobs.ts'
import { federationRoutes } from './access/federations.ts'
import { issuerKeys } from './access/issuer-keys.ts'
import { registerTokenRoutes } from './access/token-exchange.ts'
import { allowedAddresses } from './deliveries/outgoing.ts'
import type { SecretsAtRest } from './keys/secrets-at-rest.ts'
import { jwksRoutes } from './keys/jwks-routes.ts'
import { exportKit } from './kits/export-kit.ts'
import { kitRoutes, visibleKits } from './kits/kit-routes.ts'
import { logRoutes } from './log/log-routes.ts'
import type { WitnessPolicy } from './log/witness-policy.ts'
import type { Log } from './runtime/logger.ts'
import type { ServiceStatus } from './service-status.ts'
import { LIMITS } from './settings/limits.ts'
import { admitFiles } from './requests/drafts.ts'
import { overviewRoutes } from './requests/overview.ts'
import { periodRoutes } from './requests/period-routes.ts'
import { programRoutes } from './requests/program-routes.ts'
import { type RequestContext, requestRoutes } from './requests/request-routes.ts'
import { registerSupplierRoutes } from './requests/supplier.ts'
import { registerUnsubscribeRoutes } from './deliveries/unsubscribe.ts'
import { registerVerifyKitRoutes } from './kits/verify-kit-routes.ts'
import { registerSubmissionRoutes } from './submissions/submission-routes.ts'
import { registerShareLinkRoutes } from './shares/share-link-routes.ts'
import { remarkRoutes } from './shares/room-remarks.ts'
import { shareRoutes } from './shares/share-routes.ts'
import { auditRoutes } from './audit/audit-log.ts'
import { creditRoutes } from './access/credits.ts'
import { trustRoutes } from './access/trust.ts'
import { isKeyActive, keyRoutes } from './access/api-keys.ts'
import type { LastUse } from './access/last-use.ts'
import { meRoutes } from './access/me-routes.ts'
import { registerVerifyRoutes } from './kits/verify-receipt.ts'

export interface AppContext extends RequestContext {
  readonly webhooks: WebhookSender
  readonly authenticate: Authenticate
  readonly webhookKey: WebhookKey
  readonly secrets: SecretsAtRest
  readonly metrics: Metrics
  readonly lastUse: LastUse
  readonly log: Log
  /** Undefined if only the service signs its log. */
  readonly witnesses: WitnessPolicy | undefined
  readonly ready: Readonly<Record<string, ReadyCheck>>
  describeService(results: ReadyResults): Promise<ServiceStatus>
  /** Folder of the built pages. */
  readonly pages: string
  /** Folder of the built documentation. */
  readonly docs: string
  waitingJobs(): Promise<number>
  isStopping(): boolean
  /** Available once the service is listening. */
  issuer(): string
}

const BODY_LIMIT_BYTES = 64 * 1024
const HEADERS_LIMIT_BYTES = 16 * 1024

/** Builds the HTTP server: first what applies to every request, then the routes. */
export async function buildApp(ctx: AppContext): Promise<FastifyInstance> {
  const { config, clock, log } = ctx
  const app = createServer(ctx)
  const load = measureLoad(app.server)
  const times = requestTimes()
  const results = cachedChecks(clock, ctx.ready)
  const serviceStatus = async () => ctx.describeService(await results())
  const services = config.role === 'worker' ? undefined : consoleServices({ ...ctx, serviceStatus })
  app.addHook('onClose', async () => load[Symbol.dispose]())
  const routes = routeTable(app)
  lookUpAccess(app)
  handleErrors(app, log, routes, config.role === 'worker' ? undefined : notFoundPage(ctx.pages))
  readJsonStrictly(app)
  admit(app, {
    headers: headersOf(config.issuer),
    crossOrigin: crossOrigin(config.corsOrigins, routes),
    rules: [
      isWellFormed,
      isKnownHost(ctx.issuer),
      isNotStopping(ctx.isStopping),
      isNotCrowding(config.maxInFlightPerAddress),
      isNotOverloaded(load, config.maxInFlight),
    ],
    authenticate: ctx.authenticate,
    resolveSession: services === undefined ? () => undefined : resolveSession(services),
    redirect: (url) => withoutTrailingSlash(routes, url),
    callerRules: [isWithinRate(config.rateLimit, clock), mayCall, hasRoute(routes), hasNoUnknownParameters],
  })
  compressJson(app)
  observeRequests(app, log, times)
  await describeRoutes(app, ctx.issuer)
  if (services !== undefined) registerService(app, ctx, services)
  register(app, healthRoutes, { ...ctx, results })
  registerReadyMetric(ctx.metrics.registry, results)
  ctx.metrics.measure({ load, times, waitingJobs: ctx.waitingJobs })
  await app.ready()
  return app
}

/** The routes for clients, which a worker node does not have. */
function registerService(app: FastifyInstance, ctx: AppContext, services: ConsoleServices): void {
  register(app, jobRoutes, ctx)
  register(app, [...kitRoutes, exportKit], { ...ctx, visibleKit: visibleKits(ctx) })
  register(app, jwksRoutes, ctx)
  register(app, logRoutes, ctx)
  registerVerifyRoutes(app, ctx)
  registerVerifyKitRoutes(app, ctx)
  const admitting = { ...ctx, admit: admitFiles(ctx) }
  registerSubmissionRoutes(app, admitting)
  register(app, shareRoutes, ctx)
  register(app, remarkRoutes, ctx)
  register(app, overviewRoutes, ctx)
  register(app, requestRoutes, ctx)
  register(app, programRoutes, ctx)
  register(app, periodRoutes, ctx)
  registerSupplierRoutes(app, admitting)
  register(app, creditRoutes, ctx)
  register(app, trustRoutes, ctx)
  register(app, auditRoutes, ctx)
  const streams = eventStreams({
    ...ctx,
    isActive: async ({ session, actor }) => {
      if (session !== undefined) return services.sessions.isActive(session.sessionId)
      return actor.is === 'key' && isKeyActive(ctx.db, actor.keyId, timestamp(ctx.clock.now()))
    },
  })
  app.addHook('preClose', async () => streams.stop())
  register(app, feedRoutes, { ...ctx, streams })
  register(app, webhookRoutes, ctx)
  register(app, webhookKeyRoutes, ctx)
  registerUnsubscribeRoutes(app, ctx)
  register(app, keyRoutes, ctx)
  register(app, meRoutes, ctx)
  register(app, federationRoutes, ctx)
  registerTokenRoutes(app, {
    ...ctx,
    keys: issuerKeys(ctx.clock, allowedAddresses(ctx.config.federationAllow)),
  })
  registerDescriptionRoutes(app)
  registerDocsRoutes(app, ctx.docs)
  registerVerifierRoutes(app, ctx)
  registerPageRoutes(app, { ...ctx, shares: registerShareLinkRoutes(app, ctx) })
  registerConsoleRoutes(app, services)
}

function createServer(ctx: AppContext): FastifyInstance {
  const { config, identifiers } = ctx
  const requestTimeout = config.requestTimeoutSeconds * 1000
  const raw = { identifiers, headers: headersOf(config.issuer) }
  const app: FastifyInstance = Fastify({
    logController: new StreamErrorLog(ctx.log),
    genReqId: () => identifiers.requestId(),
    requestIdHeader: false,
    trustProxy: trustedProxies(config.trustProxy),
    bodyLimit: BODY_LIMIT_BYTES,
    exposeHeadRoutes: false,
    requestTimeout,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    schemaController: { compilersFactory: { buildSerializer: sharedSerializers } },
    rewriteUrl: pathOf,
    routerOptions: { maxParamLength: HEADERS_LIMIT_BYTES },
    http: {
      // request-rules.ts checks this, with an error body.
      requireHostHeader: false,
      maxHeaderSize: HEADERS_LIMIT_BYTES,
      headersTimeout: Math.min(requestTimeout, 15_000),
      connectionsCheckingInterval: Math.min(requestTimeout, 5000),
    },
    clientErrorHandler: handleClientErrors(raw),
    frameworkErrors: (error, request, reply) => {
      reply.headers(raw.headers).header('x-request-id', request.id)
      sendError(ctx.log, error, request, reply)
    },
  })
  handleNodeRejections(app.server, raw)
  closeUnusedConnections(app)
  if (config.trustProxy === false)
    limitConnections(app.server, config.maxInFlightPerAddress * LIMITS.connections.value)
  closeStalledResponses(app.server)
  app.setValidatorCompiler(validateRequest({ named: NAMED_SCHEMAS }))
  return app
}

function trustedProxies(
  trust: AppContext['config']['trustProxy'],
): NonNullable<FastifyServerOptions['trustProxy']> {
  if (typeof trust === 'boolean') return trust
  return typeof trust === 'number' ? (_address, hop) => hop < trust : [...trust]
}
