import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { importBundledService } from '../scripts/bundle-service.ts'
import { root } from './architecture/project.ts'

/** Prints how many modules of the service are loaded from its source. */
const COUNT = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  let count = 0
  registerHooks({ load: (url, context, next) => {
    if (/\\/server\\/src\\/(?!main\\.ts)/.test(url)) count++
    return next(url, context)
  } })
  process.on('exit', () => console.log('from source: ' + count))`)}`

test('with its bundle, the service loads no other source than main.ts, and answers the same', async () => {
  const [source = '', fromSource] = help([])
  const [bundle = '', fromBundle] = help([await importBundledService(root)])
  assert.match(source, /^usage: node server\/src\/main\.ts/)
  assert.equal(bundle, source)
  assert.equal(fromBundle, '0\n')
  assert.ok(Number(fromSource) > 0)
})

function help(options: readonly string[]): readonly string[] {
  const args = [...options, `--import=${COUNT}`, 'server/src/main.ts', '--help']
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  return stdout.split('from source: ')
}
