import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createServer } from 'node:http'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { keySetOf, makeKit, testSigner } from '../../kit/test/make-kit.ts'
import { needs } from '../../test/kit/needs.ts'

const kitseal = fileURLToPath(new URL('../bin/kitseal.cjs', import.meta.url))

let folder = ''
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kitseal-offline-'))
  // Large enough for a second thread, so that every path of verification is watched.
  const evidence = { 'a.bin': new Uint8Array(30_000_000), 'b.bin': new Uint8Array(30_000_000).fill(1) }
  const { zip } = await makeKit(evidence)
  writeFileSync(join(folder, 'kit.zip'), zip)
  writeFileSync(join(folder, 'jwks.json'), JSON.stringify(keySetOf(testSigner())))
})
after(() => rmSync(folder, { recursive: true }))

/** Runs the command under strace and returns the network system calls of all its threads. */
function networkCalls(args: readonly string[]): {
  readonly status: number | null
  readonly calls: readonly string[]
} {
  const log = join(folder, 'strace.log')
  const env = { PATH: process.env['PATH'], HOME: folder }
  const traced = ['-f', '-qq', '-e', 'trace=%network', '-o', log, process.execPath, kitseal, ...args]
  // Files, not pipes: Node asks what kind of socket a pipe of spawn is, which looks like network in the log.
  const output = openSync(join(folder, 'output.txt'), 'w')
  const { status } = spawnSync('strace', traced, { cwd: folder, env, stdio: ['ignore', output, output] })
  closeSync(output)
  // A socket pair stays inside the process.
  const calls = readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !/socketpair|\+\+\+|---/.test(line))
  return { status, calls }
}

test('verification makes no network call unless a URL is given', { skip: skipReason() }, () => {
  for (const [args, exitCodes] of [
    [['verify', 'kit.zip', '--jwks', 'jwks.json'], [0]],
    [['verify', 'kit.zip'], [3]],
    [['prove', 'kit.zip', 'data/a.bin'], [0]],
    [['trust', 'list'], [0]],
    [
      ['check', 'jwks.json', 'kit.zip'],
      [0, 1],
    ],
  ] as const) {
    const { status, calls } = networkCalls(args)
    assert.ok(
      exitCodes.some((code) => code === status),
      `${args.join(' ')} ended with ${status}`,
    )
    assert.deepEqual(calls, [], args.join(' '))
  }
})

test('the test detects a network call', { skip: skipReason() }, async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  await new Promise((resolve) => server.close(resolve))
  const { status, calls } = networkCalls([
    'verify',
    'kit.zip',
    '--jwks',
    `http://127.0.0.1:${address.port}/jwks.json`,
  ])
  assert.equal(status, 2)
  assert.ok(calls.some((call) => call.includes('connect(')))
})

test('a key set can be fetched from a given URL', async () => {
  const server = createServer((_, response) => response.end(readFileSync(join(folder, 'jwks.json'))))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const address = server.address()
    assert.ok(address !== null && typeof address === 'object')
    const { main } = await import('../src/main.ts')
    let printed = ''
    const output = { write: (text: string) => (printed += text) }
    const url = `http://127.0.0.1:${address.port}/.well-known/jwks.json`
    const code = await main(['verify', join(folder, 'kit.zip'), '--jwks', url], {
      env: {},
      stdout: output,
      stderr: output,
    })
    assert.equal(code, 0, printed)
  } finally {
    server.close()
  }
})

function skipReason(): string | false {
  return needs('strace').skip
}
