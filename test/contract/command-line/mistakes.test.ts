import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { main } from '../../../cli/src/main.ts'
import { type TestService, testService } from '../../kit/service.ts'

const folder = mkdtempSync(join(tmpdir(), 'kitseal-mistakes-'))
const at = (name: string): string => join(folder, name)
let service: TestService
let key = ''

async function run(args: readonly string[], { isTTY = false, env = {} } = {}) {
  let text = ''
  const output = { isTTY, write: (part: string) => void (text += part) }
  const code = await main(args, { env: { HOME: folder, ...env }, stdout: output, stderr: output })
  return { code, text }
}
const onService = (...args: readonly string[]) =>
  run(args, { env: { KITSEAL_URL: service.base, KITSEAL_API_KEY: key } })

before(async () => {
  service = await testService()
  key = service.service.firstApiKey ?? ''
  mkdirSync(at('empty'))
  mkdirSync(at('evidence'))
  writeFileSync(at('evidence/a.txt'), 'a')
  writeFileSync(at('large.txt'), 'a'.repeat(3000))
  writeFileSync(at('key'), key)
})
after(async () => {
  await service[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

test('check and submit know the limit of the plan; submit sends nothing and leaves no draft', async () => {
  const place = ['--data', service.dataFolder]
  const listed = JSON.parse((await run(['admin', 'workspace', 'list', '--json', ...place])).text) as {
    readonly data: readonly { readonly workspace_id: string }[]
  }
  const workspace = listed.data[0]?.workspace_id ?? ''
  const limit = ['--upload-limit-bytes', '2000', ...place]
  const changed = await run(['admin', 'workspace', 'change', workspace, ...limit])
  assert.equal(changed.code, 0, changed.text)
  const checked = await onService('check', at('large.txt'))
  assert.equal(checked.code, 1)
  assert.match(checked.text, /The upload is 3\.0 KB\. Your plan allows 2\.0 KB for a submission\./)
  const sent = await onService('submit', at('large.txt'), '--out', folder)
  assert.equal(sent.code, 2)
  assert.match(sent.text, /The upload is 3\.0 KB\. Your plan allows 2\.0 KB[^]*Nothing was uploaded/)
  const drafts = JSON.parse((await onService('status', '--json')).text) as { data: unknown[] }
  assert.deepEqual(drafts.data, [])
})

test('a folder without files is told, cannot be accepted and is never packed', async () => {
  for (const command of ['check', 'submit']) {
    const { code, text } = await onService(command, at('empty'), '--accept', 'empty_archive')
    assert.equal(code, 2, text)
    assert.match(text, /empty contains no files\n/)
    assert.doesNotMatch(text, /pack/)
  }
})

test('the size that check prints is that of the files, not of the archive around them', async () => {
  const { text } = await run(['check', at('evidence')])
  assert.match(text, /1 file, 1 byte\b/)
})

test('what is no kit is told in one sentence, with exit code 2', async () => {
  const { code, text } = await run(['verify', at('evidence')])
  assert.equal(code, 2)
  assert.match(
    text,
    /^kitseal verify: \S+evidence is not a kit: it contains neither manifest\.json nor receipt\.json\..*\n$/,
  )
  const junk = await run(['verify', at('large.txt')])
  assert.equal(junk.code, 2, 'unreadable')
})

test('login says what is wrong: not running, http or https, the path, or the key', async () => {
  const login = (url: string) => run(['login', url, '--yes', '--key-file', at('key')])
  const other = createServer((_request, response) => response.writeHead(404).end('no'))
  other.listen(0, '127.0.0.1')
  await once(other, 'listening')
  const elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  writeFileSync(at('wrong'), 'ks_wrong')
  try {
    for (const [args, sentence] of [
      [['http://127.0.0.1:2'], /connection refused\. Is the service running\?/],
      [[service.base.replace('http:', 'https:')], /answers without TLS\. Its URL begins with http:/],
      [[elsewhere], /returned 404\. Is this a kitseal service\? Check --url\./],
      [[`${service.base}/elsewhere`], /No route at this path[^]*Check the path of --url/],
      [[service.base, '--key-file', at('wrong')], /API key in X-API-Key is not valid/],
    ] as const) {
      const { code, text } = args.length > 1 ? await run(['login', ...args, '--yes']) : await login(args[0])
      assert.ok(code === 2 || code === 4, text)
      assert.match(text, sentence)
    }
  } finally {
    other.close()
  }
})

const commands = ({ text }: { readonly text: string }): number =>
  text.match(/^ {2}[a-z]+ {2,}/gm)?.length ?? 0

test('help shows the ten commands of every day, and --help all the rest', async () => {
  const short = await run(['--help'])
  assert.ok(commands(short) >= 8 && commands(short) <= 12, short.text)
  assert.match(short.text, /kitseal --help all/)
  assert.ok(commands(await run(['--help', 'all'])) > 20)
})

test('on a terminal, checking, packing and sealing a large folder show their progress', async () => {
  writeFileSync(at('evidence/large.bin'), new Uint8Array(80 * 1024 * 1024))
  await run(['keygen', at('issuer.key')])
  const sealed = ['seal', at('evidence'), '--key', at('issuer.key'), '--issuer', 'https://issuer.example']
  const checked = await run(['check', at('evidence')], { isTTY: true })
  assert.match(checked.text, /reading +\d+ %/)
  assert.match(checked.text, /checking/)
  assert.match((await run([...sealed, '--out', at('sealed.zip')], { isTTY: true })).text, /reading +\d+ %/)
})
