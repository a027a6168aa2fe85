import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { launchBrowser, openPage } from '../../../kit/embed/test/browser.ts'
import { VECTORS_FOLDER } from '../../../spec/stored-vectors.ts'
import type { Vector, Result } from '../../../spec/vector.ts'

type RunInBrowser = (
  vectors: readonly Vector[],
  files: Readonly<Record<string, string>>,
) => Promise<Readonly<Record<string, Result | string>>>

const JWKS = 'keys/issuer.json'
const NONE: Result = {
  status: 'FAIL',
  verdict: 'unreadable',
  manifest_hash_valid: false,
  artifact_hashes_valid: false,
  receipt_canonical_hash_valid: false,
  ed25519_signature_valid: false,
  kid_matched: false,
  codes: [],
  signer: 'none',
}

/** The result of verifying each kit in Chromium, by name. An exception is returned as text. */
export async function verifyInChromium(
  kits: ReadonlyMap<string, Uint8Array>,
): Promise<Readonly<Record<string, Result | string>>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'kitseal-hostile-'))
  const page = path.join(folder, 'page.html')
  writeFileSync(page, `<!doctype html><meta charset="utf-8"><script>${await script()}</script>`)
  const files: Record<string, string> = { [JWKS]: readFileSync(path.join(VECTORS_FOLDER, JWKS), 'base64') }
  for (const [name, bytes] of kits) files[name] = Buffer.from(bytes).toString('base64')
  const vectors = [...kits.keys()].map((name): Vector => ({
    name,
    group: 'malformed',
    file: name,
    kind: 'kit',
    trust: { jwks: [JWKS] },
    expected: NONE,
  }))
  const browser = await launchBrowser()
  try {
    await using opened = await openPage(browser, pathToFileURL(page).href)
    return await opened.page.evaluate(
      ([all, contents]) =>
        (globalThis as unknown as { runInBrowser: RunInBrowser }).runInBrowser(all, contents),
      [vectors, files] as const,
    )
  } finally {
    await browser.close()
    rmSync(folder, { recursive: true })
  }
}

async function script(): Promise<string> {
  const entry = path.join(import.meta.dirname, '../../../spec/run-in-browser.ts')
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    logLevel: 'silent',
  })
  return outputFiles[0]?.text.replaceAll('</script', '<\\/script') ?? ''
}
