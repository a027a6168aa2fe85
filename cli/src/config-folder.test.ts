import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { configFolder } from './config-folder.ts'

test('the configuration is in the folder that is named for it, or below the home folder', () => {
  assert.equal(configFolder({ XDG_CONFIG_HOME: '/etc/mine', HOME: '/users/ann' }), '/etc/mine')
  assert.equal(configFolder({ HOME: '/users/ann' }), '/users/ann/.config')
})

test('no configuration is taken from the folder that a command runs in', () => {
  const own = join(userInfo().homedir, '.config')
  for (const env of [{}, { HOME: '' }, { HOME: '.' }, { XDG_CONFIG_HOME: 'here', HOME: 'there' }])
    assert.equal(configFolder(env), own, JSON.stringify(env))
})

const asNobody = ['-r', '--map-user=4711', 'env', '-i'] as const
const isPossible = spawnSync('unshare', [...asNobody, '/bin/true']).status === 0
const skip = isPossible ? false : 'there is no unshare here: a user without a home was NOT tried'
if (skip !== false) console.log(`skipped: ${skip}`)

test('a user who has neither name nor home can use the command line', { skip }, () => {
  const kitseal = fileURLToPath(new URL('../bin/kitseal.cjs', import.meta.url))
  const { status, stderr } = spawnSync('unshare', [...asNobody, process.execPath, kitseal, 'trust', 'list'], {
    encoding: 'utf8',
  })
  assert.match(stderr, /^Nothing is pinned\./)
  assert.equal(status, 0)
})
