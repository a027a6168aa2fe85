import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testService } from '../../test/kit/service.ts'
import { form, workspaceClient } from '../../test/kit/workspace.ts'
import { main } from '../src/main.ts'

test('room opens a room, shows questions and reviews, answers, and revokes; wrong usage is explained', async () => {
  await using service = await testService()
  const owner = await workspaceClient(service)
  const id = await owner.submission({ series: 'Access review' })
  await owner.upload(id, form({ 'report.csv': 'a,b\n' }))
  const kit = String((await owner.ended(id))['kit_id'])
  const env = { KITSEAL_URL: service.base, KITSEAL_API_KEY: owner.key }
  const run = async (...args: readonly string[]) => {
    let [out, err] = ['', '']
    const stdout = { write: (part: string) => void (out += part) }
    const stderr = { write: (part: string) => void (err += part) }
    const code = await main(['room', ...args], { env, stdout, stderr })
    return { code, out: out.trim(), err }
  }

  assert.match((await run('list')).err, /There are no rooms\./)
  const made = await run('create', 'Audit 2026', id, '--to', 'ann@auditor.example')
  assert.equal(made.code, 0, made.err)
  assert.match(made.err, /A room with 1 kit is open until .* Room ID: shr_/)
  const [, url = ''] = /^ann@auditor\.example {2}(http:\S+\/s\/[\w-]{43})$/.exec(made.out) ?? []
  const room = /shr_[\w-]+/.exec(made.err)?.[0] ?? ''
  const remark = (path: string, method: string, body: object) =>
    fetch(`${url}/${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ kit_id: kit, ...body }),
    })
  const asked = await remark('comments', 'POST', { text: 'Who?\u001B[2J', is_question: true })
  assert.equal(asked.status, 400)
  await remark('comments', 'POST', { path: 'data/report.csv', text: 'Who approved it?', is_question: true })
  await remark('reviews', 'PUT', { is_reviewed: true })
  const shown = (await run('show', room)).out
  assert.match(shown, /^shr_\S+ {2}active .* 1 kit {2}1 open question {2}Audit 2026$/m)
  assert.match(shown, /the kit: marked as reviewed by ann@auditor\.example on \d{4}/)
  assert.match(shown, /ann@auditor\.example about data\/report\.csv {2}\[open\]\n +Who approved it\?/)
  const question = /cmt_[\w-]+/.exec(shown)?.[0] ?? ''
  const answered = await run('comment', room, 'The board.', '--reply-to', question)
  assert.match(answered.out, /Acme\n +The board\.$/, answered.err)
  assert.match((await run('show', room)).out, /\[answered\]/)
  assert.equal((await run('comment', room, 'See page 2.', '--kit', kit, '--path', 'data/report.csv')).code, 0)
  assert.equal((await run('comment', room, 'x', '--kit', kit, '--path', 'data/none')).code, 4)
  const series = await run('create', 'All', '--series', 'Access review', '--json')
  assert.match(series.out, /"series": "Access review"/)
  assert.equal((await run('create', 'None', '--series', 'none')).code, 4)
  assert.match((await run('list')).out, /Audit 2026/)

  for (const [args, problem] of [
    [['create'], /pass a title/],
    [['create', 'Audit'], /pass kits, or --series NAME, or --program ID/],
    [['create', 'Audit', kit, '--series', 'x'], /cannot be combined/],
    [['comment', room, 'x'], /pass --kit KIT, or --reply-to COMMENT/],
    [['comment', room], /pass the text/],
    [['show'], /pass the ID of a room/],
  ] as const) {
    const wrong = await run(...args)
    assert.deepEqual([wrong.code, problem.test(wrong.err)], [2, true], wrong.err)
  }

  assert.match((await run('revoke', room)).out, /is revoked\. Its links no longer work\.$/)
  assert.equal((await fetch(`${url}/share.json`)).status, 410)
})
