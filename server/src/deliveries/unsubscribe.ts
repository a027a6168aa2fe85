import type { FastifyInstance, FastifyReply } from 'fastify'
import { findLink } from '../database/links.ts'
import { isFound, workspaceRow } from '../database/questions.ts'
import type { Db } from '../database/schema.ts'
import { DOCS_HEADERS } from '../http/headers.ts'
import { linkScope } from '../http/link-scope.ts'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import { escaped } from './render-mail.ts'

/** GET and POST /u/TOKEN: the link in mail to outsiders. A GET changes nothing, because mail scanners follow links. */
export function registerUnsubscribeRoutes(
  app: FastifyInstance,
  { db, clock }: { readonly db: Db; readonly clock: Clock },
): void {
  linkScope(app, '/u/:token', (scope) => {
    // One-click unsubscription (RFC 8058) and the button send a form. Its content does not matter.
    scope.addContentTypeParser(
      ['application/x-www-form-urlencoded', 'multipart/form-data'],
      { parseAs: 'buffer', bodyLimit: 1024 },
      (_request, _body, done) => done(null, undefined),
    )
    for (const method of ['GET', 'POST'] as const)
      scope.route<{ readonly Params: { readonly token: string } }>({
        method,
        url: '',
        handler: async (request, reply) => {
          const link = await findLink(db, clock, 'unsubscribe', request.params.token)
          if (link === undefined)
            return sendPage(
              reply.code(404),
              'Link expired',
              'This link is no longer valid. Use the link in a newer mail.',
            )
          const { workspace_id, subject_id: email } = link
          const { name } = await workspaceRow(db, workspace_id)
          const text = `${email} will get no more mail from ${name}.`
          if (method === 'GET') return sendPage(reply, 'Unsubscribe', text, FORM)
          await db
            .insertInto('unsubscribes')
            .values({ workspace_id, email, unsubscribed_at: timestamp(clock.now()) })
            .onConflict((conflict) => conflict.doNothing())
            .execute()
          return sendPage(reply, 'Unsubscribed', `${text} Links in earlier mails still work.`)
        },
      })
  })
}

const FORM = '<form method="post"><button type="submit">Unsubscribe</button></form>'

const sendPage = (reply: FastifyReply, title: string, text: string, form = ''): FastifyReply =>
  reply
    .headers(DOCS_HEADERS)
    .type('text/html; charset=utf-8')
    .serializer((page: unknown) => page as string)
    .send(
      `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · kitseal</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/docs.css">
</head>
<body><main><h1>${title}</h1><p>${escaped(text)}</p>${form}</main></body>
</html>
`,
    )

/** Whether an address (lower case) wants no mail from a workspace. */
export const isUnsubscribed = (db: Db, workspaceId: WorkspaceId, email: string): Promise<boolean> =>
  isFound(
    db
      .selectFrom('unsubscribes')
      .select('email')
      .where('workspace_id', '=', workspaceId)
      .where('email', '=', email),
  )
