import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { keySetOf, makeKit, testSigner, writeFolder } from '../../kit/test/make-kit.ts'
import { type TestService, testService } from '../../test/kit/service.ts'
import { helpPages } from './make-reference.ts'
import { COMMANDS, main } from '../src/main.ts'

/** Commands without a result of their own. */
const NO_RESULT = {
  admin: 'its subcommands have one',
  completion: 'prints a script',
  serve: 'logs lines of JSON',
}

let folder = ''
let service: TestService
const file = (name: string): string => join(folder, name)
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kitseal-json-'))
  service = await testService()
  const { zip, contents } = await makeKit({ 'report.txt': 'all is well\n' })
  writeFileSync(file('kit.zip'), zip)
  writeFolder(file('altered'), new Map(contents).set('receipt.json', new Uint8Array([123, 125])))
  writeFileSync(file('jwks.json'), JSON.stringify(keySetOf(testSigner())))
  mkdirSync(file('evidence'))
  writeFileSync(file('evidence/a.txt'), 'a\n')
  writeFileSync(file('empty.pdf'), '')
})
after(async () => {
  await service[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

async function run(args: readonly string[], more: Record<string, string> = {}) {
  let [out, err] = ['', '']
  const stdout = { write: (part: string) => void (out += part) }
  const stderr = { write: (part: string) => void (err += part) }
  const key = service.service.firstApiKey ?? ''
  const env = { HOME: folder, KITSEAL_URL: service.base, KITSEAL_API_KEY: key, ...more }
  return { code: await main(args, { env, stdout, stderr }), out, err }
}

test('every command has --json', async () => {
  for (const { command, text } of await helpPages())
    assert.equal(/^ {2}--json\b/m.test(text), !Object.hasOwn(NO_RESULT, command), command)
})

test('exit codes are those of the table, and with --json every outcome is one JSON document', async () => {
  const jwks = ['--jwks', file('jwks.json')]
  const wrongKey = { KITSEAL_API_KEY: 'ks_wrong' }
  const nobody = { KITSEAL_URL: 'http://127.0.0.1:9' }
  const table: readonly (readonly [number, readonly string[], Record<string, string>?])[] = [
    [0, ['verify', file('kit.zip'), ...jwks]],
    [1, ['verify', file('altered'), ...jwks]],
    [2, ['verify', file('missing.zip')]],
    [3, ['verify', file('kit.zip')]],
    [0, ['check', file('evidence')]],
    [1, ['check', file('empty.pdf')]],
    [2, ['check', file('missing')]],
    [0, ['prove', file('kit.zip'), 'report.txt', '--out', file('proof.json')]],
    [2, ['prove', file('kit.zip'), 'none.txt']],
    [0, ['diff', file('kit.zip'), file('kit.zip')]],
    [2, ['diff', file('kit.zip'), file('missing.zip')]],
    [0, ['keygen', file('issuer.key')]],
    [2, ['keygen', file('issuer.key')]],
    [
      0,
      [
        'seal',
        file('evidence'),
        '--key',
        file('issuer.key'),
        '--issuer',
        'https://i.example',
        '--out',
        file('own.zip'),
      ],
    ],
    [2, ['seal', file('missing'), '--key', file('issuer.key'), '--issuer', 'https://i.example']],
    [0, ['trust', 'add', file('jwks.json'), '--issuer', 'https://other.example']],
    [0, ['trust', 'list']],
    [1, ['trust', 'remove', 'https://nobody.example']],
    [0, ['trust', 'remove', 'https://other.example']],
    [2, ['trust', 'add', file('missing.json'), '--issuer', 'https://other.example']],
    [0, ['logout']],
    [0, ['submit', file('evidence'), '--out', folder]],
    [1, ['submit', file('empty.pdf'), '--out', folder]],
    [4, ['submit', file('evidence'), '--out', folder], wrongKey],
    [0, ['status']],
    [2, ['status', '--url', 'nowhere']],
    [4, ['status'], wrongKey],
    [4, ['status', 'sub_none']],
    [4, ['get', 'sub_none']],
    [4, ['api', 'placeHold', 'submission_id=sub_none', 'reason=x']],
    [4, ['reissue', 'sub_none']],
    [4, ['share', 'list'], wrongKey],
    [4, ['api', 'listRequests'], wrongKey],
    [4, ['events'], wrongKey],
    [0, ['login']],
    [4, ['login'], wrongKey],
    [0, ['api', 'GET', '/v1/me']],
    [4, ['api', 'GET', '/v1/none']],
    [2, ['api', 'GET', '/v1/me'], nobody],
    [2, ['api', 'POST', '/v1/profiles', '--body', 'no JSON']],
    [4, ['api', 'getWebhook', 'webhook_id=whk_none']],
    [2, ['login', 'http://kitseal.example'], nobody],
  ]
  for (const [code, args, env] of table) {
    const result = await run([...args, '--json'], env)
    const what = `${args.join(' ')}\n${result.out}${result.err}`
    assert.equal(result.code, code, what)
    const printed = JSON.parse(result.out) as { status?: string; error?: { code: string; message: string } }
    if (code === 2 || code === 4) {
      assert.equal(printed.status, 'ERROR', what)
      assert.ok(typeof printed.error?.code === 'string' && printed.error.message !== '', what)
    }
  }
})

test('with --json, every list is {data, next_cursor}, as in the API', async () => {
  const { workspace_id: workspaceId } = JSON.parse((await run(['login', '--json'])).out) as {
    workspace_id: string
  }
  const more: Readonly<Record<string, readonly string[]>> = { 'admin key': [workspaceId] }
  const lists = [['status']]
  for (const { command, text } of await helpPages()) {
    if (!new RegExp(`kitseal ${command} (?:[a-z|]+ )?list\\b`).test(text)) continue
    const words = [...command.split(' '), 'list', ...(more[command] ?? [])]
    lists.push(command.startsWith('admin ') ? [...words, '--data', service.dataFolder] : words)
  }
  assert.ok(lists.length > 5, `${lists.length}`)
  for (const words of lists) {
    const { code, out, err } = await run([...words, '--json'])
    assert.equal(code, 0, `${words.join(' ')}: ${out}${err}`)
    const { data, next_cursor } = JSON.parse(out) as { data?: unknown; next_cursor?: unknown }
    assert.ok(Array.isArray(data), words.join(' '))
    assert.equal(next_cursor, null, words.join(' '))
  }
})

test('wrong usage is exit code 2 for every command, with a message on standard error', async () => {
  for (const name of Object.keys(COMMANDS)) {
    const { code, out, err } = await run([name, '--no-such-option', '--json'])
    assert.equal(code, 2, name)
    assert.equal(out, '', name)
    assert.match(err, new RegExp(`kitseal ${name}`), name)
  }
})

test('kitseal submit makes the folder of --out only if there is something to submit', async () => {
  const [missing, made] = [file('out-of-nothing'), file('out')]
  assert.equal((await run(['submit', file('missing'), '--out', missing])).code, 2)
  assert.equal(existsSync(missing), false)
  assert.equal((await run(['submit', file('evidence'), '--out', made])).code, 0)
  assert.equal(existsSync(made), true)
})
