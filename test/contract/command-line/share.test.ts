import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { testService } from '../../kit/service.ts'
import { form, workspaceClient } from '../../kit/workspace.ts'
import { main } from '../../../cli/src/main.ts'

test('share prints a link that works until share revoke and wrong usage is explained', async () => {
  await using service = await testService()
  const owner = await workspaceClient(service)
  const id = await owner.submission({ series: 'Access review' })
  await owner.upload(id, form({ 'report.csv': 'a,b\n', 'logs/a.txt': 'first' }))
  const kit = String((await owner.ended(id))['kit_id'])
  const zip = join(service.dataFolder, 'some-kit.zip')
  writeFileSync(zip, (await owner.get(`/v1/kits/${kit}/download`)).bytes)
  const env = { KITSEAL_URL: service.base, KITSEAL_API_KEY: owner.key }
  const run = (...args: readonly string[]) => kitseal('share', ...args)
  const kitseal = async (...args: readonly string[]) => {
    let [out, err] = ['', '']
    const stdout = { write: (part: string) => void (out += part) }
    const stderr = { write: (part: string) => void (err += part) }
    const code = await main(args, { env, stdout, stderr })
    return { code, out: out.trim(), err }
  }

  const made = await run(kit, '--note', 'For Ann')
  assert.equal(made.code, 0, made.err)
  assert.match(made.out, /^http:\/\/\S+\/s\/[\w-]{43}$/)
  assert.match(made.err, /Sharing the whole kit until .* Share ID: shr_/)
  assert.equal((await fetch(`${made.out}/kit.zip`)).status, 200)
  const shareId = /shr_[\w-]+/.exec(made.err)?.[0] ?? ''
  assert.match((await run('list')).out, new RegExp(`^${shareId}  active .*Z +1 +- +whole kit  Q3`, 'm'))
  const revoked = await run('revoke', shareId)
  assert.match(revoked.out, /is revoked\. Its links no longer work\.$/)
  assert.equal((await fetch(`${made.out}/kit.zip`)).status, 410)

  const password = join(service.dataFolder, 'password')
  writeFileSync(password, 'correct horse\n')
  const some = await run(zip, '--path', 'logs/', '--expires', '2h', '--password-file', password, '--json')
  const share = JSON.parse(some.out) as Record<string, unknown>
  assert.deepEqual(share['paths'], ['data/logs/a.txt'])
  assert.equal(share['has_password'], true)
  const mailed = await run(kit, '--to', 'ann@auditor.example', '--to', 'bob@auditor.example')
  assert.match(mailed.err, /This service sends no mail\. Send each recipient their link:/)
  const lines = mailed.out.split('\n')
  assert.deepEqual(
    lines.map((line) => line.replace(/  http\S+\/s\/[\w-]{43}$/, '')),
    ['ann@auditor.example', 'bob@auditor.example'],
  )
  await fetch(`${lines[1]?.split('  ')[1]}/kit.zip`)
  const mailedId = /shr_[\w-]+/.exec(mailed.err)?.[0] ?? ''
  assert.match(
    (await run('revoke', mailedId, '--to', 'bob@auditor.example')).out,
    /^The link of bob@\S+ no longer/,
  )
  assert.equal((await fetch(`${lines[1]?.split('  ')[1]}/share.json`)).status, 410)
  assert.equal((await fetch(`${lines[0]?.split('  ')[1]}/share.json`)).status, 200)
  const bySubmission = await run(id, '--max-downloads', '1', '--json')
  assert.equal((JSON.parse(bySubmission.out) as Record<string, unknown>)['kit_id'], kit)

  const room = await run('--title', 'Audit', kit, '--to', 'ann@auditor.example')
  assert.match(room.err, /A room with 1 kit is open until .* Room ID: shr_/)
  const roomId = /shr_[\w-]+/.exec(room.err)?.[0] ?? ''
  assert.match((await run('list')).out, new RegExp(`^${roomId}  active .* 1 kit +Audit$`, 'm'))
  const place = room.out.split('  ')[1] ?? ''
  assert.equal((await fetch(`${place}/kits.zip`)).status, 200)
  assert.match((await run('revoke', roomId)).out, /is revoked\. Its links no longer work\.$/)
  assert.equal((await fetch(`${place}/kits.zip`)).status, 410)

  for (const [args, problem] of [
    [[kit, kit], /a room needs a --title/],
    [['--series', 'Access review'], /a room needs a --title/],
    [['--title', 'Audit'], /pass kits, or --series NAME/],
    [['--title', 'Audit', kit, '--series', 'a'], /cannot be combined/],
    [[kit, '--expires', 'soon'], /--expires must be a duration/],
    [[kit, '--max-downloads', '0'], /--max-downloads must be a number from 1/],
    [['--note', 'x'], /pass a kit/],
    [['revoke'], /pass the ID of a share/],
    [[kit, '--password', '--password-file', password], /cannot be combined/],
    [[kit, '--password'], /no password given/],
    [['no-such.zip'], /no-such\.zip/],
  ] as const) {
    const wrong = await run(...args)
    assert.equal(wrong.code, 2, args.join(' '))
    assert.match(wrong.err, problem)
  }
  const missing = await run(kit, '--path', 'none.txt')
  assert.equal(missing.code, 4)
  assert.match((await run(kit, '--to', 'ann')).err, /an email address/)
  assert.match(missing.err, /The kit has no file none\.txt/)
  assert.equal((await run('revoke', 'shr_unknown')).code, 4)
})
