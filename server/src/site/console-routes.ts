import type { FastifyInstance } from 'fastify'
import { registerWebhookRoutes } from '../deliveries/webhook-routes.ts'
import { registerFederationRoutes } from '../access/federation-routes.ts'
import { registerShareRoutes } from '../sharing/share-routes.ts'
import { registerRequestRoutes } from '../sharing/request-routes.ts'
import { registerProfileRoutes } from '../submissions/profile-routes.ts'
import { registerSubmissionRoutes } from '../submissions/submission-routes.ts'
import { registerAuditRoutes } from '../audit/audit-routes.ts'
import { registerCreditRoutes } from '../access/credit-routes.ts'
import { registerTrustRoutes } from '../access/trust-routes.ts'
import { registerKeyRoutes } from '../access/key-routes.ts'
import { registerAuditPageRoutes } from './audit-page-routes.ts'
import { registerConsoleKitRoutes } from './console-kit-routes.ts'
import type { ConsoleServices } from './console-services.ts'
import { registerConsoleSubmissionRoutes } from './console-submission-routes.ts'
import { registerEventRoutes } from './console-event-routes.ts'
import { guard } from './guard.ts'
import { registerMemberRoutes } from './member-routes.ts'
import { registerOidcRoutes } from './oidc-routes.ts'
import { registerPublicRoutes } from './public-routes.ts'
import { registerSelfRoutes } from './self-routes.ts'
import { registerSignInRoutes } from './sign-in-routes.ts'
import { registerSwitchRoutes } from './switch-routes.ts'

export const CONSOLE_API = '/console/api'

/** The console API. It reuses the API routes for submissions and workspaces, with a session instead of an API key. */
export function registerConsoleRoutes(app: FastifyInstance, services: ConsoleServices): void {
  void app.register(
    async (scope) => {
      scope.addHook('onClose', () => services.sessionUse.stop())
      guard(scope, services)
      registerPublicRoutes(scope, services)
      registerSignInRoutes(scope, services)
      registerOidcRoutes(scope, services)
      registerSelfRoutes(scope, services)
      registerSwitchRoutes(scope, services)
      registerProfileRoutes(scope, services)
      registerKeyRoutes(scope, services)
      registerFederationRoutes(scope, services)
      registerMemberRoutes(scope, services)
      registerConsoleSubmissionRoutes(scope, services)
      registerConsoleKitRoutes(scope, services)
      registerEventRoutes(scope, services)
      registerAuditPageRoutes(scope, services)
      registerSubmissionRoutes(scope, services)
      registerShareRoutes(scope, services)
      registerWebhookRoutes(scope, services)
      registerRequestRoutes(scope, services)
      registerCreditRoutes(scope, services)
      registerTrustRoutes(scope, services)
      registerAuditRoutes(scope, services)
    },
    { prefix: CONSOLE_API },
  )
}
