import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { xlsx } from '../../examiner/test/make-xlsx.ts'
import { supplierClient } from '../../test/kit/supplier.ts'
import { testService } from '../../test/kit/service.ts'
import { workspaceClient } from '../../test/kit/workspace.ts'
import { main } from '../src/main.ts'

test('request create reads a list and prints a link; show, reopen, accept, remind, copy and close follow it', async () => {
  await using service = await testService()
  const owner = await workspaceClient(service)
  const env = { KITSEAL_URL: service.base, KITSEAL_API_KEY: owner.key }
  const run = async (...args: readonly string[]) => {
    let [out, err] = ['', '']
    const stdout = { write: (part: string) => void (out += part) }
    const stderr = { write: (part: string) => void (err += part) }
    const code = await main(['request', ...args], { env, stdout, stderr })
    return { code, out: out.trim(), err }
  }
  const list = join(service.dataFolder, 'list.xlsx')
  writeFileSync(
    list,
    xlsx([
      ['ID', 'Title', 'Description', 'Due'],
      ['CC6.1', 'Users', 'All accounts', 46_357],
      ['CC6.2', 'Approvals', '', ''],
    ]),
  )
  const made = await run(
    'create',
    '--title',
    'Review',
    '--items',
    list,
    '--to',
    'a@b.example',
    '--due',
    '2026-12-01',
  )
  assert.equal(made.code, 0, made.err)
  assert.match(made.out, /^http:\/\/\S+\/r\/[\w-]{43}$/)
  const id = /evr_[\w-]+/.exec(made.err)?.[0] ?? ''
  assert.match(made.err, /with 2 items\. Send this link to the supplier:/)
  assert.match(
    (await run('list', '--status', 'open')).out,
    new RegExp(`^${id}  open .* 0/2 items  due 2026-12-01  Review$`),
  )

  const supplier = supplierClient(service, made.out)
  const draft = await supplier.draft()
  await supplier.upload(draft, { 'CC6.1/users.csv': 'name\nada\n' })
  assert.equal(await supplier.submit(draft), 'PASS')
  const reopened = await run('reopen', id, '--item', 'CC6.2', '--comment', 'Please send them.')
  assert.match(
    reopened.out,
    /is open: 0 of 2 items accepted, 0 not applicable, 1 to change\.\n {2}to_review {6}CC6\.1 Users$/,
  )
  const shown = await run('show', id)
  assert.match(
    shown.out,
    /to_review {6}CC6\.1 {2}Users\n.*CC6\.1\/users\.csv \(9 bytes\)\n {2}needs_changes {2}CC6\.2/,
  )
  assert.match(shown.out, /requester: Please send them\.\n.*kitseal get kit_/)
  assert.match((await run('accept', id, '--item', 'CC6.1')).out, /1 of 2 items accepted/)
  assert.match((await run('undo', id, '--item', 'CC6.1')).out, /0 of 2 items accepted/)
  assert.match((await run('accept', id, '--item', 'CC6.2')).err, /No files were submitted for this item/)
  assert.match((await run('accept', id)).out, /is open: 1 of 2 items accepted/)
  const reason = ['--reason', 'Approvals are oral.']
  assert.match(
    (await run('not-applicable', id, '--item', 'CC6.2', ...reason)).out,
    /is accepted: 1 of 2 items accepted, 1 not applicable, 0 to change\.$/,
  )
  assert.match((await run('show', id)).out, /not applicable: Approvals are oral\./)
  assert.match((await run('link', id)).out, /\/r\/[\w-]{43}$/)
  assert.equal((await supplier.show()).status, 200)
  assert.match((await run('link', id, '--replace')).out, /\/r\/[\w-]{43}$/)
  assert.equal((await supplier.show()).status, 404)
  const unsent = await run('remind', id)
  assert.deepEqual([unsent.code, unsent.out], [4, ''])
  assert.match(unsent.err, /This service sends no mail/)
  const copy = await run('copy', id, '--title', 'Next review', '--json')
  assert.equal((JSON.parse(copy.out) as { title: string }).title, 'Next review')
  assert.match((await run('close', id)).out, /is closed/)

  const bad = join(service.dataFolder, 'bad.csv')
  writeFileSync(bad, 'id,title\nA,\n')
  for (const [args, problem] of [
    [['create', '--items', list], /--title is missing/],
    [['create', '--title', 'x'], /either --items or --profile/],
    [['create', '--title', 'x', '--items', bad], /Row 2: the title is missing/],
    [['create', '--title', 'x', '--items', 'no-such.csv'], /no-such\.csv/],
    [['create', '--title', 'x', '--items', list, '--due', 'soon'], /--due must be a date/],
    [['create', '--title', 'x', '--items', list, '--repeat', 'monthly'], /--repeat/],
    [['reopen', id], /--item is missing/],
    [['not-applicable', id, '--item', 'CC6.1'], /--reason is missing/],
    [['show'], /pass the ID of a request/],
    [['ask'], /unknown command "ask"/],
  ] as const) {
    const wrong = await run(...args)
    assert.equal(wrong.code, 2, args.join(' '))
    assert.match(wrong.err, problem)
  }
  const unknown = await run('show', 'evr_unknown')
  assert.equal(unknown.code, 4)
  assert.match(unknown.err, /Request not found/)
})
