import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { answerClientErrors, answerRefusedByNode } from './http/client-errors.ts'
import { answerErrors, sendError } from './http/answer-errors.ts'
import { type Authenticate, tellCaller } from './http/caller.ts'
import { registerDescriptionRoutes } from './http/description-routes.ts'
import { registerDocsRoutes } from './http/docs-routes.ts'
import { SECURITY_HEADERS, sendHeaders } from './http/headers.ts'
import { refuseMissingHost } from './http/host-header.ts'
import { type ReadyCheck, registerHealthRoutes } from './http/health-routes.ts'
import { type LineSink, logOptions, logRequests, QuietLogController } from './http/log.ts'
import { type Metrics, registerMetrics } from './http/metrics.ts'
import { describeRoutes } from './http/openapi.ts'
import { refuseOverload } from './http/overload.ts'
import { limitRates } from './http/rate-limits.ts'
import { readJsonStrictly } from './http/read-json.ts'
import { refuseWhileStopping } from './http/stopping.ts'
import { registerVerifierRoutes } from './http/verifier-routes.ts'
import { type IntakeContext, registerJobRoutes } from './intake/job-routes.ts'
import { registerJwksRoutes } from './keys/jwks-routes.ts'
import { registerKitRoutes } from './kits/kit-routes.ts'
import { registerVerifyRoutes } from './verification/verify-routes.ts'

export interface AppContext extends IntakeContext {
  readonly authenticate: Authenticate
  readonly metrics: Metrics
  readonly log: LineSink
  readonly ready: Readonly<Record<string, ReadyCheck>>
  waitingJobs(): Promise<number>
  isStopping(): boolean
  /** Known once the service listens. */
  issuer(): string
}

const BODY_LIMIT_BYTES = 64 * 1024
const HEADERS_LIMIT_BYTES = 16 * 1024
const LONGEST_ID = 128

/** The HTTP edge: what holds for every request first, then the routes, each registered by name. */
export async function buildApp(ctx: AppContext): Promise<FastifyInstance> {
  const app = createServer(ctx)
  answerErrors(app)
  readJsonStrictly(app)
  sendHeaders(app, { behindTls: ctx.config.issuer?.startsWith('https:') === true })
  refuseMissingHost(app)
  refuseWhileStopping(app, ctx.isStopping)
  const load = refuseOverload(app, ctx.config.maxInFlight)
  tellCaller(app, ctx.authenticate)
  limitRates(app, ctx.config.rateLimit, ctx.clock)
  logRequests(app, ctx.config.logLevel)
  await describeRoutes(app)

  registerJobRoutes(app, ctx)
  registerKitRoutes(app, ctx)
  registerJwksRoutes(app, ctx)
  registerVerifyRoutes(app, ctx)
  registerDescriptionRoutes(app)
  registerDocsRoutes(app)
  registerVerifierRoutes(app, ctx)
  registerHealthRoutes(app, { clock: ctx.clock, checks: ctx.ready, isStopping: ctx.isStopping })
  registerMetrics(app, ctx.metrics, { load, waitingJobs: ctx.waitingJobs })
  await app.ready()
  return app
}

function createServer(ctx: AppContext): FastifyInstance {
  const { config, identifiers } = ctx
  const requestTimeout = config.requestTimeoutSeconds * 1000
  const app: FastifyInstance = Fastify({
    logger: logOptions(config.logLevel, ctx.log),
    logController: new QuietLogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: () => identifiers.requestId(),
    requestIdHeader: false,
    trustProxy: trustedProxies(config.trustProxy),
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: LONGEST_ID },
    http: {
      // Node would refuse it without a body; host-header.ts does so in the contract's shape.
      requireHostHeader: false,
      maxHeaderSize: HEADERS_LIMIT_BYTES,
      headersTimeout: Math.min(requestTimeout, 15_000),
      connectionsCheckingInterval: Math.min(requestTimeout, 5000),
    },
    clientErrorHandler: answerClientErrors(identifiers),
    frameworkErrors: (error, request, reply) => {
      reply.headers(SECURITY_HEADERS).header('x-request-id', request.id)
      sendError(error, request, reply)
    },
  })
  answerRefusedByNode(app.server, identifiers)
  // Bodies are read by our own strict reader, which names every problem at once; schemas describe and serialize.
  app.setValidatorCompiler(() => () => true)
  return app
}

function trustedProxies(
  trust: AppContext['config']['trustProxy'],
): NonNullable<FastifyServerOptions['trustProxy']> {
  if (typeof trust === 'boolean') return trust
  return typeof trust === 'number' ? (_address, hop) => hop < trust : [...trust]
}
