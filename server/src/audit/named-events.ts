import type { AuditEventsTable, Db } from '../database/schema.ts'
import type { ApiKeyId, LinkId, MemberId, WorkspaceId } from '../runtime/identifiers.ts'
import type { PersonList } from './audit-schemas.ts'

interface Subject {
  readonly submission_id: string
  readonly label: string
}

/** For people, and not part of the hash. */
export interface EventNames {
  readonly by: string | null
  readonly subject_name: string | null
  readonly submission: Subject | null
}

/** The names of people, keys and submissions in events. */
export async function namesOf(
  db: Db,
  workspaceId: WorkspaceId,
  rows: readonly AuditEventsTable[],
): Promise<(row: AuditEventsTable) => EventNames> {
  const people = new Map((await peopleOf(db, workspaceId)).map(({ id, name }) => [id, name]))
  const submissions = await submissionsOf(db, workspaceId, rows.map(subjectOf))
  const recipients = await recipientsOf(
    db,
    rows.flatMap((row) => linkOf(row) ?? []),
  )
  const byOf = (row: AuditEventsTable): string | null => {
    const id = row.member_id ?? row.key_id
    return id === null ? (recipients.get(linkOf(row) ?? '') ?? operatorOf(row)) : (people.get(id) ?? id)
  }
  return (row) => ({
    by: byOf(row),
    subject_name: people.get(row.subject) ?? null,
    submission: submissions.get(subjectOf(row)) ?? null,
  })
}

/** The members and API keys of a workspace, by ID. Also those that are removed or revoked. */
export async function peopleOf(db: Db, workspaceId: WorkspaceId): Promise<PersonList['data']> {
  const members = await db
    .selectFrom('members')
    .select(['member_id as id', 'email as name'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('email')
    .execute()
  const keys = await db
    .selectFrom('api_keys')
    .select(['key_id as id', 'label as name'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('created_at')
    .execute()
  return [
    ...members.map(({ id, name }) => ({ id, name, is: 'member' as const })),
    ...keys.map(({ id, name }) => ({ id, name, is: 'key' as const })),
  ] satisfies { readonly id: MemberId | ApiKeyId; readonly name: string; readonly is: 'member' | 'key' }[]
}

/** The operator who did it in the console. On the command line nobody is named. */
function operatorOf({ actor, details }: AuditEventsTable): string | null {
  const { operator } = actor === 'operator' ? (JSON.parse(details) as { readonly operator?: unknown }) : {}
  return typeof operator === 'string' ? operator : null
}

/** The link that somebody without an account used. */
function linkOf({ actor, details }: AuditEventsTable): string | undefined {
  const { link_id } = actor === 'link' ? (JSON.parse(details) as { readonly link_id?: unknown }) : {}
  return typeof link_id === 'string' ? link_id : undefined
}

/** Whom links were made for. */
async function recipientsOf(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
  if (ids.length === 0) return new Map()
  const links = await db
    .selectFrom('links')
    .select(['link_id', 'recipient'])
    .where('link_id', 'in', [...new Set(ids)] as LinkId[])
    .execute()
  return new Map(links.map(({ link_id, recipient }) => [link_id, recipient]))
}

/** An event of a job belongs to its submission too. */
const subjectOf = ({ subject, details }: AuditEventsTable): string => {
  if (/^(sub|kit)_/.test(subject)) return subject
  const { job_id } = JSON.parse(details) as { readonly job_id?: unknown }
  return typeof job_id === 'string' ? job_id : subject
}

/** The submissions that IDs of submissions, kits and jobs belong to. */
async function submissionsOf(
  db: Db,
  workspaceId: WorkspaceId,
  subjects: readonly string[],
): Promise<ReadonlyMap<string, Subject>> {
  const wanted = [...new Set(subjects)]
  const read = async (
    column: 'submissions.submission_id' | 'submissions.job_id' | 'submissions.kit_id',
    prefix: string,
  ) => {
    const ids = wanted.filter((id) => id.startsWith(prefix))
    if (ids.length === 0) return []
    const found = await db
      .selectFrom('submissions')
      .select(['submissions.submission_id', 'submissions.label', 'submissions.job_id', 'submissions.kit_id'])
      .select('submissions.workspace_id')
      .where('submissions.sequence', 'is not', null)
      .where((eb) => eb(eb.ref(column), 'in', ids as never[]))
      .execute()
    // Not a condition, because SQLite would read all submissions of the workspace.
    return found.filter((row) => row.workspace_id === workspaceId)
  }
  // One query for each kind of ID, because each kind has its own index.
  const rows = [
    ...(await read('submissions.submission_id', 'sub_')),
    ...(await read('submissions.job_id', 'job_')),
    ...(await read('submissions.kit_id', 'kit_')),
  ]
  return new Map(
    rows.flatMap(({ submission_id, label, job_id, kit_id }) =>
      [submission_id, job_id, kit_id].flatMap((id) => (id === null ? [] : [[id, { submission_id, label }]])),
    ),
  )
}
