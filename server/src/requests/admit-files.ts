import type { Db } from '../database/schema.ts'
import type { Reader } from '../database/unit.ts'
import type { WorkspaceCaller } from '../http/caller.ts'
import type { Service } from '../http/route.ts'
import { Refusal } from '../refusals.ts'
import { partOf } from '../submissions/submission-refusals.ts'
import type { Admitted } from '../submissions/submission-context.ts'
import { remarks } from './remarks.ts'
import { folderOf, hashOf, requests, type RequestView, viewOf } from './request.ts'
import { rejectLocked } from './review-item.ts'

/**
 * The draft of a request is its supplier's, who alone adds files and submits it. That of a period takes files of its internal
 * items, and is submitted when the period is sealed.
 */
export const admitFiles =
  ({ units }: Service) =>
  async (db: Db, { request_id, ...of }: Admitted, caller: WorkspaceCaller): Promise<void> => {
    if (request_id === null) return
    const reader = units.within(db, caller)
    const view = await viewOf(reader, await reader.own(requests).find(request_id))
    if (view.program_id !== null) return admitToPeriod(view, of)
    if (caller.actor.is !== 'link') throw partOf('request')
    for (const name of of.names) rejectLocked(itemOf(view, name))
    if (of.isFinal && of.names.length === 0) await rejectUnchanged(reader, view)
  }

const itemOf = ({ items }: RequestView, name: string) =>
  items.find(({ item_id }) => item_id === folderOf(name))

/** Items that were sent back need an answer: other files, a reason, or a comment. */
async function rejectUnchanged(reader: Reader, view: RequestView): Promise<void> {
  const { request_id, items, files, handed } = view
  const back = items.filter(({ status }) => status === 'needs_changes')
  const isAnswered = items.some(({ answered_round }) => (answered_round ?? 0) > (handed?.round ?? 0))
  if (back.length === 0 || isAnswered || hashOf(files.drafted) !== hashOf(files.handed)) return
  const [since = ''] = back.map(({ reviewed_at }) => reviewed_at ?? '').toSorted()
  const said = reader.rows(remarks, { request_id, side: 'supplier' }).where('created_at', '>=', since)
  if ((await said.first()) !== undefined) return
  const sentBack = back.map(({ title }) => JSON.stringify(title)).join(', ')
  throw new Refusal(
    'request_unchanged',
    `Nothing has changed since the requester sent back ${sentBack}. Change the files, or answer with a comment, then submit.`,
    { args: { items: sentBack } },
  )
}

function admitToPeriod(view: RequestView, { names, isFinal }: Pick<Admitted, 'names' | 'isFinal'>): void {
  if (isFinal)
    throw new Refusal(
      'submission_of_period',
      `This draft belongs to the period ${view.period} of a program. Send final=false, and seal the period when it is complete.`,
      { param: 'final' },
    )
  for (const name of names) {
    const wrong = problemOf(view, name)
    if (wrong !== undefined) throw new Refusal('evidence_invalid', wrong)
  }
}

function problemOf(view: RequestView, name: string): string | undefined {
  const item = itemOf(view, name)
  const [shown, folder] = [JSON.stringify(name), JSON.stringify(folderOf(name))]
  if (item !== undefined)
    return item.part === null
      ? undefined
      : `${folder} is supplied through the request ${item.part.request_id}.`
  if (name.includes('/')) return `This period has no item ${folder}.`
  const example = JSON.stringify(`${view.items[0]?.item_id ?? 'ITEM'}/${name}`)
  return `${shown} is in the folder of no item. Name it ITEM/FILE, such as ${example}.`
}
