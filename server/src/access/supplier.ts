import { workspaceRow } from '../database/questions.ts'
import type { Language } from '@kitseal/kit/internal'
import type { Db, WorkspacesTable } from '../database/schema.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'

/** A workspace as sealed in reports/intake_report.json. A type, because it is JSON. */
export type Supplier = {
  readonly workspace_id: WorkspaceId
  readonly name: string
  /** Who vouches for the name. Null: the workspace calls itself so. */
  readonly confirmed_by: 'operator' | null
}

/** A workspace as outsiders see it. */
export type NamedWorkspace = Pick<Supplier, 'name' | 'confirmed_by'>

/** Kits of earlier versions do not say who confirmed the name. */
export const nameOnly = ({ name, confirmed_by = null }: NamedWorkspace): NamedWorkspace => ({
  name,
  confirmed_by,
})

/** Whose evidence a kit holds, as sealed in reports/intake_report.json. */
export type Origin = {
  /** Null if it is not known: for open intake, and for files that came through the link of a request. */
  readonly supplier: Supplier | null
  /** Only in kits of a request. */
  readonly requested_by?: Supplier
}

/** What a kit takes from its workspace: the current name, and the language of the binder. */
export interface WorkspaceInKit {
  readonly supplier: Supplier | null
  readonly language: Language
}

export async function readWorkspaceInKit(db: Db, workspaceId: WorkspaceId | null): Promise<WorkspaceInKit> {
  if (workspaceId === null) return { supplier: null, language: 'en' }
  const { workspace_id, name, named_by, language } = await workspaceRow(db, workspaceId)
  return { supplier: { workspace_id, name, confirmed_by: confirmedBy(named_by) }, language }
}

export const confirmedBy = (namedBy: WorkspacesTable['named_by']): Supplier['confirmed_by'] =>
  namedBy === 'operator' ? namedBy : null
