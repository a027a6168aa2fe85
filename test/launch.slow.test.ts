import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { root } from './architecture/project.ts'

const NODE_PACKAGE = `node-${process.platform}-${process.arch}`
const PACKAGES = {
  'node_modules/fastify': { version: '5.0.0', integrity: 'sha512-a' },
  'node_modules/esbuild': { version: '0.1.0', integrity: 'sha512-b', dev: true },
  'node_modules/oxlint': { version: '1.0.0', integrity: 'sha512-c', dev: true },
}

test('in a fresh clone, packages are installed and the step runs under Node 24 with its arguments', async (t) => {
  const clone = freshClone(t)
  const { stdout, code } = await clone.run('launch', ['start', '--port', '1'], { oldNode: true })
  assert.equal(stdout, `${process.version} serve --port 1\n`)
  assert.equal(code, 3, 'the exit code is passed on')
  assert.deepEqual(clone.installs(), ['ci start'])
})

test('npm start installs what it builds with, and the next npm test the other tools', async (t) => {
  const clone = freshClone(t)
  mkdirSync(path.join(clone.folder, 'trials'))
  writeFileSync(path.join(clone.folder, 'trials/fuzz.ts'), '')
  const has = (name: string) => existsSync(path.join(clone.folder, 'node_modules', name))
  await clone.run('launch', ['start'])
  assert.deepEqual(['fastify', 'esbuild', 'oxlint'].map(has), [true, true, false])
  assert.ok(!existsSync(path.join(clone.folder, '.cache/start-install')), 'nothing is left behind')
  for (const step of ['fuzz', 'start', 'fuzz']) await clone.run('launch', [step])
  assert.deepEqual(['fastify', 'esbuild', 'oxlint'].map(has), [true, true, true])
  assert.deepEqual(clone.installs(), ['ci start', 'ci'])
})

test('npm start in a fresh clone runs no install script', async (t) => {
  const clone = freshClone(t)
  await clone.run('launch', ['start'])
  const options = () => readFileSync(path.join(clone.folder, 'options'), 'utf8').trim().split('\n')
  assert.deepEqual(
    options().map((line) => line.includes(' --ignore-scripts')),
    [true],
  )
  const { code } = await clone.run('launch', ['start'], { env: { KITSEAL_PKCS11_MODULE: '/lib/token.so' } })
  assert.equal(code, 3)
  assert.deepEqual(
    options().map((line) => line.includes(' --ignore-scripts')),
    [true, false],
    'the module for hardware tokens is compiled',
  )
})

test('npm start under Node 24 installs no other Node, and under an older one it does', async (t) => {
  const clone = freshClone(t)
  const hasNode = () => existsSync(path.join(clone.folder, 'node_modules', NODE_PACKAGE))
  assert.equal((await clone.run('launch', ['start'])).code, 3)
  assert.equal(hasNode(), false)
  assert.equal((await clone.run('launch', ['start'], { oldNode: true })).code, 3)
  assert.equal(hasNode(), true)
  assert.deepEqual(clone.installs(), ['ci start', 'ci'])
})

test('npm start installs everything for a service with a hardware token', async (t) => {
  const clone = freshClone(t)
  await clone.run('launch', ['start'], { env: { KITSEAL_PKCS11_MODULE: '/lib/token.so' } })
  assert.deepEqual(clone.installs(), ['ci'])
})

test('an install that fails with cached metadata is repeated with fresh metadata', async (t) => {
  const clone = freshClone(t)
  const { code } = await clone.run('launch', ['start'], { env: { OLD_CACHE: '1' } })
  assert.equal(code, 3)
  assert.deepEqual(clone.installs(), ['ci start fresh'])
})

test('a complete node_modules is not installed again', async (t) => {
  const clone = freshClone(t)
  await clone.run('launch', ['start'])
  const second = await clone.run('launch', ['start'])
  assert.equal(second.stderr, '')
  assert.deepEqual(clone.installs(), ['ci start'])
})

