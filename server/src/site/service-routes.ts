import type { FastifyInstance } from 'fastify'
import { sessionOf } from '../access/resolve-session.ts'
import { newestMail } from '../deliveries/mail-status.ts'
import { Refusal } from '../refusals.ts'
import { timestamp } from '../runtime/clock.ts'
import { EmptyBody } from './console-schemas.ts'
import type { ConsoleServices } from './console-services.ts'
import { type ConsoleResponse, returns } from './response-schemas.ts'

/** The page of operators. */
export function registerServiceRoutes(scope: FastifyInstance, services: ConsoleServices): void {
  const { db, clock, mail } = services

  scope.get(
    '/service',
    { schema: returns('ServicePage') },
    async (request): Promise<ConsoleResponse<'ServicePage'>> => ({
      status: await services.serviceStatus(),
      test_mail: (await newestMail(db, testMailTo(sessionOf(request).email))) ?? null,
    }),
  )

  scope.post('/service/test-mail', { schema: { body: EmptyBody } }, async (request, reply) => {
    const { email: to, workspaceId } = sessionOf(request)
    if (!mail.isOn) throw mailOff()
    const workspace = await services.workspaces.find(workspaceId)
    await mail.send(db, {
      to,
      workspaceId,
      template: 'test',
      data: { workspace: workspace?.name ?? '', issuer: services.issuer(), link: '/console/service' },
      dedupe: testMailTo(to) + timestamp(clock.now()),
    })
    return reply.code(204).send()
  })
}

const testMailTo = (email: string): string => `test ${email} `

export const mailOff = (): Refusal =>
  new Refusal('mail_off', 'The service has no mail server. Set KITSEAL_SMTP_URL and restart it.')
