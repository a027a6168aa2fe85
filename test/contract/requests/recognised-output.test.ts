import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TOOL_OUTPUTS } from '../../../examiner/test/tool-outputs.ts'
import { testService } from '../../kit/service.ts'
import { form, workspaceClient } from '../../kit/workspace.ts'

interface Listed {
  readonly files: readonly { readonly path: string; readonly kind: string; readonly summary: string | null }[]
}

const summaries = ({ files }: Listed) =>
  files.filter(({ kind }) => kind === 'evidence').map(({ path, summary }) => [path, summary])

test('a kit and its shares say beside a file what it says about itself, and nothing beside a damaged one', async () => {
  const { content, summary } = TOOL_OUTPUTS['Prowler OCSF'] ?? { content: '', summary: '' }
  await using service = await testService()
  const owner = await workspaceClient(service)
  const id = await owner.submission()
  await owner.upload(id, form({ 'scan.json': content, 'damaged.json': content.slice(0, -20) }))
  const { kit_id } = await owner.ended(id)
  const expected = [
    ['data/damaged.json', null],
    ['data/scan.json', summary],
  ]
  const { json: kit } = await owner.get(`/v1/kits/${String(kit_id)}`)
  assert.deepEqual(summaries(kit as unknown as Listed), expected)
  const expires_at = new Date(Date.now() + 86_400_000).toISOString()
  for (const paths of [undefined, ['data/damaged.json', 'data/scan.json']]) {
    const { json: share } = await owner.post('/v1/shares', { kit_id, expires_at, paths })
    const opened = await fetch(`${String(share['url'])}/share.json`)
    assert.deepEqual(summaries((await opened.json()) as Listed), expected)
  }
})
