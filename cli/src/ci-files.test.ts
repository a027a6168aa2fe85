import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Submission } from '@kitseal/client'
import { writeCiFiles } from './ci-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'kitseal-ci-'))
after(() => rmSync(folder, { recursive: true }))

async function summaryWith(count: number): Promise<string> {
  const blocker = { code: 'empty_file', path: 'a.txt', message: 'The file is empty', remedy: 'Remove it' }
  const blockers = Array.from({ length: count }, () => blocker)
  const submission = { label: 'Q3', submission_id: 'sub_1', status: 'FAIL', blockers, findings: [] }
  const summary = join(folder, String(count))
  await writeCiFiles({ summary }, { submission: submission as Partial<Submission> as Submission })
  return readFileSync(summary, 'utf8')
}

test('the summary of a CI job shows 200 blockers, and says how many more there are', async () => {
  const [all, cut] = [await summaryWith(200), await summaryWith(203)]
  assert.equal(all.match(/The file is empty/g)?.length, 200)
  assert.doesNotMatch(all, /more: see the log/)
  assert.equal(cut.match(/The file is empty/g)?.length, 200)
  assert.match(cut, /^And 3 more: see the log of the job\.$/m)
})
