import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { makeKit, writeFolder } from '../../kit/test/make-kit.ts'

const kitseal = fileURLToPath(new URL('../bin/kitseal.cjs', import.meta.url))
/** Root can read everything, so the tests drop its privileges. */
const ordinary = ['-r', '--map-user=4711'] as const
const isPossible = spawnSync('unshare', [...ordinary, '/bin/true']).status === 0
const skip = isPossible ? false : 'unshare is not available'
if (skip !== false) console.log(`skipped: ${skip}`)

let folder = ''
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kitseal-unreadable-'))
  const { zip, contents } = await makeKit()
  writeFileSync(join(folder, 'kit.zip'), zip)
  writeFolder(join(folder, 'kit'), contents)
  for (const name of ['kit.zip', 'kit']) chmodSync(join(folder, name), 0)
})
after(() => {
  chmodSync(join(folder, 'kit'), 0o700)
  rmSync(folder, { recursive: true })
})

for (const [command, ...args] of [
  ['verify', 'kit.zip'],
  ['verify', 'kit'],
  ['prove', 'kit.zip', 'a.txt'],
  ['diff', 'kit', 'kit'],
  ['check', 'kit'],
  ['check', 'kit.zip'],
] as const)
  test(`"${command} ${args.join(' ')}" without read permission exits 2 and says why`, { skip }, () => {
    const line = [...ordinary, process.execPath, kitseal, command, ...args]
    const { status, stdout, stderr } = spawnSync('unshare', line, { cwd: folder, encoding: 'utf8' })
    assert.deepEqual({ status, stdout }, { status: 2, stdout: '' })
    assert.match(
      stderr,
      new RegExp(`^kitseal ${command}: cannot (?:read|compare) ${args[0]}: permission denied\n$`),
    )
  })
