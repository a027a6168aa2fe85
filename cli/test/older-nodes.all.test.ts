import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type TestService, testService } from '../../test/kit/service.ts'
import { writeScript } from '../build-standalone.ts'
import { COMMANDS } from '../src/main.ts'
import { otherNode } from './other-nodes.ts'

let service: TestService
let program = ''
let scratch = ''
before(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'kitseal-nodes-'))
  program = writeScript(scratch)
  service = await testService()
})
after(async () => {
  await service[Symbol.asyncDispose]()
  rmSync(scratch, { recursive: true })
})

/** The packed program in a folder of its own, on one release of Node.js. */
function runner(major: number) {
  const node = major === 24 ? process.execPath : otherNode(major)
  const folder = join(scratch, String(major))
  mkdirSync(join(folder, 'evidence'), { recursive: true })
  writeFileSync(join(folder, 'evidence/users.csv'), 'account,right\na,admin\n')
  const run = async (args: readonly string[], env: Record<string, string> = {}, input = '') => {
    const child = spawn(node, [program, ...args], {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: folder, KITSEAL_URL: service.base, ...env },
    })
    let [out, err] = ['', '']
    child.stdout.on('data', (part) => (out += String(part)))
    child.stderr.on('data', (part) => (err += String(part)))
    child.stdin.end(input)
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
    assert.doesNotMatch(
      err,
      /\n {4}at |Warning:|is not a (function|constructor)|is not defined/,
      args.join(' '),
    )
    return { code, out, err }
  }
  return { folder, run }
}

const NEEDS_SERVER = [['admin', 'status'], ['demo'], ['serve']]
const NEEDS_SQLITE = ['monitor']

const idIn = (text: string, prefix: string): string =>
  new RegExp(`${prefix}_[\\w-]{16,}`).exec(text)?.[0] ?? assert.fail(`no ${prefix}_ in ${text}`)

for (const major of [20, 22, 24])
  test(`every command of the released command line runs on Node.js ${major}, or refuses with one sentence`, async () => {
    const { folder, run } = runner(major)
    const ran = new Set<string>()
    const kitseal = async (expected: number, ...args: readonly string[]): Promise<string> => {
      ran.add(args[0] ?? '')
      const { code, out, err } = await run(args)
      assert.equal(code, expected, `kitseal ${args.join(' ')}\n${out}${err}`)
      return out
    }
    const refuses = async (pattern: RegExp, ...args: readonly string[]): Promise<void> => {
      ran.add(args[0] ?? '')
      const { code, err } = await run(args)
      assert.deepEqual([code, err.trim().split('\n').length], [2, 1], err)
      assert.match(err, pattern)
    }

    writeFileSync(join(folder, 'key.txt'), service.service.firstApiKey ?? '')
    await kitseal(0, 'login', service.base, '--yes', '--key-file', 'key.txt')
    await kitseal(0, 'check', 'evidence')
    const submitted = await kitseal(
      0,
      'submit',
      'evidence',
      '--json',
      '--series',
      `Node ${major}`,
      '--out',
      'kits',
    )
    const [submission, kit] = [idIn(submitted, 'sub'), idIn(submitted, 'kit')]
    await kitseal(0, 'run', '--series', `Node ${major}`, '--out', 'kits', '--', 'true')
    const [first = '', second = ''] = readdirSync(join(folder, 'kits')).map((name) => `kits/${name}`)
    await kitseal(0, 'status', submission)
    await kitseal(0, 'get', kit, '--out', 'again.zip')
    await kitseal(0, 'verify', first)
    await kitseal(0, 'prove', 'again.zip', 'data/evidence/users.csv', '--out', 'users.proof')
    await kitseal(1, 'diff', first, second)
    await kitseal(0, 'trust', 'list')
    await kitseal(0, 'api', 'getSeries', `series=Node ${major}`)
    await kitseal(4, 'reissue', submission)
    await kitseal(0, 'share', kit)
    await kitseal(0, 'share', '--title', 'Audit', kit)
    await kitseal(0, 'api', 'createRequest', 'title=Access', 'profile=access-review')
    await kitseal(
      0,
      'api',
      'createProgram',
      `name=Access ${major}`,
      'cadence=none',
      'starts_on=2026-10-01',
      'profile=access-review',
    )
    await kitseal(0, 'api', 'placeHold', `submission_id=${submission}`, 'reason=dispute')
    for (const format of ['cose', 'in-toto', 'oscal'])
      await kitseal(0, 'export', kit, '--format', format, '-o', `export.${format}`)
    await kitseal(0, 'mcp', '--folder', 'evidence')
    await kitseal(0, 'login')
    await kitseal(0, 'api', 'GET', '/v1/me')
    for (const name of ['listWebhooks', 'listApiKeys', 'listProfiles']) await kitseal(0, 'api', name)
    await kitseal(0, 'api', 'releaseHold', `submission_id=${submission}`)
    await kitseal(0, 'audit', 'export', 'audit.jsonl')
    await kitseal(0, 'events', '--json')
    await kitseal(0, 'keygen', 'issuer.key')
    await kitseal(
      0,
      'seal',
      'evidence',
      '--key',
      'issuer.key',
      '--issuer',
      'https://x.example',
      '--out',
      'own.zip',
    )
    await kitseal(0, 'api', 'deleteSubmission', `submission_id=${submission}`)
    await kitseal(0, 'logout')
    for (const name of NEEDS_SERVER) await refuses(/does not include the server/, ...name)
    for (const name of NEEDS_SQLITE)
      if (major === 20) await refuses(/needs Node\.js 22\.13 or newer, and this is Node\.js 20\./, name)
      else await kitseal(0, name, '--help')
    assert.deepEqual([...ran].toSorted(), Object.keys(COMMANDS).toSorted())
    // Offline commands do not need the proxy.
    const proxy = { HTTPS_PROXY: 'http://127.0.0.1:1', KITSEAL_API_KEY: 'ks_x' }
    assert.equal((await run(['verify', first, '--use-kit-keys'], proxy)).code, 3)
    const refused = await run(['status', '--url', 'https://kitseal.invalid'], proxy)
    assert.equal(refused.code, 2)
    assert.match(refused.err, major === 24 ? /connection refused/ : /cannot use a proxy\. Use Node\.js 24/)
  })

test('Node.js 18 gets one sentence', async () => {
  const { code, err } = await runner(18).run(['verify', 'kit.zip'])
  assert.deepEqual([code, err.trim().split('\n').length], [2, 1], err)
  assert.match(err, /^kitseal needs Node\.js 20 or newer, and this is Node\.js 18\./)
})
