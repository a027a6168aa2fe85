import type { Kysely } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** A job may be issued in the transaction that stores its kit, without being PASS in between. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  for (const rule of RULES) {
    await dialect.dropGuard(db, rule)
    await dialect.createGuard(db, rule)
  }
}

const JOB_MOVES = [
  ['DRAFT', 'SUBMITTED'],
  ['DRAFT', 'EXPIRED'],
  ['SUBMITTED', 'PASS'],
  ['SUBMITTED', 'FAIL'],
  ['SUBMITTED', 'ISSUED'],
  ['PASS', 'ISSUED'],
  ['ISSUED', 'EXPIRED'],
  ['FAIL', 'EXPIRED'],
] as const

const listed = JOB_MOVES.map(([from, to]) => `(old.status = '${from}' and new.status = '${to}')`).join(' or ')

const isIssued = `(old.status in ('SUBMITTED', 'PASS') and new.status = 'ISSUED')`

const RULES = [
  {
    name: 'jobs_move',
    on: 'jobs',
    event: 'update',
    when: `new.status <> old.status and not (${listed})`,
    message: 'a job does not move that way',
  },
  {
    name: 'jobs_kit',
    on: 'jobs',
    event: 'update',
    when: `(new.kit_id is distinct from old.kit_id and not ${isIssued})
      or (${isIssued} and not exists
        (select 1 from kits where kits.kit_id = new.kit_id and kits.job_id = new.job_id
          and kits.log_proof is not null))`,
    message: 'a job has the kit that was issued for it, with its log proof, and never another',
  },
] as const
