// The worker that checks evidence in the console, in Chromium, against the service.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { DEFAULT_LIMITS } from '../src/limits.ts'
import { launchBrowser, noBrowser, openPage } from '../../kit/embed/test/browser.ts'
import { evidenceStore, NOW } from '../../server/test/evidence-store.ts'
import { parityFiles, policy, trust } from '../../server/test/parity-files.ts'
import type { CheckOrder, CheckReply } from '../../web/src/upload/check-worker.ts'

const WORKER = path.join(import.meta.dirname, '../../web/src/upload/check-worker.ts')
const { entries, unpackedBytes, ratio } = DEFAULT_LIMITS
const order: CheckOrder = {
  limits: { entries, unpackedBytes, ratio },
  profile: undefined,
  now: NOW,
  trust,
  policy,
}

async function workerScript(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [WORKER],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    logLevel: 'silent',
  })
  return outputFiles[0]?.text ?? ''
}

/** Runs in the page. */
async function checkOnPage([script, files, orders]: readonly [
  string,
  Readonly<Record<string, string>>,
  readonly CheckOrder[],
]): Promise<readonly CheckReply[]> {
  const address = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }))
  const chosen = Object.entries(files).map(([name, base64]) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    return { name, file: new File([bytes], name) }
  })
  const check = (one: CheckOrder): Promise<CheckReply> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(address)
      worker.addEventListener('error', (event) => reject(new Error(event.message)))
      worker.addEventListener('message', ({ data }: MessageEvent<CheckReply>) => {
        if (data.is !== 'progress') resolve(data)
      })
      worker.postMessage({ is: 'files', files: chosen })
      worker.postMessage({ is: 'check', ...one })
    })
  const replies: CheckReply[] = []
  for (const one of orders) replies.push(await check(one))
  return replies
}

test('Chromium and the service find the same in the same files', { skip: noBrowser }, async () => {
  await using store = await evidenceStore()
  const given = await parityFiles()
  const service = await store.examine(given, { trust, policy })
  const contents = Object.fromEntries(
    Object.entries(given).map(([name, content]) => [name, Buffer.from(content).toString('base64')]),
  )
  const folder = mkdtempSync(path.join(tmpdir(), 'kitseal-parity-'))
  const file = path.join(folder, 'page.html')
  writeFileSync(file, '<!doctype html><meta charset="utf-8">')
  const browser = await launchBrowser()
  try {
    await using opened = await openPage(browser, pathToFileURL(file).href)
    const withoutPolicy = { ...order, policy: undefined }
    const [same, other] = await opened.page.evaluate(checkOnPage, [
      await workerScript(),
      contents,
      [order, withoutPolicy],
    ] as const)
    assert.ok(service.findings.length > 15)
    assert.deepEqual(same, { is: 'done', findings: JSON.parse(JSON.stringify(service.findings)), items: [] })
    // Without the policy of the plan, a finding has another class: a difference shows.
    assert.notDeepEqual(other, same)
  } finally {
    await browser.close()
    rmSync(folder, { recursive: true })
  }
})
