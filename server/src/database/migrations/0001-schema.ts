import type { Kysely } from 'kysely'
import type { Dialect } from '../dialect.ts'
import { createAudit } from './0001-schema/audit.ts'
import { createDeliveries } from './0001-schema/deliveries.ts'
import { createEvidence } from './0001-schema/evidence.ts'
import { createJobs } from './0001-schema/jobs.ts'
import { createKits } from './0001-schema/kits.ts'
import { createLog } from './0001-schema/log.ts'
import { createMembers } from './0001-schema/members.ts'
import { createObjects } from './0001-schema/objects.ts'
import { createRequests } from './0001-schema/requests.ts'
import { createSharing } from './0001-schema/sharing.ts'
import { createSigningKeys } from './0001-schema/signing-keys.ts'
import { createSubmissions } from './0001-schema/submissions.ts'
import { createWorkspaces } from './0001-schema/workspaces.ts'

/** All tables, each after those that it refers to, with triggers that reject invalid changes. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await createWorkspaces(db, dialect)
  await createMembers(db, dialect)
  await createSigningKeys(db, dialect)
  await createObjects(db)
  await createJobs(db, dialect)
  await createKits(db, dialect)
  await createSubmissions(db, dialect)
  await createEvidence(db, dialect)
  await createLog(db, dialect)
  await createAudit(db, dialect)
  await createSharing(db, dialect)
  await createRequests(db, dialect)
  await createDeliveries(db)
}
