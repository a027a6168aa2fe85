import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { testService } from '../../test/kit/service.ts'
import { createClient } from '../src/index.ts'

const run = promisify(execFile)
const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const packages = fileURLToPath(new URL('../../node_modules/@kitseal', import.meta.url))

test('the code in the README runs, top to bottom', async () => {
  const blocks = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code ?? '')
  assert.equal(blocks.length, 6)
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-readme-'))
  try {
    await using service = await testService()
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(packages, join(folder, 'node_modules', '@kitseal'))
    mkdirSync(join(folder, 'evidence'))
    writeFileSync(join(folder, 'evidence/access-review.csv'), 'account,decision\na,remove\n')
    mkdirSync(join(folder, 'scripts'))
    writeFileSync(join(folder, 'scripts/setup.exe'), 'MZ'.padEnd(400, '\0'))
    writeFileSync(join(folder, 'readme.mts'), blocks.join('\n'))
    const env = {
      KITSEAL_URL: service.base,
      KITSEAL_API_KEY: service.service.firstApiKey,
      ISSUER_KID: (await service.service.signingKeys.activeSigner()).kid,
    }
    const { stdout } = await run(process.execPath, ['readme.mts'], { cwd: folder, env })
    assert.match(stdout, /^kit_\S+ kit\.zip PASS$/m)
    assert.match(stdout, /^\S+ setup\.exe /m)
    assert.match(stdout, /^(\d+) of \1 bytes$/m)
    assert.match(stdout, /^PASS$/m)
    assert.match(stdout, /^again\.zip PASS /m)
    assert.match(stdout, /^404 submission_not_found req_/m)
    assert.match(stdout, /^1$/m)
    assert.ok(existsSync(join(folder, 'kit.zip')))
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('every client method is an operation of the API, or in the README', () => {
  const api = JSON.parse(readFileSync(new URL('../../spec/openapi.json', import.meta.url), 'utf8')) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>
  }
  const operations = new Set(
    Object.values(api.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    ),
  )
  const missing = Object.keys(createClient({ baseUrl: 'http://127.0.0.1:1' })).filter(
    (name) => !operations.has(name) && !readme.includes(`\`${name}`),
  )
  assert.deepEqual(missing, [])
})