for (const [what, damage] of [
  [
    'a deleted package',
    (folder: string) => rmSync(path.join(folder, 'node_modules/fastify'), { recursive: true }),
  ],
  [
    'a deleted node_modules',
    (folder: string) => rmSync(path.join(folder, 'node_modules'), { recursive: true }),
  ],
  [
    'a changed lock file',
    (folder: string) => writeLock(folder, { ...PACKAGES, 'node_modules/fastify': { version: '5.0.1' } }),
  ],
  [
    'a changed lock file of a package to build with',
    (folder: string) =>
      writeLock(folder, { ...PACKAGES, 'node_modules/esbuild': { version: '0.2.0', dev: true } }),
  ],
] as const) {
  test(`${what} makes the next run install again`, async (t) => {
    const clone = freshClone(t)
    await clone.run('launch', ['start'])
    damage(clone.folder)
    await clone.run('launch', ['start'])
    await clone.run('launch', ['start'])
    const repeated = what === 'a deleted node_modules' ? 'ci start' : 'ci'
    assert.deepEqual(clone.installs(), ['ci start', repeated])
  })
}

for (const { name, file } of stepsOf(readFileSync(path.join(root, 'scripts/launch.cjs'), 'utf8'))) {
  test(`npm run ${name}: under Node 24, ${file} runs as the main module with its arguments`, async (t) => {
    const clone = freshClone(t)
    mkdirSync(path.dirname(path.join(clone.folder, file)), { recursive: true })
    writeFileSync(
      path.join(clone.folder, file),
      'console.log(import.meta.main, process.argv.slice(2).join())',
    )
    const { stdout } = await clone.run('launch', [name, 'a', 'b'])
    assert.equal(stdout, 'true a,b\n')
  })
}

test('two concurrent runs install once', async (t) => {
  const clone = freshClone(t)
  const gate = clone.holdInstalls()
  const runs = [clone.start('launch', ['start']), clone.start('launch', ['start'])]
  await Promise.any(runs.map((run) => run.prints(/waiting for it/)))
  gate.open()
  const ends = await Promise.all(runs.map((run) => run.end))
  assert.deepEqual(
    ends.map(({ code }) => code),
    [3, 3],
  )
  assert.deepEqual(clone.installs(), ['ci start'])
})

test('the lock of a killed install does not block the next one', async (t) => {
  const clone = freshClone(t)
  const dead = spawn(process.execPath, ['-e', '0'])
  await once(dead, 'exit')
  mkdirSync(path.join(clone.folder, '.cache'))
  writeFileSync(path.join(clone.folder, '.cache/install.lock'), String(dead.pid))
  const { code } = await clone.run('launch', ['start'])
  assert.equal(code, 3)
})

test('a failed install is reported and the step does not run', async (t) => {
  const clone = freshClone(t)
  const { code, stdout, stderr } = await clone.run('launch', ['start'], { env: { BROKEN_REGISTRY: '1' } })
  assert.equal(code, 2)
  assert.equal(stdout, '')
  assert.match(stderr, /registry is down\n.*npm ci failed \(1\)/s)
})

for (const launcher of ['launch', 'kitseal'] as const) {
  test(`${launcher}: without Node 24 for this platform, the error says how to get it`, async (t) => {
    const clone = freshClone(t)
    const { code, stderr } = await clone.run(launcher, ['start'], { oldNode: true, platform: 'darwin' })
    assert.equal(code, 2)
    assert.match(
      stderr,
      /^kitseal needs Node 24 or newer\. This is Node 20\.1\.0 on darwin-\w+\. Install Node 24 and try again\.\n$/,
    )
    assert.deepEqual(clone.installs(), [])
  })

  test(`${launcher}: SIGTERM is forwarded to the process under Node 24`, async (t) => {
    const clone = freshClone(t)
    await clone.run('launch', ['start'], { oldNode: true })
    const run = clone.start(launcher, launcher === 'launch' ? ['start', 'stay'] : ['stay'], { oldNode: true })
    await run.prints(/stay/)
    run.kill('SIGTERM')
    assert.equal((await run.end).code, 4)
  })
}

