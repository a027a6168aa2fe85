import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import { asLine } from '@kitseal/kit'
import { recordEvent } from '../audit/audit-trail.ts'
import { countToday, secondsUntilTomorrow } from '../database/daily-counts.ts'
import type { RequestSendersTable } from '../database/request-schema.ts'
import type { Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { readersOf } from '../deliveries/workspace-mail.ts'
import { addressGroup } from '../http/address-group.ts'
import type { WorkspaceCaller } from '../http/caller.ts'
import { Refusal } from '../refusals.ts'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { LinkId, SubmissionId } from '../runtime/identifiers.ts'
import { LIMITS } from '../settings/limits.ts'
import type { ReceivedFact } from '../submissions/received-facts.ts'
import type { RequestContext } from './request-context.ts'
import type { RequestView } from './request-queries.ts'
import type { SenderBody } from './request-schemas.ts'

/** Someone who answers a request in one browser: the cookie, of which only the hash is stored. */
export interface Browser {
  readonly text: string
  readonly sha256: string
}

/** In one browser, with one link, for the round of one draft. */
export interface Sending {
  readonly browser: Browser
  readonly linkId: LinkId
  readonly submissionId: SubmissionId
}

export const readSender = (
  db: Db,
  { browser, linkId, submissionId }: Sending,
): Promise<RequestSendersTable | undefined> =>
  db
    .selectFrom('request_senders')
    .selectAll()
    .where('browser_sha256', '=', browser.sha256)
    .where('link_id', '=', linkId)
    .where('submission_id', '=', submissionId)
    .executeTakeFirst()

/** What the person says on the page. Nothing of it is verified. */
export async function saveSender(trx: Db, clock: Clock, sending: Sending, said: SenderBody): Promise<void> {
  await change(trx, clock, sending, {
    name: said.name,
    seals_address: said.seal_address ? 1 : 0,
    wants_copy: said.mail_copy ? 1 : 0,
  })
}

type Changes = Partial<Omit<RequestSendersTable, 'browser_sha256' | 'link_id' | 'submission_id'>>

/** What a browser said in an earlier round, or confirmed there, does not count. */
async function change(
  trx: Db,
  clock: Clock,
  { browser, linkId, submissionId }: Sending,
  changes: Changes,
): Promise<void> {
  const updated_at = timestamp(clock.now())
  await trx
    .deleteFrom('request_senders')
    .where('browser_sha256', '=', browser.sha256)
    .where((eb) => eb.or([eb('submission_id', '<>', submissionId), eb('link_id', '<>', linkId)]))
    .execute()
  const fresh: RequestSendersTable = {
    browser_sha256: browser.sha256,
    link_id: linkId,
    submission_id: submissionId,
    name: null,
    seals_address: 0,
    wants_copy: 0,
    address: null,
    code_sha256: null,
    tries: 0,
    expires_at: null,
    confirmed_at: null,
    updated_at,
  }
  await trx
    .insertInto('request_senders')
    .values({ ...fresh, ...changes })
    .onConflict((conflict) => conflict.column('browser_sha256').doUpdateSet({ ...changes, updated_at }))
    .execute()
}

const CODE_MS = 10 * 60_000
const TRIES = 5

/** Queues a mail with a code of six digits. The hash is made with the cookie, so that nobody can try all codes on a copy of the database. */
export async function sendCode(
  trx: Db,
  ctx: Pick<RequestContext, 'clock' | 'mail'>,
  view: RequestView,
  sending: Sending,
  address: string,
  ip: string,
): Promise<void> {
  const { clock, mail } = ctx
  if (!mail.isOn) throw new Refusal('mail_off', 'This service sends no mail, so no address can be confirmed.')
  await countCode(trx, clock, sending, address, ip)
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const expires_at = timestamp(clock.now() + CODE_MS)
  const code_sha256 = hashOf(sending.browser, address, code)
  // Agreed is to one address.
  const asked = { address, code_sha256, tries: 0, expires_at, confirmed_at: null, seals_address: 0 }
  await change(trx, clock, sending, asked)
  const { workspace } = await readersOf(trx, view.workspace_id)
  const isQueued = await mail.send(trx, {
    to: address,
    workspaceId: view.workspace_id,
    template: 'code',
    data: { workspace, title: view.title, code, link: '' },
    dedupe: codeMail({ code_sha256 }),
  })
  if (!isQueued)
    throw tomorrow(
      clock,
      'This address gets no more mail today, or wants none. Submit without confirming it, or use another one.',
    )
}

export const codeMail = ({ code_sha256 }: Pick<RequestSendersTable, 'code_sha256'>): string =>
  `code ${code_sha256}`

/** Anyone with a link can make the service mail anyone. */
async function countCode(
  trx: Db,
  clock: Clock,
  { linkId }: Sending,
  address: string,
  ip: string,
): Promise<void> {
  const counts = [
    [`codes by ${linkId}`, LIMITS.codesByLink.value],
    [`codes to ${address.toLowerCase()}`, LIMITS.codesToAddress.value],
    [`codes from ${addressGroup(ip)}`, LIMITS.codesFromNetwork.value],
  ] as const
  for (const [name, limit] of counts)
    if (!(await countToday(trx, clock, name, limit)))
      throw tomorrow(clock, 'Too many codes were mailed today. Submit without confirming the address.')
}

const tomorrow = (clock: Clock, message: string): Refusal =>
  new Refusal('rate_limited', message, { headers: { 'retry-after': `${secondsUntilTomorrow(clock)}` } })

const hashOf = ({ text }: Browser, address: string, code: string): string =>
  createHmac('sha256', text).update(`${address} ${code}`).digest('hex')

/** Confirms the address that the code was mailed to. Every try counts, also those of concurrent requests. */
export async function confirmCode(
  { db, clock }: Pick<RequestContext, 'db' | 'clock'>,
  view: RequestView,
  sending: Sending,
  code: string,
): Promise<void> {
  const { browser, linkId, submissionId } = sending
  const at = timestamp(clock.now())
  const tried = await db
    .updateTable('request_senders')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('browser_sha256', '=', browser.sha256)
    .where('link_id', '=', linkId)
    .where('submission_id', '=', submissionId)
    .where('tries', '<', TRIES)
    .where('expires_at', '>', at)
    .where('code_sha256', 'is not', null)
    .returning(['address', 'code_sha256', 'tries'])
    .executeTakeFirst()
  if (tried === undefined)
    throw new Refusal('code_wrong', 'The code has expired, or was tried too often. Get a new one.')
  const [given, expected] = [hashOf(browser, tried.address ?? '', code), tried.code_sha256 ?? '']
  if (!timingSafeEqual(Buffer.from(given, 'hex'), Buffer.from(expected, 'hex'))) {
    const left = TRIES - tried.tries
    const more = left === 0 ? 'Get a new one.' : `${left} more ${left === 1 ? 'try' : 'tries'}.`
    throw new Refusal('code_wrong', `The code is wrong. ${more}`)
  }
  await transact(db, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('request_senders')
      .set({ confirmed_at: at, code_sha256: null, updated_at: at })
      .where('browser_sha256', '=', browser.sha256)
      .where('code_sha256', '=', expected)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return
    const event = { workspaceId: view.workspace_id, subject: view.request_id, at } as const
    // Without the address: events are not deleted.
    await recordEvent(trx, {
      ...event,
      actor: { is: 'link', linkId },
      action: 'request.address_confirmed',
      details: { round: view.round },
    })
  })
}

