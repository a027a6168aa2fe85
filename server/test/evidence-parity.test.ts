import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { webHost } from '@kitseal/kit'
import { nodeHost } from '@kitseal/kit/node'
import { checkFiles, memoryPlatform, type Platform } from '@kitseal/examiner'
import { scratchFolder } from '../../cli/src/scratch-folder.ts'
import { bytesOf } from '../../examiner/test/evidence-samples.ts'
import { evidenceStore, NOW } from './evidence-store.ts'
import { parityFiles, policy, trust } from './parity-files.ts'

let store: Awaited<ReturnType<typeof evidenceStore>>
before(async () => {
  store = await evidenceStore()
})
after(() => store[Symbol.asyncDispose]())

test('command line, browser and service find the same in the same files', async () => {
  const given = await parityFiles()
  const service = await store.examine(given, { trust, policy })
  assert.ok(service.findings.length > 15)
  using scratch = scratchFolder()
  const platforms: Readonly<Record<string, Platform>> = {
    'command line': { host: nodeHost, store: scratch.store },
    browser: memoryPlatform(webHost),
  }
  for (const [name, platform] of Object.entries(platforms)) {
    const order = Object.entries(given).map(([path, content]) => {
      const bytes = typeof content === 'string' ? bytesOf(content) : content
      return {
        name: path,
        source: { sizeBytes: bytes.length, read: (at: number, n: number) => bytes.subarray(at, at + n) },
      }
    })
    const { findings } = await checkFiles(platform, { files: order, now: NOW, trust, policy })
    assert.deepEqual(findings, service.findings, name)
  }
})