for (const launcher of ['launch', 'kitseal'] as const)
  test(`${launcher}: KITSEAL_NODE names the Node that runs it, and a wrong one is a plain error`, async (t) => {
    const clone = freshClone(t)
    const script = (name: string, text: string): string => {
      const file = path.join(clone.folder, name)
      writeFileSync(file, `#!/bin/sh\n${text}\n`, { mode: 0o755 })
      return file
    }
    const run = (node: string, oldNode: boolean) =>
      clone.run(launcher, ['start', 'a'], { oldNode, env: { KITSEAL_NODE: node } })
    const own = script('own', `touch ${clone.folder}/used; exec ${process.execPath} "$@"`)
    for (const oldNode of [true, false]) {
      const { code, stdout } = await run(own, oldNode)
      assert.deepEqual(
        [code, stdout],
        [3, `${process.version} ${launcher === 'launch' ? 'serve' : 'start'} a\n`],
      )
      assert.ok(existsSync(path.join(clone.folder, 'used')))
      rmSync(path.join(clone.folder, 'used'))
    }
    assert.equal((await run(process.execPath, false)).code, 3, 'the one that is running already')
    const bundled = path.join(clone.folder, 'node_modules', NODE_PACKAGE)
    assert.ok(!existsSync(bundled), 'no other Node is installed')
    const installs = clone.installs()
    const problems = {
      [path.join(clone.folder, 'none')]:
        /^(kitseal: )?KITSEAL_NODE is \S+\/none, which cannot be run \(ENOENT\)\.\n$/,
      [script('old', 'echo v18.20.1')]:
        /KITSEAL_NODE is \S+\/old, which is v18\.20\.1, but Node 24 or newer is needed\.\n$/,
      [script('other', 'true')]:
        /KITSEAL_NODE is \S+\/other, which is no Node, but Node 24 or newer is needed\.\n$/,
    }
    for (const [node, problem] of Object.entries(problems)) {
      const { code, stdout, stderr } = await run(node, false)
      assert.deepEqual([code, stdout], [2, ''])
      assert.match(stderr, problem)
    }
    assert.deepEqual(clone.installs(), installs)
  })

test('kitseal: under an old Node without the bundled one, the error says how to install it', async (t) => {
  const { code, stderr } = await freshClone(t).run('kitseal', ['verify'], { oldNode: true })
  assert.equal(code, 2)
  assert.match(stderr, /Install Node 24, or run "npm ci --include=optional" to install the bundled one/)
})

test('kitseal: under an old Node, arguments and exit code pass through', async (t) => {
  const clone = freshClone(t)
  await clone.run('launch', ['start'], { oldNode: true })
  const { code, stdout } = await clone.run('kitseal', ['verify', 'kit.zip'], { oldNode: true })
  assert.deepEqual([code, stdout], [3, `${process.version} verify kit.zip\n`])
})

/** The launch steps that run a TypeScript file. */
function stepsOf(launcher: string): readonly { readonly name: string; readonly file: string }[] {
  const rows = launcher.matchAll(/^ {2}'?([\w:]+)'?: \['([\w/.-]+\.ts)'\],$/gm)
  const steps = [...rows].map(([, name = '', file = '']) => ({ name, file }))
  assert.ok(steps.length > 10, 'the steps are read from scripts/launch.cjs')
  return steps
}

interface Options {
  readonly oldNode?: boolean
  readonly platform?: string
  readonly env?: Readonly<Record<string, string>>
}

/** A folder with the real launchers, a command that prints its arguments, and a fake npm that logs its calls. */
function freshClone(t: TestContext) {
  const folder = mkdtempSync(path.join(tmpdir(), 'kitseal-launch-'))
  t.after(() => rmSync(folder, { recursive: true }))
  for (const part of ['scripts', 'cli/bin', 'cli/build.cjs']) {
    cpSync(path.join(root, part), path.join(folder, part), { recursive: true })
  }
  mkdirSync(path.join(folder, 'cli/src'))
  const devDependencies = { esbuild: '0.1.0', oxlint: '1.0.0' }
  const optionalDependencies = { [NODE_PACKAGE]: '24.0.0' }
  writeFileSync(
    path.join(folder, 'package.json'),
    JSON.stringify({ type: 'module', devDependencies, optionalDependencies }),
  )
  writeFileSync(path.join(folder, 'cli/src/main.ts'), COMMAND)
  writeFileSync(path.join(folder, 'npm.cjs'), NPM)
  writeLock(folder, PACKAGES)
  const trace = path.join(folder, 'installs')
  const start = (launcher: 'launch' | 'kitseal', args: readonly string[], options: Options = {}) =>
    startIn(folder, [launcher === 'launch' ? 'scripts/launch.cjs' : 'cli/bin/kitseal.cjs', ...args], options)
  return {
    folder,
    start,
    run: (...call: Parameters<typeof start>) => start(...call).end,
    installs: () => (existsSync(trace) ? readFileSync(trace, 'utf8').trim().split('\n') : []),
    holdInstalls() {
      const hold = path.join(folder, 'hold')
      writeFileSync(hold, '')
      return { open: () => rmSync(hold) }
    },
  }
}