/** Who submits, in the transaction that submits. An address is sealed only if its owner confirmed it here and agreed. */
export async function recordSender(
  trx: Db,
  submissionId: SubmissionId,
  { actor, browserSha256 }: WorkspaceCaller,
): Promise<void> {
  if (actor.is !== 'link' || browserSha256 === undefined) return
  const row = await trx
    .selectFrom('request_senders')
    .innerJoin('links', 'links.link_id', 'request_senders.link_id')
    .selectAll('request_senders')
    .select('links.recipient')
    .where('browser_sha256', '=', browserSha256)
    .where('request_senders.link_id', '=', actor.linkId)
    .where('submission_id', '=', submissionId)
    .executeTakeFirst()
  if (row === undefined) return
  const facts = factsOf(row)
  await trx
    .updateTable('request_rounds')
    .set({
      sender: facts.length === 0 ? null : JSON.stringify(facts),
      copy_to: row.wants_copy === 1 ? copyTo(row) : null,
    })
    .where('submission_id', '=', submissionId)
    .execute()
}

function factsOf({
  name,
  address,
  confirmed_at,
  seals_address,
}: RequestSendersTable): readonly ReceivedFact[] {
  const line = name === null ? undefined : asLine(name, 200)
  const isSealed = address !== null && confirmed_at !== null && seals_address === 1
  return [
    ...(line === undefined ? [] : [{ source: 'supplier', statement: 'stated', name: line } as const]),
    ...(isSealed
      ? [{ source: 'confirmed_address', statement: 'verified', address, confirmed_at } as const]
      : []),
  ]
}

/** The address that was confirmed, else the one that the link was mailed to. Nobody else gets mail. */
export const copyTo = ({
  address,
  confirmed_at,
  recipient,
}: Pick<RequestSendersTable, 'address' | 'confirmed_at'> & {
  readonly recipient: string | null
}): string | null => (confirmed_at === null ? recipient : address)

/** A failed round is corrected in the same browser, so what was confirmed in it counts for the next one. */
export async function keepSenders(trx: Db, from: SubmissionId, to: SubmissionId): Promise<void> {
  await trx
    .updateTable('request_senders')
    .set({ submission_id: to })
    .where('submission_id', '=', from)
    .execute()
}

const FORGET_MS = 30 * 24 * 60 * 60 * 1000

/** What was sealed stays with its round. */
export async function forgetSenders(db: Db, clock: Clock): Promise<void> {
  await db
    .deleteFrom('request_senders')
    .where('updated_at', '<', timestamp(clock.now() - FORGET_MS))
    .execute()
}
