import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { configFolder } from './settings-file.ts'

test('the configuration folder is XDG_CONFIG_HOME or ~/.config', () => {
  assert.equal(configFolder({ XDG_CONFIG_HOME: '/etc/mine', HOME: '/users/ann' }), '/etc/mine')
  assert.equal(configFolder({ HOME: '/users/ann' }), '/users/ann/.config')
})

test('configuration is never read from the working directory', () => {
  const own = join(userInfo().homedir, '.config')
  for (const env of [{}, { HOME: '' }, { HOME: '.' }, { XDG_CONFIG_HOME: 'here', HOME: 'there' }])
    assert.equal(configFolder(env), own, JSON.stringify(env))
})

const asNobody = ['-r', '--map-user=4711', 'env', '-i'] as const
const isPossible = spawnSync('unshare', [...asNobody, '/bin/true']).status === 0
const skip = isPossible ? false : 'unshare is not available'
if (skip !== false) console.log(`skipped: ${skip}`)

test('the command line works for a user without a passwd entry', { skip }, () => {
  const kitseal = fileURLToPath(new URL('../bin/kitseal.cjs', import.meta.url))
  const { status, stderr } = spawnSync('unshare', [...asNobody, process.execPath, kitseal, 'trust', 'list'], {
    encoding: 'utf8',
  })
  assert.match(stderr, /^No keys are pinned\./)
  assert.equal(status, 0)
})
