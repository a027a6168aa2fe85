import { spawn } from 'node:child_process'
import { readFileSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import assert from 'node:assert/strict'
import type { Service } from '../../server/src/index.ts'
import { testService } from '../../test/kit/service.ts'

export const root = path.resolve(import.meta.dirname, '../..')
export const PAGES = ['python/README.md', 'docs/how-to/use-it-from-python.md']

type Environment = Readonly<Record<string, string>>

export interface PythonService extends AsyncDisposable {
  /** What the tests and examples read. */
  readonly env: Environment
  signer(): ReturnType<Service['signingKeys']['activeSigner']>
}

/** A service for programs in Python. */
export async function startForPython(): Promise<PythonService> {
  const started = await testService()
  return {
    env: {
      KITSEAL_URL: started.base,
      KITSEAL_API_KEY: started.service.firstApiKey ?? '',
      ISSUER_KID: (await started.service.signingKeys.activeSigner()).kid,
      SAMPLE_KIT: path.join(root, 'spec/sample/kit.zip'),
      WEBHOOK_SECRET: `whsec_${Buffer.alloc(24).toString('base64')}`,
    },
    signer: () => started.service.signingKeys.activeSigner(),
    [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
  }
}

/** Runs Python with every warning as an error, and returns its output. Fails also for errors in destructors. */
export async function runPython(
  python: string,
  args: readonly string[],
  env: Environment,
  cwd: string,
): Promise<string> {
  const child = spawn(python, ['-B', '-W', 'error', ...args], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  const [code, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  assert.equal(code, 0, `${python} ${args.join(' ')}\n${stdout}${stderr}`)
  assert.doesNotMatch(stderr, /ResourceWarning|Exception ignored/, stderr)
  return `${stdout}${stderr}`
}

/** Runs the examples of a page, top to bottom, in a folder with evidence. */
export function runPage(page: string, python: string, env: Environment, folder: string): Promise<string> {
  const markdown = readFileSync(path.join(root, page), 'utf8')
  const blocks = Array.from(markdown.matchAll(/^```python\n(.*?)^```$/gms), ([, code = '']) => code)
  assert.ok(blocks.length > 2)
  const place = path.join(folder, page.replaceAll('/', '-'))
  mkdirSync(path.join(place, 'my-evidence'), { recursive: true })
  writeFileSync(path.join(place, 'my-evidence/access-review.csv'), 'account,decision\na,remove\n')
  writeFileSync(path.join(place, 'page.py'), blocks.join('\n'))
  return runPython(python, ['page.py'], env, place)
}
