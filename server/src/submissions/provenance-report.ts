import { type RecognisedOutput, statedFor } from '@kitseal/examiner'
import {
  ALL_FILES,
  asLine,
  BOUNDARY,
  canonicalJson,
  type JsonValue,
  PROVENANCE_PATH,
  PROVENANCE_VERSION,
  type ProvenanceEntry,
  type SubmissionProvenance,
} from '@kitseal/kit/internal'
import type { Db, EvidenceTable } from '../database/schema.ts'
import type { WorkspaceCaller } from '../http/caller.ts'
import { type MadeFile, madeJson } from '../kits/kit-files.ts'
import type { CallerActor } from '../runtime/actor.ts'
import type { ApiKeyId, LinkId, MemberId, SubmissionId } from '../runtime/identifiers.ts'

/** Who sent a file, as stored with it. */
export function actorText(actor: CallerActor): string {
  if (actor.is === 'key') return `key:${actor.keyId}`
  return actor.is === 'member' ? `member:${actor.memberId}` : `link:${actor.linkId}`
}

export function actorOf(text: string): CallerActor {
  const [is, ...rest] = text.split(':')
  const id = rest.join(':')
  if (is === 'key') return { is: 'key', keyId: id as ApiKeyId }
  return is === 'link' ? { is: 'link', linkId: id as LinkId } : { is: 'member', memberId: id as MemberId }
}

interface ReceivedFiles {
  readonly actor: CallerActor
  readonly details: { readonly files: number; readonly bytes: number }
}

/** The files that others than the one who submits have sent. Those that came with a link are events already. */
export async function receivedFromOthers(
  trx: Db,
  id: SubmissionId,
  submitter: CallerActor,
): Promise<readonly ReceivedFiles[]> {
  const rows = await trx
    .selectFrom('evidence')
    .select((eb) => [
      'received_by',
      eb.fn.countAll<number | string>().as('files'),
      eb.fn.sum<number | string>('size_bytes').as('bytes'),
    ])
    .where('submission_id', '=', id)
    .where('received_by', '<>', actorText(submitter))
    .where('received_by', 'not like', 'link:%')
    .groupBy('received_by')
    .orderBy('received_by')
    .execute()
  return rows.map(({ received_by, files, bytes }) => {
    return { actor: actorOf(received_by ?? ''), details: { files: Number(files), bytes: Number(bytes) } }
  })
}

type WithoutPaths<Entry> = Entry extends ProvenanceEntry ? Omit<Entry, 'paths'> : never

/** An entry of the provenance report, before it is known which files it is about. */
export type ReceivedFact = WithoutPaths<ProvenanceEntry>

type Upload = Extract<ReceivedFact, { readonly source: 'upload' }>

/** How files were received, as stored with each of them. */
export function receivedFacts(caller: WorkspaceCaller, protocol: Upload['protocol'], at: string): string {
  const { key } = caller
  const upload: Upload = { source: 'upload', statement: 'verified', at, protocol, ...accountOf(caller) }
  const facts: readonly ReceivedFact[] = [
    ...(key?.ci == null ? [] : [{ source: 'ci_token', statement: 'verified', ...key.ci } as const]),
    upload,
    ...clientIn(key?.userAgent),
  ]
  return JSON.stringify(facts)
}

export const factsIn = (received: string | null): readonly ReceivedFact[] =>
  received === null ? [] : (JSON.parse(received) as readonly ReceivedFact[])

/** By ID: names and labels are the workspace's own text, and a person's address is not sealed. */
function accountOf({ actor, workspaceId: workspace_id }: WorkspaceCaller) {
  if (actor.is === 'link') return { route: 'request_link', link_id: actor.linkId } as const
  if (actor.is === 'member') return { route: 'browser', workspace_id, member_id: actor.memberId } as const
  return { route: 'api', workspace_id, key_id: actor.keyId } as const
}

