import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase } from '../../test/each-database.ts'
import type { JobId } from '../runtime/identifiers.ts'
import type { JobStatus } from './schema.ts'

onEachDatabase(({ create }) => {
  test('a state is compared as part of the statement, and every other value is a parameter', async () => {
    await using database = await create()
    const db = await database.open()
    const { sql, parameters } = db
      .selectFrom('submissions')
      .select('job_id')
      .where('submissions.status', '<>', 'PASS')
      .where('status', '=', "PASS' or 'a" as JobStatus)
      .where('job_id', '=', 'job_1' as JobId)
      .compile()
    assert.match(sql, /"submissions"\."status" <> 'PASS' and "status" = [?$]/)
    assert.deepEqual(parameters, ["PASS' or 'a", 'job_1'])
    const change = db
      .updateTable('submissions')
      .set({ status: 'PASS' })
      .where('status', '=', 'SUBMITTED')
      .compile()
    assert.deepEqual(change.parameters, ['PASS'])
  })
})
