import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, suite, test } from 'node:test'
import { openKit } from '@kitseal/kit/node'
import { TOOL_OUTPUTS } from '../../examiner/test/tool-outputs.ts'
import { testService, type TestService } from '../../test/kit/service.ts'
import { main } from '../src/main.ts'

let folder = ''
let service: TestService
before(async () => {
  service = await testService()
})
after(async () => {
  await service[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => {
  rmSync(folder, { recursive: true, force: true })
  folder = mkdtempSync(join(tmpdir(), 'kitseal-run-test-'))
})

async function kitseal(args: readonly string[], env: Record<string, string> = {}) {
  let [out, err] = ['', '']
  const stdout = { write: (part: string | Uint8Array) => void (out += part.toString()) }
  const stderr = { write: (part: string | Uint8Array) => void (err += part.toString()) }
  const own = {
    HOME: folder,
    PATH: process.env['PATH'] ?? '',
    KITSEAL_URL: service.base,
    KITSEAL_API_KEY: service.service.firstApiKey ?? '',
  }
  const code = await main(args, { env: { ...own, ...env }, stdout, stderr })
  return { code, out, err }
}

/** A collector: a script for Node.js. */
const script = (source: string): readonly string[] => [process.execPath, '-e', source]
const run = (options: readonly string[], source: string, env?: Record<string, string>) =>
  kitseal(['run', '--out', folder, '--name', 'scan', ...options, '--', ...script(source)], env)

/** The evidence in the kit that was saved, by path. */
async function sealedFiles(): Promise<ReadonlyMap<string, string>> {
  const name = readdirSync(folder).find((one) => one.endsWith('.zip')) ?? ''
  using kit = await openKit(join(folder, name))
  const found = new Map<string, string>()
  for (const { path } of kit.files.filter((file) => file.path.startsWith('data/'))) {
    const bytes = await kit.read(path, 1_000_000)
    found.set(path.replace('data/scan/', ''), Buffer.from(bytes).toString())
  }
  return found
}

const isUnsealed = (): boolean => !readdirSync(folder).some((name) => name.endsWith('.zip'))

suite('a run of a collector', () => {
  test('is passed on and sealed with what it printed and wrote', async () => {
    mkdirSync(join(folder, 'reports'))
    writeFileSync(join(folder, 'reports', 'old.txt'), 'from another run')
    const report = join(folder, 'reports', 'prowler.json')
    const { code, out, err } = await run(
      ['--output', join(folder, 'reports'), '--env', 'REGION,MISSING', '--ask-version'],
      `console.log('scanning'); console.error('careful');
       require('fs').writeFileSync(${JSON.stringify(report)}, ${JSON.stringify(TOOL_OUTPUTS['Prowler OCSF']?.content)})`,
      { REGION: 'eu-west-1', OTHER: 'not recorded' },
    )
    assert.equal(code, 0, err)
    assert.equal(out, 'scanning\n')
    assert.match(err, /careful[^]*Sealed/)
    assert.match(err, /^Stated by the files, not verified\n {2}“ "Prowler 5\.9\.0 .*" \(.*prowler\.json\)$/m)
    const files = await sealedFiles()
    assert.deepEqual(
      [...files.keys()],
      ['output/reports/prowler.json', 'run.json', 'stderr.txt', 'stdout.txt'],
    )
    assert.equal(files.get('stdout.txt'), 'scanning\n')
    const record = JSON.parse(files.get('run.json') ?? '') as Record<string, unknown>
    assert.deepEqual(record['environment'], { REGION: 'eu-west-1', MISSING: null })
    assert.deepEqual(record['collector'], { name: 'scan', version: process.version })
    assert.equal(record['exit_code'], 0)
    assert.equal(record['host'], undefined)
    assert.doesNotMatch(files.get('run.json') ?? '', /not recorded/)
  })

  test('that fails is sealed, and its exit code is that of kitseal', async () => {
    const { code, err } = await run(['--host'], "console.log('1 finding'); process.exit(3)")
    assert.equal(code, 3)
    assert.match(err, /failed with exit code 3[^]*Sealed/)
    const record = JSON.parse((await sealedFiles()).get('run.json') ?? '') as Record<string, unknown>
    assert.equal(record['exit_code'], 3)
    assert.ok(record['host'])
  })

  test('that fails is not sealed with --require-success', async () => {
    const { code, err } = await run(['--require-success'], 'process.exit(3)')
    assert.equal(code, 1)
    assert.match(err, /failed with exit code 3[^]*Nothing was uploaded/)
    assert.ok(isUnsealed())
  })

  const SECRET = `AKIA${'Q3EGRUKMFPXWZ2LA'}`

  test('is not uploaded if it printed a secret, has one in its command line or in a recorded variable', async () => {
    const printed = await run([], "console.log('AKIA' + 'Q3EGRUKMFPXWZ2LA')")
    const given = await run([], `'${SECRET}'`)
    const recorded = await run(['--env', 'KEY'], '0', { KEY: SECRET })
    for (const [{ code, err }, file] of [
      [printed, 'stdout.txt'],
      [given, 'run.json'],
      [recorded, 'run.json'],
    ] as const) {
      assert.equal(code, 1, err)
      assert.match(err, new RegExp(`possible_secret +scan/${file}`))
      assert.match(err, /Nothing was uploaded/)
      assert.doesNotMatch(err, new RegExp(SECRET))
    }
    const password = await kitseal(['run', '--out', folder, '--', 'true', '--password', 'correct horse'])
    assert.equal(password.code, 1)
    assert.match(password.err, /possible_secret +run\.json +.*value of --password/)
    assert.doesNotMatch(password.err, /correct horse/)
    assert.ok(isUnsealed())
    const accepted = await run(['--accept', 'possible_secret'], `'${SECRET}'`)
    assert.equal(accepted.code, 0, accepted.err)
  })

  test('is only checked with --dry-run, which needs no key', async () => {
    const { code, err } = await run(['--dry-run'], "console.log('a'); process.exit(5)", {
      KITSEAL_API_KEY: '',
    })
    assert.equal(code, 5)
    assert.match(err, /Ready to submit {2}2 files[^]*Nothing was uploaded/)
    assert.ok(isUnsealed())
  })

  test('prints JSON alone to standard output with --json', async () => {
    const { code, out, err } = await run(['--json'], "console.log('scanning')")
    assert.equal(code, 0)
    const { status, command_exit_code } = JSON.parse(out) as Record<string, unknown>
    assert.deepEqual([status, command_exit_code], ['PASS', 0])
    assert.match(err, /^scanning$/m)
  })

  test('shows what the output says about itself', async () => {
    const { content, summary } = TOOL_OUTPUTS['gitleaks'] ?? { content: '', summary: '' }
    const { err } = await run(['--dry-run'], `process.stdout.write(${JSON.stringify(content)})`)
    assert.match(
      err,
      new RegExp(`^Stated by the files, not verified\n  “ "${summary}" \\(scan/stdout.txt\\)$`, 'm'),
    )
  })

  test('does not see the key of the service', async () => {
    const { out } = await run(['--dry-run'], 'console.log(process.env.KITSEAL_API_KEY, process.env.HOME)')
    assert.equal(out, `undefined ${folder}\n`)
  })

  test('that a signal ended has the exit code of a shell', async () => {
    const { code } = await run(
      ['--dry-run'],
      "process.kill(process.pid, 'SIGKILL'); setTimeout(() => {}, 9999)",
    )
    assert.equal(code, 137)
  })

  test('has an error if the command is missing or an output is a link', async () => {
    const missing = await kitseal(['run', '--out', folder, '--', join(folder, 'no-such-program')])
    assert.equal(missing.code, 2)
    assert.match(missing.err, /cannot run .*no-such-program/)
    assert.equal((await kitseal(['run'])).code, 2)
    mkdirSync(join(folder, 'reports'))
    const link = `require('fs').symlinkSync('/etc/passwd', ${JSON.stringify(join(folder, 'reports', 'a'))})`
    const linked = await run(['--output', join(folder, 'reports')], link)
    assert.equal(linked.code, 2)
    assert.match(linked.err, /cannot seal .*reports: a is a symbolic link/)
    assert.ok(isUnsealed())
  })
})
