import { type Static, Type } from 'typebox'
import type { Db } from '../database/schema.ts'
import { createLink, type LinkContext } from '../database/links.ts'
import { isAddress, type Mail, mailStatuses, MailStatus, readersOf } from '../deliveries/mail.ts'
import { phrase } from '../deliveries/render-mail.ts'
import { NullableString, Nullable } from '../http/schema-parts.ts'
import { Refusal } from '../refusals.ts'
import type { LinkId, ShareId, WorkspaceId } from '../runtime/identifiers.ts'

export const Recipients = Type.Array(
  Type.Object({
    email: Type.String(),
    url: NullableString(
      'The link of this recipient, only in the response that created it, and only if it is not mailed. Then send it yourself.',
    ),
    mail: Nullable(
      MailStatus,
      'What became of the mail with the link. Null if none was sent, or more than 90 days ago.',
    ),
    revoked_at: NullableString('When the link of this recipient was revoked.'),
    last_access_at: NullableString('When the link of this recipient was last used.'),
  }),
  { description: 'Who has a link of their own.' },
)
export type Recipients = Static<typeof Recipients>

/** What links are made of. */
interface Linked {
  readonly share_id: ShareId
  readonly workspace_id: WorkspaceId
  readonly expires_at: string
  readonly note: string | null
  readonly password: string | null
}

interface LinksContext extends LinkContext {
  readonly mail: Mail
  issuer(): string
}

/** Each address once. Mail servers ignore the case of an address. */
export function recipientsAsked(given: readonly string[]): readonly string[] {
  const wrong = given.find((address) => !isAddress(address.trim()))
  if (wrong !== undefined)
    throw new Refusal('body_invalid', `${JSON.stringify(wrong)} is not an email address.`, {
      param: `recipients[${given.indexOf(wrong)}]`,
    })
  const once = new Map<string, string>()
  for (const address of given.map((each) => each.trim()))
    if (!once.has(address.toLowerCase())) once.set(address.toLowerCase(), address)
  return [...once.values()]
}

/** The links of a share that were just created, by recipient. They are not stored. */
export type NewLinks = ReadonlyMap<string | null, string>

/** Creates a link for each recipient, and mails it. Null stands for anyone. Links that are not mailed are returned. */
export async function createLinks(
  trx: Db,
  ctx: LinksContext,
  share: Linked,
  title: string,
  recipients: readonly (string | null)[],
): Promise<NewLinks> {
  const { share_id: subject, workspace_id: workspaceId, expires_at: expiresAt } = share
  const { workspace } = await readersOf(trx, workspaceId)
  const data = {
    workspace,
    title,
    note: share.note ?? '',
    password: share.password === null ? '' : phrase('mail.phrase.password', { workspace }),
    expires: expiresAt,
  }
  const links = new Map<string | null, string>()
  for (const to of recipients) {
    const link = {
      workspaceId,
      purpose: 'share',
      subject,
      expiresAt,
      ...(to !== null && { recipient: to }),
    } as const
    const { linkId, token } = await createLink(trx, ctx, link)
    const filled = { ...data, link: `/s/${token}` }
    const isMailed =
      to !== null &&
      (await ctx.mail.send(trx, { to, workspaceId, template: 'share', data: filled, dedupe: mailOf(linkId) }))
    if (!isMailed) links.set(to, shareUrl(ctx.issuer(), token))
  }
  return links
}

const shareUrl = (issuer: string, token: string): string => `${issuer.replace(/\/+$/, '')}/s/${token}`

const mailOf = (linkId: LinkId): string => `share ${linkId}`

/** Who has a link of their own, by share, with the new links. */
export async function readRecipients(
  db: Db,
  shares: readonly ShareId[],
  links: NewLinks = new Map(),
): Promise<ReadonlyMap<string, Recipients>> {
  if (shares.length === 0) return new Map()
  const rows = await db
    .selectFrom('links')
    .leftJoin('share_accesses', (join) =>
      join
        .onRef('share_accesses.share_id', '=', 'links.subject_id')
        .onRef('share_accesses.link_id', '=', 'links.link_id'),
    )
    .select(['links.subject_id', 'links.link_id', 'links.recipient', 'links.revoked_at'])
    .select(({ fn }) => fn.max('share_accesses.created_at').as('last_access_at'))
    .where('links.subject_id', 'in', shares)
    .where('links.purpose', '=', 'share')
    .where('links.recipient', 'is not', null)
    .groupBy(['links.link_id', 'links.subject_id', 'links.recipient', 'links.revoked_at', 'links.created_at'])
    .orderBy('links.created_at')
    .orderBy('links.link_id')
    .execute()
  const mails = await mailStatuses(
    db,
    rows.map(({ link_id }) => mailOf(link_id)),
  )
  const found = new Map<string, Recipients>()
  for (const [subject, own] of Map.groupBy(rows, ({ subject_id }) => subject_id)) {
    const people = Map.groupBy(own, ({ recipient }) => (recipient ?? '').toLowerCase())
    const listed = [...people]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, theirs]) => {
        const newest = theirs.at(-1)!
        const email = newest.recipient ?? ''
        return {
          email,
          url: links.get(email) ?? null,
          last_access_at:
            theirs
              .map((each) => each.last_access_at)
              .toSorted()
              .at(-1) ?? null,
          revoked_at: newest.revoked_at,
          // A mail about comments has a link, too.
          mail: theirs.map(({ link_id }) => mails.get(mailOf(link_id))).findLast(Boolean) ?? null,
        }
      })
    found.set(subject, listed)
  }
  return found
}
