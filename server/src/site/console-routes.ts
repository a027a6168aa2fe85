import type { FastifyInstance } from 'fastify'
import type { ConsoleServices } from './console-services.ts'
import { guard } from './guard.ts'
import { registerMemberRoutes } from './member-routes.ts'
import { registerOidcRoutes } from './oidc-routes.ts'
import { registerPublicRoutes } from './public-routes.ts'
import { registerSelfRoutes } from './self-routes.ts'
import { registerSignInRoutes } from './sign-in-routes.ts'
import { registerSwitchRoutes } from './switch-routes.ts'

export const CONSOLE_API = '/console/api'

/** Sign-in, sessions and members: what only a browser does. Everything else the console does with the API. */
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
      registerMemberRoutes(scope, services)
    },
    { prefix: CONSOLE_API },
  )
}
