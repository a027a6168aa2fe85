// Own process: it measures time beside worker threads that have work for a minute.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testService } from '../../kit/service.ts'
import { workspaceClient, type WorkspaceClient } from '../../kit/workspace.ts'

const MAIL = 'From: a@b.c\nTo: d@e.f\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n'
const SIZE = 30_000_000
const WAIT_MS = 15_000

function form(name: string, content: string): FormData {
  const files = new FormData()
  files.append('file', new Blob([content]), name)
  return files
}

/** Beside other tests on two cores, one thread for hostile files leaves half a core or less. */
test('mails of tiny parts of one workspace do not make another one wait', async () => {
  await using service = await testService({ KITSEAL_WORKERS: '2' }, 'work in a thread')
  const busy = await workspaceClient(service)
  const other = await workspaceClient(service)
  // Starts the threads: that takes longer than the mails on a busy machine.
  await Promise.all([busy, other].map(async (one) => one.ended(await submit(one, form('a.txt', 'first\n')))))
  const mail = MAIL + '--b\n\na\n'.repeat(SIZE / 7)
  const hostile = await Promise.all([1, 2, 3].map((number) => submit(busy, form(`${number}.eml`, mail))))

  const started = performance.now()
  const small = await other.ended(await submit(other, form('a.txt', 'ten bytes\n')))
  const waitedMs = performance.now() - started
  assert.equal(small['status'], 'PASS')
  assert.ok(waitedMs < WAIT_MS, `${Math.round(waitedMs)} ms`)

  for (const id of hostile) {
    const { status, findings, blockers } = await busy.ended(id)
    assert.ok(['PASS', 'FAIL'].includes(String(status)))
    assert.match(JSON.stringify([findings, blockers]), /partly_examined|not_examined_in_time/)
  }
})

async function submit(workspace: WorkspaceClient, files: FormData): Promise<string> {
  const id = await workspace.submission()
  assert.equal((await workspace.upload(id, files)).status, 202)
  return id
}
