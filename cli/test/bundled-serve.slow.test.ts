import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { buildProgram } from '../../scripts/release-program.ts'

/** Prints how many modules were loaded from the source, in each thread and process. */
const COUNT = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  let count = 0
  registerHooks({ load: (url, context, next) => {
    if (/\\/(server|kit|evidence|binder)\\/(src|node)\\/.*\\.ts$/.test(url)) count++
    return next(url, context)
  } })
  process.on('exit', () => console.error('from source: ' + count))`)}`

test('a released program, far from its source, issues and verifies kits and serves its pages and docs', async () => {
  const data = mkdtempSync(join(tmpdir(), 'kitseal-bundled-'))
  try {
    const program = buildProgram(join(data, 'program'), [])
    assert.deepEqual(importsWithoutNames(join(program, 'cli/dist/service')), [])
    const script = join(program, 'cli/bin/kitseal.cjs')
    const args = [`--import=${COUNT}`, script, 'serve', '--data', join(data, 'data'), '--port', '0']
    const env = { PATH: process.env['PATH'], HOME: data, KITSEAL_LOG_MARK: join(data, 'mark') }
    const child = spawn(process.execPath, args, { cwd: data, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const exit = once(child, 'exit')
    let [output, errors] = ['', '']
    child.stderr.on('data', (text) => (errors += String(text)))
    child.stdout.on('data', (text) => (output += String(text)))
    while (!output.includes('Ctrl-C') && child.exitCode === null) await pause(20)
    const base = /address +(\S+)/.exec(output)?.[1] ?? assert.fail(errors)

    const kitId = await issuedKit(base)
    const kit = await (await fetch(`${base}/v1/kits/${kitId}/download`)).bytes()
    const verified = await fetch(`${base}/v1/verify/kit`, {
      method: 'POST',
      headers: { 'content-type': 'application/zip' },
      body: kit,
    })
    assert.equal(((await verified.json()) as { status: string }).status, 'PASS')
    for (const path of [
      '/',
      '/docs',
      '/docs/how-to/install',
      '/openapi.json',
      '/verify',
      '/verify/kitseal-verify.py',
    ])
      assert.equal((await fetch(base + path)).status, 200, path)
    child.kill('SIGTERM')
    assert.equal((await exit)[0], 0, errors)
    const counts = errors.match(/from source: \d+/g) ?? []
    assert.ok(counts.length > 0 && counts.every((count) => count === 'from source: 0'), counts.join())
  } finally {
    rmSync(data, { recursive: true })
  }
})

/** Dynamic imports of packages that are bundled as CommonJS: what they export is missing. */
function importsWithoutNames(folder: string): readonly string[] {
  const text = (file: string): string => readFileSync(join(folder, file), 'utf8')
  const all = globSync('*.mjs', { cwd: folder }).map(text).join('\n')
  return Array.from(all.matchAll(/import\("\.\/([^"]+)"\)/g), ([, chunk = '']) => chunk).filter((chunk) =>
    /(^|;|\n)export default require_/.test(text(chunk)),
  )
}

async function issuedKit(base: string): Promise<string> {
  const created = await fetch(`${base}/v1/intake/jobs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ tenant_id: 'acme', scope_label: 'bundled' }),
  })
  const { job_id } = (await created.json()) as { job_id: string }
  for (;;) {
    const job = (await (await fetch(`${base}/v1/intake/jobs/${job_id}`)).json()) as Record<string, string>
    if (job['status'] === 'ISSUED') return String(job['kit_id'])
    assert.notEqual(job['status'], 'FAIL')
    await pause(50)
  }
}
