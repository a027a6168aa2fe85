// Own process: it changes the working folder and `fetch`.
// Every function and class that a library exports has an @example. Examples compile and run, also those of READMEs. Those of the docs compile.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { parseManifest, parseStrictJson, proofBytes, proveFile, publicJwk } from '@kitseal/kit'
import { nodeHost, openKit, readPrivateKey, sealFolder } from '@kitseal/kit/node'
import { pem, root as timeRoot } from '../test/forge/time/certificates.ts'
import { makeTimeStamp } from '../test/forge/time/time-stamp.ts'
import { testService, type TestService } from './kit/service.ts'
import { codeOfPage, findExamples, findReadmeExamples, OTHER_SCRIPT } from './examples/find-examples.ts'

/** Libraries whose exported functions and classes need examples. */
const LIBRARIES = ['kit', 'client'] as const

const root = path.dirname(import.meta.dirname)
const examples = [
  ...LIBRARIES.flatMap((library) =>
    ['src/index.ts', 'node/index.ts'].flatMap((index) => findExamples(path.join(root, library, index))),
  ),
  ...findReadmeExamples(path.join(root, 'kit/README.md')),
]
/** The blocks of this README are among the examples above. */
const ELSEWHERE = new Set(['kit/README.md'])
const pages = globSync('**/*.md', {
  cwd: root,
  exclude: (name) => /(^|\/)(node_modules|data|dist)$/.test(name),
})
  .filter((page) => !ELSEWHERE.has(page))
  .map((page) => ({ page, text: readFileSync(path.join(root, page), 'utf8') }))
const fileOf = (name: string): string => path.join(folder, 'examples', `${name}.ts`)

let folder = ''
let service: TestService
const startedIn = process.cwd()
before(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'kitseal-examples-'))
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  mkdirSync(path.join(folder, 'examples'))
  writeFileSync(path.join(folder, 'package.json'), '{"type": "module"}')
  for (const { name, code } of examples) if (code !== undefined) writeFileSync(fileOf(name), code)
  for (const { page, text } of pages) {
    const code = codeOfPage(text)
    if (code !== undefined) writeFileSync(fileOf(page.replaceAll('/', '-')), code)
  }
  process.chdir(folder)
  await makeFixtures()
  service = await startExampleService()
})
after(async () => {
  process.chdir(startedIn)
  await service[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

test('every exported function and class has an example', () => {
  assert.ok(examples.length > 0)
  const missing = examples.filter(({ code }) => code === undefined)
  assert.deepEqual(
    missing.map(({ name, module }) => `${path.relative(root, module)}: ${name}`),
    [],
  )
})

test('code of the docs is TypeScript that the next test compiles', () => {
  assert.ok(pages.filter(({ text }) => codeOfPage(text) !== undefined).length >= 4)
  const others = pages.filter(({ text }) => OTHER_SCRIPT.test(text))
  assert.deepEqual(
    others.map(({ page }) => page),
    [],
  )
  assert.match('   ```js\n', OTHER_SCRIPT)
})

test('the examples compile', () => {
  const settings = {
    extends: path.join(root, 'tsconfig.base.json'),
    compilerOptions: {
      lib: ['es2024', 'esnext.disposable'],
      types: ['node'],
      typeRoots: [path.join(root, 'node_modules/@types')],
    },
    include: ['examples/*.ts'],
  }
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(settings))
  try {
    execFileSync(path.join(root, 'node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' })
  } catch (error) {
    assert.fail((error as { readonly stdout: string }).stdout)
  }
})

for (const { name, code } of examples) {
  if (code === undefined) continue
  test(`the example of ${name} runs`, async () => {
    await import(pathToFileURL(fileOf(name)).href)
  })
}

/** Serves the examples' https://kitseal.example, with the API key and a kit ID in the environment. */
async function startExampleService(): Promise<TestService> {
  const started = await testService()
  const realFetch = globalThis.fetch
  globalThis.fetch = (url, init) =>
    realFetch(typeof url === 'string' ? url.replace('https://kitseal.example', started.base) : url, init)
  process.env.KITSEAL_API_KEY = started.service.firstApiKey
  process.env.KIT_ID = (await started.issue()).kitId
  return started
}

/** What the examples read: evidence, a key, its key set, a kit, a proof and a time-stamp. */
async function makeFixtures(): Promise<void> {
  mkdirSync('evidence')
  writeFileSync('evidence/users.csv', 'name,role\nann,admin\n')
  const { privateKey } = generateKeyPairSync('ed25519')
  writeFileSync('issuer.key', privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const signer = readPrivateKey('issuer.key')
  const jwks = { keys: [publicJwk(signer.x)] }
  writeFileSync('issuer.jwks.json', JSON.stringify(jwks))
  const { receipt } = await sealFolder('evidence', {
    signer,
    issuer: 'https://issuer.example',
    out: 'kit.zip',
  })
  using kit = await openKit('kit.zip')
  const manifest = parseManifest(parseStrictJson(await kit.read('manifest.json', 1_000_000)))
  assert.ok(manifest.ok)
  const proof = proveFile(manifest.value, receipt, jwks, 'data/users.csv', nodeHost)
  assert.ok(proof)
  writeFileSync('users.csv.proof.json', proofBytes(proof))
  writeFileSync('time.tsr', makeTimeStamp(Buffer.from('stamped')))
  writeFileSync('tsa-roots.pem', pem(timeRoot))
}
