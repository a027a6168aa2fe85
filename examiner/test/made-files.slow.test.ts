// Files that installed programs make: honest ones are accepted, hostile ones block.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { scratchFolder } from '../../cli/src/scratch-folder.ts'
import { checkFiles, type CheckResult } from '../node/index.ts'
import { fileSource, nodeHost } from '../../kit/node/internal.ts'
import { needs } from '../../test/kit/needs.ts'

const folder = mkdtempSync(join(tmpdir(), 'kitseal-made-'))
after(() => rmSync(folder, { recursive: true }))

async function check(set: string, name: string): Promise<CheckResult> {
  using scratch = scratchFolder()
  using source = fileSource(join(folder, set, name))
  const platform = { host: nodeHost, store: scratch.store }
  return await checkFiles(platform, { files: [{ name, source }], now: '2026-06-30T12:00:00.000Z' })
}

test(
  'files that programs make are accepted; programs, keys, bombs, macros and paths that lead outside block',
  needs('python3'),
  async () => {
    execFileSync('python3', [join(import.meta.dirname, 'make-files.py'), folder])
    const wrong: string[] = []
    for (const name of readdirSync(join(folder, 'honest'))) {
      const { blockers } = await check('honest', name)
      for (const { code, message } of blockers) wrong.push(`${name} is refused: ${code}, ${message}`)
    }
    for (const name of readdirSync(join(folder, 'hostile'))) {
      const { blockers } = await check('hostile', name)
      if (blockers.length === 0) wrong.push(`${name} is accepted`)
    }
    assert.deepEqual(wrong, [])
  },
)