function writeLock(folder: string, packages: object): void {
  const all = {
    '': {},
    ...packages,
    [`node_modules/${NODE_PACKAGE}`]: {
      version: '24.0.0',
      optional: true,
      os: [process.platform],
      cpu: [process.arch],
    },
    'node_modules/pkcs11js': { version: '2.0.0', optional: true },
  }
  writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify({ packages: all }))
  const fixture = path.join(folder, 'bundled')
  if (!existsSync(fixture)) symlinkSync(process.execPath, fixture)
}

function startIn(folder: string, args: readonly string[], { oldNode, platform, env }: Options) {
  const disguise = path.join(folder, 'disguise.cjs')
  writeFileSync(
    disguise,
    `Object.defineProperty(process, 'versions', { value: { node: '20.1.0' } })
     Object.defineProperty(process, 'platform', { value: '${platform ?? process.platform}' })`,
  )
  const child = spawn(process.execPath, [...(oldNode === true ? ['-r', disguise] : []), ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], npm_execpath: path.join(folder, 'npm.cjs'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      output[stream] += text
      child.emit('output')
    })
  }
  return {
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    end: once(child, 'close').then(([code]) => ({ code: code as number | null, ...output })),
    prints: async (pattern: RegExp) => {
      while (!pattern.test(output.stdout + output.stderr)) await once(child, 'output')
    },
  }
}

const COMMAND = `
export async function main(argv: readonly string[]): Promise<number> {
  const alive = setInterval(() => {}, 1000)
  const terminated = new Promise<number>((resolve) => process.on('SIGTERM', () => resolve(4)))
  console.log(process.version, argv.join(' '))
  const code = argv.includes('stay') ? await terminated : 3
  clearInterval(alive)
  return code
}
`

// Stands in for `npm ci`: creates the packages that package-lock.json lists, without the development tools that
// package.json does not list. Logs its command, and `start` if it installs for `npm start`.
const NPM = `
const fs = require('fs')
const at = (name) => require('path').join(__dirname, name)
if (process.env.BROKEN_REGISTRY) { console.error('registry is down'); process.exit(1) }
const cached = process.argv.includes('--prefer-offline')
fs.appendFileSync(at('options'), process.argv.slice(2).join(' ') + '\\n')
if (process.env.OLD_CACHE && cached) process.exit(1)
fs.appendFileSync(at('installs'), process.argv[2] + (process.cwd() === __dirname ? '' : ' start') + (cached ? '' : ' fresh') + '\\n')
while (fs.existsSync(at('hold'))) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
fs.rmSync('node_modules', { recursive: true, force: true })
const { devDependencies = {}, optionalDependencies } = JSON.parse(fs.readFileSync('package.json', 'utf8'))
const { packages } = JSON.parse(fs.readFileSync('package-lock.json', 'utf8'))
delete packages['node_modules/pkcs11js']
for (const key of Object.keys(packages).filter((key) => key !== '')) {
  const name = key.replace('node_modules/', '')
  const isLeftOut = packages[key].dev ? !devDependencies[name] : packages[key].optional && !optionalDependencies[name]
  if (isLeftOut) { delete packages[key]; continue }
  fs.mkdirSync(key + '/bin', { recursive: true })
  fs.writeFileSync(key + '/package.json', '{}')
}
if (optionalDependencies['${NODE_PACKAGE}'])
  fs.symlinkSync(fs.readlinkSync(at('bundled')), 'node_modules/${NODE_PACKAGE}/bin/node')
fs.writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages }))
`
