import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuditTrail, Submission } from '@kitseal/client'
import { escapeInvisible } from '@kitseal/examiner'
import { checkedFiles, detailOf } from '../src/console/submission/submission-detail.ts'

const file = (name: string) => ({ name, sha256: '', size_bytes: 1, media_type: 'text/plain' })
const event = (action: string, details = {}) => ({ action, details }) as AuditTrail['data'][number]
const blocker = (path: string | null) => ({ code: 'executable_content', path, message: '', remedy: '' })

test('blockers are matched to files with unusual names, and to the archives that contain them', () => {
  const names = ['bill\u202efdp.txt', 'soft\u00adhyphen.exe', 'cafe\u0301.exe', 'a"b%22c.exe', 'dir/tool.exe']
  const blockers = [
    ...names.map((name) => blocker(escapeInvisible(name))),
    blocker('more.zip/tool.exe'),
    blocker(null),
  ]
  const evidence = ['review.csv', ...names, 'more.zip', 'more.zi'].map(file)
  const good = checkedFiles({ evidence, blockers }).filter((one) => one.good)
  assert.deepEqual(
    good.map(({ position, name }) => [position, name]),
    [
      [0, 'review.csv'],
      [7, 'more.zi'],
    ],
  )
})

test('a submission has its events oldest first, without downloads, and its resubmissions', () => {
  const submission = {
    evidence: [],
    blockers: [],
    status: 'RUNNING',
    updated_at: 'now',
  } as unknown as Submission
  const detail = detailOf(submission, [
    event('submission.resubmitted', { as: 'sub_next' }),
    event('deliverable.downloaded'),
    event('evidence.received', { from: 'sub_before' }),
    event('submission.created'),
  ])
  assert.deepEqual(
    detail.timeline.map(({ action }) => action),
    ['submission.created', 'evidence.received', 'submission.resubmitted', 'submission.started'],
  )
  assert.deepEqual([detail.resubmittedFrom, detail.resubmittedAs], ['sub_before', ['sub_next']])
})
