// docs/decisions/0402
import type { Db } from '../database/schema.ts'
import type { SharesTable } from '../database/share-schema.ts'
import type { Share } from './share-schemas.ts'
import type { ShareId } from '../runtime/identifiers.ts'
import { createLink } from '../database/links.ts'
import { isAddress } from '../deliveries/mail.ts'
import { mailDate, readersOf } from '../deliveries/workspace-mail.ts'
import { Refusal } from '../refusals.ts'
import { type ShareContext, shareUrl } from './share.ts'

type Recipients = Share['recipients']

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

/** Creates a link for each recipient, and mails it. Without a mail server, the links are returned. */
export async function invite(
  trx: Db,
  ctx: ShareContext,
  { share, label }: { readonly share: SharesTable; readonly label: string },
  recipients: readonly string[],
): Promise<Recipients> {
  const { share_id: subject, workspace_id: workspaceId, expires_at: expiresAt } = share
  const { workspace } = await readersOf(trx, workspaceId)
  const data = {
    workspace,
    title: label,
    note: share.note ?? '',
    password: share.password === null ? '' : `You need a password, too. Ask ${workspace} for it.`,
    expires: mailDate(expiresAt),
  }
  const invited: Recipients = []
  for (const email of recipients) {
    const link = { workspaceId, purpose: 'share', subject, expiresAt, recipient: email } as const
    const { token } = await createLink(trx, ctx, link)
    const dedupe = `share ${subject} ${email.toLowerCase()}`
    const filled = { ...data, link: `/s/${token}` }
    await ctx.mail.send(trx, { to: email, workspaceId, template: 'share', data: filled, dedupe })
    const url = ctx.mail.isOn ? null : shareUrl(ctx.issuer(), token)
    invited.push({ email, url, last_access_at: null })
  }
  return invited
}

/** Who has a link of their own, by share. */
export async function readRecipients(
  db: Db,
  shares: readonly ShareId[],
): Promise<ReadonlyMap<string, Recipients>> {
  if (shares.length === 0) return new Map()
  const rows = await db
    .selectFrom('links')
    .leftJoin('share_accesses', (join) =>
      join
        .onRef('share_accesses.share_id', '=', 'links.subject_id')
        .onRef('share_accesses.link_id', '=', 'links.link_id'),
    )
    .select(['links.subject_id', 'links.recipient'])
    .select(({ fn }) => fn.max('share_accesses.at').as('last_access_at'))
    .where('links.subject_id', 'in', shares)
    .where('links.purpose', '=', 'share')
    .where('links.recipient', 'is not', null)
    .groupBy(['links.link_id', 'links.subject_id', 'links.recipient'])
    .execute()
  const found = new Map<string, Recipients>()
  for (const { subject_id, recipient, last_access_at } of rows) {
    const list = found.get(subject_id) ?? []
    found.set(subject_id, list)
    list.push({ email: recipient ?? '', url: null, last_access_at })
  }
  for (const list of found.values())
    list.sort((a, b) => (a.email.toLowerCase() < b.email.toLowerCase() ? -1 : 1))
  return found
}
