import { isFound, workspaceRow } from '../database/questions.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { Db } from '../database/schema.ts'
import { DOCS_HEADERS } from '../http/headers.ts'
import { linkScope } from '../http/link-scope.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import { findLink } from '../database/links.ts'

type Route = { readonly Params: { readonly token: string } }

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
    scope.get<Route>('', async (request, reply) => {
      const found = await findSubscription(db, clock, request.params.token)
      if (found === undefined) return sendPage(reply, 404, EXPIRED)
      return sendPage(reply, 200, {
        title: 'Unsubscribe',
        text: `${found.email} will get no more mail from ${found.workspace}.`,
        button: 'Unsubscribe',
      })
    })
    scope.post<Route>('', async (request, reply) => {
      const found = await findSubscription(db, clock, request.params.token)
      if (found === undefined) return sendPage(reply, 404, EXPIRED)
      await unsubscribe(db, clock, found)
      return sendPage(reply, 200, {
        title: 'Unsubscribed',
        text: `${found.email} will get no more mail from ${found.workspace}. Links in earlier mails still work.`,
      })
    })
  })
}

interface Page {
  readonly title: string
  readonly text: string
  readonly button?: string
}

const EXPIRED = { title: 'Link expired', text: 'This link is no longer valid. Use the link in a newer mail.' }

function sendPage(reply: FastifyReply, status: number, { title, text, button }: Page): FastifyReply {
  const form =
    button === undefined ? '' : `<form method="post"><button type="submit">${escaped(button)}</button></form>`
  return reply
    .code(status)
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
<title>${escaped(title)} · kitseal</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/docs.css">
</head>
<body><main><h1>${escaped(title)}</h1><p>${escaped(text)}</p>${form}</main></body>
</html>
`,
    )
}

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`)

/** Whether an address (lower case) wants no mail from a workspace. */
export const isUnsubscribed = (db: Db, workspaceId: WorkspaceId, email: string): Promise<boolean> =>
  isFound(
    db
      .selectFrom('unsubscribes')
      .select('email')
      .where('workspace_id', '=', workspaceId)
      .where('email', '=', email),
  )

interface Subscription {
  readonly workspaceId: WorkspaceId
  readonly workspace: string
  readonly email: string
}

/** What a link in a mail is about. Undefined if the token is unknown or has expired. */
async function findSubscription(db: Db, clock: Clock, token: string): Promise<Subscription | undefined> {
  const link = await findLink(db, clock, 'unsubscribe', token)
  if (link === undefined) return undefined
  const { workspace_id: workspaceId, subject_id: email } = link
  return { workspaceId, workspace: (await workspaceRow(db, workspaceId)).name, email }
}

async function unsubscribe(db: Db, clock: Clock, { workspaceId, email }: Subscription): Promise<void> {
  await db
    .insertInto('unsubscribes')
    .values({ workspace_id: workspaceId, email, unsubscribed_at: timestamp(clock.now()) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
