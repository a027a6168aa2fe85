import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startUpload } from '../../kit/piecewise-upload.ts'
import { testService } from '../../kit/service.ts'
import { workspaceClient } from '../../kit/workspace.ts'

const TIMEOUT_SECONDS = 5

test('an upload that stalls is 408 and leaves nothing behind; one that keeps sending may take longer than the timeout', async () => {
  await using service = await testService({ TEST_REQUEST_TIMEOUT_SECONDS: String(TIMEOUT_SECONDS) })
  const { key, submission } = await workspaceClient(service)
  await using upload = startUpload({ base: service.base, key, submissionId: await submission() })
  const objects = () => globSync('objects/{tmp,??}/*', { cwd: service.dataFolder })
  const before = objects()
  for (let second = 0; second <= TIMEOUT_SECONDS; second += 1) {
    upload.send('x'.repeat(1000))
    await sleep(1000)
  }
  assert.match(await upload.response(), /^HTTP\/1\.1 408 [\s\S]*request_timeout/)
  assert.deepEqual(objects(), before)
})
