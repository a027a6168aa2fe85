import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { xlsx } from '../../examiner/test/make-xlsx.ts'
import { member } from '../../test/kit/console.ts'
import { testService } from '../../test/kit/service.ts'
import { workspaceClient } from '../../test/kit/workspace.ts'
import { main } from '../src/main.ts'

test('program create reads a list; show, add, accept, seal, open and end follow it, by name', async () => {
  await using service = await testService()
  const owner = await workspaceClient(service)
  await member(service, 'owner', owner.workspaceId, 'ann@acme.example')
  const env = { KITSEAL_URL: service.base, KITSEAL_API_KEY: owner.key }
  const run = async (...args: readonly string[]) => {
    let [out, err] = ['', '']
    const stdout = { write: (part: string) => void (out += part) }
    const stderr = { write: (part: string) => void (err += part) }
    const code = await main(['program', ...args], { env, stdout, stderr })
    return { code, out: out.trim(), err }
  }
  const file = (name: string, content: string | Uint8Array): string => {
    writeFileSync(join(service.dataFolder, name), content)
    return join(service.dataFolder, name)
  }
  const items = file(
    'list.xlsx',
    xlsx([
      ['id', 'title', 'owner', 'recipients', 'due_days'],
      ['CC6.1', 'Users', 'ann@acme.example', '', '14'],
      ['CC6.2', 'Approvals', '', '', '7'],
      ['CC9.1', 'Report', '', 'bob@supplier.example', ''],
    ]),
  )
  const today = new Date().toISOString().slice(0, 10)
  const terms = ['--cadence', 'yearly', '--starts-on', today]
  const made = await run('create', 'Review', ...terms, '--items', items)
  assert.equal(made.code, 0, made.err)
  assert.match(made.out, /^prg_/)
  assert.match(made.err, /Created Review with 3 items\. The next period opens on /)
  const year = today.slice(0, 4)
  assert.match(
    (await run('list')).out,
    new RegExp(`^prg_\\S+  yearly  ${year} open  0/3 items  due .*Review$`),
  )
  const empty = await run('show', 'Review')
  assert.match(
    empty.out,
    /missing {9}due \S+ {3}CC6\.2 .*\n.*CC6\.1  Users  \(ann@acme\.example\)\n.*CC9\.1.*bob@/,
  )

  assert.match((await run('accept', 'Review', 'CC6.1')).err, /This item has no files/)
  const added = await run('add', 'Review', 'CC6.1', file('users.csv', 'name\nada\n'))
  assert.match(added.out, /^Added 1 file to CC6\.1 of /)
  assert.match((await run('add', 'Review', 'CC9', file('x.csv', 'x'))).err, /has no item "CC9"/)
  assert.match((await run('accept', made.out)).out, /1 of 3 items accepted, 2 missing/)
  assert.match((await run('show', 'Review')).out, /CC6\.1\/users\.csv \(9 bytes\)/)
  const sealed = await run('seal', 'Review')
  assert.deepEqual([sealed.code, sealed.out.startsWith('kit_')], [0, true], sealed.err)
  assert.match(sealed.err, /missing {2}CC6\.2 {2}Approvals\n {2}missing {2}CC9\.1/)
  assert.match((await run('seal', 'Review')).err, /no period is open/)

  assert.match((await run('open', 'Review')).out, new RegExp(`^${Number(year) + 1} is open with 3 items`))
  await run('add', 'Review', 'CC6.1', file('tool.txt', `MZ${'\0'.repeat(300)}`))
  const failed = await run('seal', 'Review')
  assert.deepEqual([failed.code, failed.out], [1, ''])
  assert.match(failed.err, /was not sealed: the files failed their checks.*\n.*kitseal status sub_/)
  assert.match((await run('show', 'Review')).out, /failed their checks\. To see why/)
  await run('open', 'Review')
  assert.match((await run('accept', 'Review')).err, /several periods are open/)
  assert.match((await run('end', 'Review')).out, /Review is ended/)
  assert.match((await run('open', 'Review')).err, /program_ended/)

  const bad = file('bad.csv', 'id,title,owner\nA,One,eve@other.example\n')
  for (const [args, problem] of [
    [['create', 'x', ...terms], /pass either --items or --profile/],
    [['create', 'x', '--items', items], /--cadence is missing/],
    [['create', 'x', '--cadence', 'weekly', '--starts-on', today, '--items', items], /--cadence must be/],
    [['create', 'x', '--cadence', 'none', '--starts-on', 'soon', '--items', items], /--starts-on must be/],
    [['create', 'x', ...terms, '--items', bad], /eve@other\.example is not a member/],
    [['create', 'x', ...terms, '--items', file('bad.json', '{}')], /not a JSON array/],
    [['show', 'Nothing'], /there is no program "Nothing"/],
    [['add', 'Review', 'CC6.1'], /pass a file/],
    [['ask'], /unknown command "ask"/],
  ] as const) {
    const wrong = await run(...args)
    assert.ok(wrong.code === 2 || wrong.code === 4, wrong.out)
    assert.match(wrong.err, problem)
  }
})
