import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { serviceProcess } from '../kit/service-process.ts'
import { administer } from '../kit/workspace.ts'

test('a second service on a data folder in use is refused in one sentence, and the first goes on', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-folder-'))
  const settings = (home: string) => ({
    HOME: join(folder, home),
    KITSEAL_DATA: join(folder, 'data'),
    KITSEAL_OPEN_INTAKE: 'on',
  })
  try {
    const first = await serviceProcess(settings('ann'))
    const refused = await serviceProcess(settings('bob')).then(
      () => assert.fail('it started'),
      (error: Error) => error.message,
    )
    assert.match(
      refused,
      /ended \(1\).*\/data is in use by another kitseal service\. Stop that one, or .*--data\.\n$/s,
    )
    const intake = { tenant_id: 'acme', scope_label: 'still issued' }
    const made = await fetch(`${first.base}/v1/intake/jobs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(intake),
    })
    const { job_id } = (await made.json()) as { readonly job_id: string }
    for (let status = ''; status !== 'ISSUED'; await new Promise((resolve) => setTimeout(resolve, 50))) {
      status = ((await (await fetch(`${first.base}/v1/intake/jobs/${job_id}`)).json()) as { status: string })
        .status
      assert.match(status, /SUBMITTED|PASS|ISSUED/)
    }
    await administer({ dataFolder: join(folder, 'data') }, async ({ workspaces }) => {
      assert.equal((await workspaces.list()).length, 1, 'admin commands work beside it')
    })
    await first.end('SIGKILL')
    const again = await serviceProcess(settings('ann'))
    assert.equal(await again.end('SIGTERM'), 0)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
