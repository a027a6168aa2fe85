import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { launchBrowser, noBrowser, openPage } from '../kit/embed/test/browser.ts'
import { vectorFiles, vectors, VECTORS_FOLDER, wrongResults } from './stored-vectors.ts'
import type { Vector } from './vector.ts'

type RunInBrowser = (
  vectors: readonly Vector[],
  files: Record<string, string>,
) => Promise<Record<string, unknown>>

test(
  'every vector gives its expected result in Chromium, on a page loaded from a file',
  { skip: noBrowser },
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'kitseal-vectors-'))
    const page = path.join(folder, 'page.html')
    writeFileSync(page, `<!doctype html><meta charset="utf-8"><script>${await script()}</script>`)
    const files = Object.fromEntries(
      vectorFiles().map((file) => [file, readFileSync(path.join(VECTORS_FOLDER, file), 'base64')]),
    )
    const browser = await launchBrowser()
    try {
      await using opened = await openPage(browser, pathToFileURL(page).href)
      const results = await opened.page.evaluate(
        ([all, contents]) =>
          (globalThis as unknown as { runInBrowser: RunInBrowser }).runInBrowser(all, contents),
        [vectors, files] as const,
      )
      assert.equal(Object.keys(results).length, vectors.length)
      assert.deepEqual(wrongResults(results), [])
      assert.deepEqual(opened.problems, [])
    } finally {
      await browser.close()
      rmSync(folder, { recursive: true })
    }
  },
)

async function script(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path.join(import.meta.dirname, 'run-in-browser.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    logLevel: 'silent',
  })
  return outputFiles[0]?.text.replaceAll('</script', '<\\/script') ?? ''
}
