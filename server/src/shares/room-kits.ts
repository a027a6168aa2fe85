import type { Db } from '../database/schema.ts'
import type { KitId, ShareId, SubmissionId, WorkspaceId } from '../runtime/identifiers.ts'

/** Of a series, the newest. */
export const MAX_ROOM_KITS = 100

interface Kits {
  readonly share_id: ShareId
  readonly workspace_id: WorkspaceId
  readonly series: string | null
}

export interface ListedKit {
  readonly kit_id: KitId
  readonly submission_id: SubmissionId | null
  readonly label: string
  readonly issued_at: string
  readonly erased_at: string | null
}

/** The kits of a share. Those of a series are looked up each time, so that a room has what came since. */
export async function kitsOf(db: Db, { share_id, workspace_id, series }: Kits): Promise<readonly KitId[]> {
  const rows =
    series === null
      ? db
          .selectFrom('share_kits')
          .select('kit_id')
          .where('share_id', '=', share_id)
          .orderBy('position')
          .execute()
      : db
          .selectFrom('series_kits')
          .select('kit_id')
          .where('workspace_id', '=', workspace_id)
          .where('series', '=', series)
          .orderBy('issued_at', 'desc')
          .orderBy('sequence', 'desc')
          .limit(MAX_ROOM_KITS)
          .execute()
  return (await rows).map(({ kit_id }) => kit_id)
}

/** With what a list says about each of them. */
export async function listedKits(db: Db, share: Kits): Promise<readonly ListedKit[]> {
  const ids = await kitsOf(db, share)
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('kits')
    .innerJoin('submissions', 'submissions.kit_id', 'kits.kit_id')
    .leftJoin('expired_kits', 'expired_kits.kit_id', 'kits.kit_id')
    .select(['kits.kit_id', 'submissions.scope_label as label', 'kits.issued_at'])
    // Only of a kit that has one.
    .select((eb) =>
      eb
        .case()
        .when('submissions.sequence', 'is not', null)
        .then(eb.ref('submissions.submission_id'))
        .end()
        .as('submission_id'),
    )
    .select('expired_kits.expired_at as erased_at')
    .where('kits.kit_id', 'in', ids)
    .execute()
  const byId = new Map(rows.map((row) => [row.kit_id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
