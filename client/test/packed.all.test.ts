import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { chromium } from 'playwright-core'
import { testService, type TestService } from '../../test/kit/service.ts'
import { startProxy } from './proxy.ts'
import { installedNodes, SUPPORTED_NODES } from './node-versions.ts'
import { type Installed, installPacked } from './packed.ts'

const here = fileURLToPath(new URL('./packed/', import.meta.url))
const root = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)
const CHROMIUM = '/usr/bin/chromium'

let service: TestService
let installed: Installed
before(async () => {
  installed = installPacked()
  for (const file of ['journey.mjs', 'page.js', 'types.ts']) {
    copyFileSync(join(here, file), join(installed.folder, file))
  }
  writeFileSync(join(installed.folder, 'evidence.txt'), 'evidence\n'.repeat(1_000_000))
  service = await testService()
})
after(async () => {
  await service[Symbol.asyncDispose]()
  installed[Symbol.dispose]()
})

const nodes = installedNodes()
for (const major of SUPPORTED_NODES) {
  const node = nodes.get(major)
  const skip = node === undefined ? `Node ${major} is not on this machine` : false
  test(`the packed client works in an empty folder on Node ${major}`, { skip }, async () => {
    const kit = join(installed.folder, `kit-${major}.zip`)
    const args = ['journey.mjs', service.base, apiKey(), 'evidence.txt', kit]
    const { stdout, stderr } = await run(node ?? '', args, { cwd: installed.folder })
    assert.deepEqual(JSON.parse(stdout), EXPECTED)
    assert.ok(existsSync(kit))
    assert.equal(stderr, '')
  })
}
const EXPECTED = {
  submission: 'PASS',
  names: ['evidence.txt', 'größe.txt'],
  progressed: true,
  inMemory: 'PASS',
  onDisk: 'PASS',
  tooLarge: 413,
  aborted: 'AbortError',
  refused: 'submission_not_found',
}
const apiKey = (): string => service.service.firstApiKey ?? ''

test('the packages contain no TypeScript sources and import only what they contain', () => {
  const packages = join(installed.folder, 'node_modules', '@kitseal')
  const files = globSync('**/*', { cwd: packages, withFileTypes: true }).filter((item) => item.isFile())
  assert.ok(files.length > 50)
  for (const { parentPath, name } of files) {
    assert.ok(!name.endsWith('.ts') || name.endsWith('.d.ts'), name)
    if (!/\.(js|d\.ts)$/.test(name)) continue
    // Examples in doc comments import the packages themselves.
    const text = readFileSync(join(parentPath, name), 'utf8').replaceAll(/\/\*[^]*?\*\//g, '')
    for (const [, from = ''] of text.matchAll(/(?<![.\w])(?:from|import)\s*\(?["']([^"'\n]+)["']/g)) {
      const isOwn = from.startsWith('.')
        ? from.endsWith('.js')
        : /^(@kitseal\/kit(\/internal)?(\/node)?|node:.*)$/.test(from)
      assert.ok(isOwn, `${name} imports ${from}`)
    }
  }
})

test('the type declarations compile with browser types and with Node types', () => {
  const tsc = join(root, 'node_modules/.bin/tsc')
  const strict = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true }
  const shared = { ...strict, module: 'nodenext', target: 'es2023' }
  for (const platform of [
    { lib: ['es2022', 'dom'], types: [] },
    { lib: ['es2024', 'esnext.disposable'], types: ['node'], typeRoots: [join(root, 'node_modules/@types')] },
  ]) {
    const config = { compilerOptions: { ...shared, ...platform }, files: ['types.ts'] }
    writeFileSync(join(installed.folder, 'tsconfig.json'), JSON.stringify(config))
    execFileSync(tsc, ['-p', 'tsconfig.json'], { cwd: installed.folder, stdio: 'inherit' })
  }
})

const noBrowser = existsSync(CHROMIUM) ? false : `${CHROMIUM} is not on this machine`
test('the packed client works in Chromium', { skip: noBrowser }, async () => {
  const bundle = await build({
    absWorkingDir: installed.folder,
    entryPoints: ['page.js'],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  })
  const script = bundle.outputFiles[0]?.text ?? ''
  // Page and service share one origin, as in production.
  await using origin = await startProxy(service.base, (request, response) => {
    if (request.url === '/page') {
      response.setHeader('content-type', 'text/html')
      response.end('<!doctype html><script type="module" src="/page.js"></script>')
    } else if (request.url === '/page.js') {
      response.setHeader('content-type', 'text/javascript')
      response.end(script)
    } else return false
    return true
  })
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu'],
  })
  try {
    const page = await browser.newPage()
    await page.goto(`${origin.base}/page`)
    await page.waitForFunction('globalThis.journey !== undefined')
    assert.deepEqual(await page.evaluate(`journey(${JSON.stringify(apiKey())})`), IN_A_PAGE)
  } finally {
    await browser.close()
  }
})

const IN_A_PAGE = {
  byFetch: [20_000_000],
  aborted: 'AbortError',
  submission: 'PASS',
  names: ['größe 日本.txt', 'b.txt'],
  progressed: true,
  kit: 'PASS',
  isWhole: true,
  untrusted: 'NotVerifiedError',
  refused: 'submission_not_found',
}
