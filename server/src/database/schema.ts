import type { Generated, Kysely } from 'kysely'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import { logTables } from './log-tables.ts'
import { submissionTables } from './submission-tables.ts'
import type { StoredRow, Table } from './table.ts'
import { upkeepTables } from './upkeep-tables.ts'
import { workspaceTables } from './workspace-tables.ts'

/** The database, or a transaction. */
export type Db = Kysely<Database>

/** The tables that several areas read. Nouns declare the others. */
export const SHARED_TABLES: readonly Table[] = [
  workspaceTables,
  submissionTables,
  logTables,
  upkeepTables,
].flatMap((tables): readonly Table[] => Object.values(tables))

type StoredRows<Tables extends Readonly<Record<string, Table>>> = {
  readonly [Name in keyof Tables]: StoredRow<Tables[Name]>
}

/**
 * The tables, for Kysely. Timestamps are RFC 3339 text of fixed width (so text order is time order), JSON is text, and
 * booleans are 0 or 1, so that the same queries work in every dialect.
 */
export interface Database
  extends
    StoredRows<typeof workspaceTables>,
    StoredRows<typeof submissionTables>,
    StoredRows<Omit<typeof logTables, 'log_leaves'>>,
    StoredRows<typeof upkeepTables> {
  readonly log_leaves: Omit<StoredRow<typeof logTables.log_leaves>, 'leaf_id'> & {
    readonly leaf_id: Generated<number>
  }
}

export type AuditEventsTable = Database['audit_events']
export type CeremoniesTable = Database['ceremonies']
export type CreditLedgerTable = Database['credit_ledger']
export type EvidenceTable = Database['evidence']
export type ExpiredKitsTable = Database['expired_kits']
export type InvitationsTable = Database['invitations']
export type KitsTable = Database['kits']
export type LinksTable = Database['links']
export type LogCheckpointsTable = Database['log_checkpoints']
export type LogTable = Database['log']
export type LogWitnessesTable = Database['log_witnesses']
export type MembersTable = Database['members']
export type PasskeysTable = Database['passkeys']
export type PlansTable = Database['plans']
export type ProfilesTable = Database['profiles']
export type SessionsTable = Database['sessions']
export type SigningKeysTable = Database['signing_keys']
export type SubmissionsTable = Database['submissions']
export type TasksTable = Database['tasks']
export type WorkspacesTable = Database['workspaces']

export type CreditMove = CreditLedgerTable['kind']
export type EvidencePolicy = PlansTable['evidence_policy']
export type JobStatus = SubmissionsTable['status']
export type LinkPurpose = LinksTable['purpose']
export type MemberRole = MembersTable['role']
/** What the public API shows to anyone who knows an ID: jobs and receipts, manifests and kits too, or nothing. */
export type PublicKits = WorkspacesTable['visibility']
export type SignInMethod = SessionsTable['method']
export type SigningKeyState = SigningKeysTable['state']
export type WordField = Database['submission_words']['field']

/** A row that was opened as a submission. */
export type OpenedSubmission = SubmissionsTable & {
  readonly workspace_id: WorkspaceId
  readonly sequence: number
}

/** One file of a kit: `sizeBytes` bytes from `offset` of the stored object `object`. */
export interface KitEntry {
  readonly path: string
  readonly sha256: string
  readonly sizeBytes: number
  readonly crc32: number
  readonly object: string
  readonly offset: number
  /** What the output of a known tool says about itself, in one line. */
  readonly summary?: string | undefined
}
