import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, before, test } from 'node:test'
import { needs } from './kit/needs.ts'
import { keySetOf, makeKit, type MadeKit, testSigner, writeFolder } from '../kit/test/make-kit.ts'

const KITSEAL = join(import.meta.dirname, '../cli/bin/kitseal.cjs')
const folder = mkdtempSync(join(tmpdir(), 'kitseal-forger-'))
const keys = keySetOf(testSigner(), { iat: 1_700_000_000 })
let issuer: string
let site: Server

before(async () => {
  site = createServer((_request, response) => response.end(JSON.stringify({ ...keys, revoked_keys: [] })))
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
  issuer = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  mkdirSync(join(folder, 'bin'))
  const command = `#!/bin/sh\nexec ${process.execPath} ${KITSEAL} "$@"\n`
  writeFileSync(join(folder, 'bin/kitseal'), command, { mode: 0o755 })
})

after(() => {
  site.close()
  rmSync(folder, { recursive: true })
})

test('every command in VERIFY.md succeeds for a genuine kit', needs('openssl'), async () => {
  const kit = await makeKit({ 'a.txt': 'a' }, { issuer })
  const { shell, kitseal } = await follow('genuine', kit)
  assert.match(shell, /key: OK\nSignature Verified Successfully/)
  assert.deepEqual(kitseal, [0, 0])
})

test('no command in VERIFY.md confirms a kit that a forger sealed under the name of the issuer', async () => {
  const forger = testSigner(66)
  const kit = await makeKit({ 'a.txt': 'forged' }, { issuer, signer: forger, jwks: keySetOf(forger) })
  const { shell, kitseal } = await follow('forged', kit)
  assert.doesNotMatch(shell, /key: OK|Signature Verified Successfully/)
  assert.deepEqual(kitseal, [1, 1])
})

test('VERIFY.md never takes a key from the kit', async () => {
  const { contents } = await makeKit()
  const uses = guideOf(contents)
    .split('\n')
    .filter((line) => /(?<!well-known\/)jwks\.json/.test(line))
  for (const line of uses) assert.match(line, /Key-Set-SHA256|printf '%s\\n' SHA256SUMS/)
})

interface Followed {
  /** The output of the shell commands, run together. */
  readonly shell: string
  /** The exit code of each kitseal command. */
  readonly kitseal: readonly number[]
}

/** Runs every command of the guide in the kit's folder, as a reader who knows the issuer would. */
async function follow(name: string, { contents }: MadeKit): Promise<Followed> {
  const kit = join(folder, name)
  writeFolder(kit, contents)
  const guide = guideOf(contents)
    .replaceAll('KEY_ID', keys.keys[0]!.kid)
    .replaceAll(/\bISSUER\b/g, issuer)
  const blocks = [...guide.matchAll(/^ *```sh\n([^]*?)^ *```/gm)].map(([, block]) => block)
  const { output } = await run(kit, blocks.join('\n'))
  const commands = [...guide.matchAll(/^kitseal .*$/gm)].map(([command]) => command)
  const kitseal: number[] = []
  for (const command of commands) kitseal.push((await run(kit, command)).exitCode)
  return { shell: output, kitseal }
}

function guideOf(contents: MadeKit['contents']): string {
  return Buffer.from(contents.get('VERIFY.md')!).toString()
}

function run(cwd: string, command: string): Promise<{ readonly exitCode: number; readonly output: string }> {
  const env = { PATH: [join(folder, 'bin'), process.env['PATH']].join(delimiter), HOME: folder }
  return new Promise((resolve) => {
    execFile('sh', ['-c', command], { cwd, env }, (error, output) =>
      resolve({ exitCode: error === null ? 0 : Number(error.code), output }),
    )
  })
}