/** The command line calls itself `kitseal/VERSION`. Anyone can, so it is stated. */
function clientIn(userAgent = ''): readonly ReceivedFact[] {
  const [, version] = /^kitseal\/([\w.+-]{1,100})$/.exec(userAgent) ?? []
  return version === undefined ? [] : [{ source: 'client', statement: 'stated', name: 'kitseal', version }]
}

/** A file in data/, and the upload that it came with. */
interface FileOfUpload {
  readonly path: string
  readonly from: string
  readonly recognised?: RecognisedOutput | undefined
}

/** reports/provenance.json of a submission. `sender`: facts about the person who submitted all of it. */
export function provenanceOf(
  uploads: readonly Pick<EvidenceTable, 'name' | 'received'>[],
  files: readonly FileOfUpload[],
  stated: SubmissionProvenance | null,
  sender: readonly ReceivedFact[] = [],
): MadeFile {
  const received = receivedByName(uploads)
  const entries = groupedEntries(
    files.map(({ path }) => path),
    files.flatMap(({ path, from, recognised }) => {
      const name = path.slice('data/'.length)
      const said = stated === null ? undefined : statedFor(stated, name)
      return [
        ...factsIn(received.get(from) ?? null),
        ...sender,
        ...(said === undefined ? [] : [{ source: 'supplier', statement: 'stated', ...said } as const]),
        ...(recognised === undefined ? [] : recognisedFact(recognised)),
      ].map((fact) => [path, fact] as const)
    }),
  )
  return provenanceFile(entries)
}

export const provenanceFile = (entries: readonly ProvenanceEntry[]): MadeFile =>
  madeJson(PROVENANCE_PATH, {
    provenance_version: PROVENANCE_VERSION,
    entries: entries as JsonValue,
    boundary: BOUNDARY,
  })

/** By the name of the upload. Of two archives with the same name, it is not known which one a file came with. */
function receivedByName(
  uploads: readonly Pick<EvidenceTable, 'name' | 'received'>[],
): ReadonlyMap<string, string | null> {
  const byName = new Map<string, string | null>()
  for (const { name, received } of uploads) {
    const key = name.toWellFormed()
    const isKnown = !byName.has(key) || byName.get(key) === received
    byName.set(key, isKnown ? received : null)
  }
  return byName
}

/** One entry for equal facts about several files. */
function groupedEntries(
  paths: readonly string[],
  facts: readonly (readonly [path: string, fact: ReceivedFact])[],
): readonly ProvenanceEntry[] {
  const groups = new Map<string, { readonly fact: ReceivedFact; readonly paths: string[] }>()
  for (const [path, fact] of facts) {
    const key = canonicalJson(fact as JsonValue)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { fact, paths: [path] })
    else group.paths.push(path)
  }
  return [...groups.values()].map(({ fact, paths: of }) => entryOf(fact, of, paths.length))
}

function entryOf(fact: ReceivedFact, paths: readonly string[], files: number): ProvenanceEntry {
  const about: Pick<ProvenanceEntry, 'paths'> = { paths: paths.length === files ? ALL_FILES : paths }
  return Object.assign(about, fact)
}

/** The texts come from a file, so they are cut to what a report can have. */
function recognisedFact(recognised: RecognisedOutput): readonly ReceivedFact[] {
  const { counts } = recognised
  const [format, summary] = [asLine(recognised.format, 100), asLine(recognised.summary, 1000)]
  if (format === undefined || summary === undefined) return []
  const optional = { tool: 200, version: 200, target: 500, time: 40 } as const
  const members = Object.entries(optional).flatMap(([name, maxLength]) => {
    const text = asLine(recognised[name as keyof typeof optional] ?? '', maxLength)
    return text === undefined ? [] : [[name, text]]
  })
  const fine = counts.slice(0, 50).flatMap(({ name, count }) => {
    const text = asLine(name, 100)
    return text !== undefined && Number.isSafeInteger(count) && count >= 0 ? [{ name: text, count }] : []
  })
  const fact = { source: 'recognised', statement: 'stated', format, counts: fine, summary } as const
  return [{ ...fact, ...(Object.fromEntries(members) as Record<string, string>) }]
}
