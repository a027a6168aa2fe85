// `node kit/embed/build.ts` writes verifier.html, the verifier in every kit. A test checks that it is up to date.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'
import { BOUNDARY } from '../src/contract.ts'

export const BUILT_PAGE = path.join(import.meta.dirname, 'verifier.html')

export interface BuiltPage {
  readonly html: string
  /** The script's source files, relative to kit/. */
  readonly sources: readonly string[]
}

/** One page with inline script and style, and a Content-Security-Policy that allows only these, by hash. */
export async function buildVerifierPage(): Promise<BuiltPage> {
  const script = await bundle('embed/page.ts')
  const style = await bundle('embed/page.css')
  const parts: Readonly<Record<string, string>> = {
    POLICY: policy(script.text, style.text),
    STYLE: `<style>${style.text}</style>`,
    BOUNDARY,
    SCRIPT: `<script>${script.text}</script>`,
  }
  const template = readFileSync(path.join(import.meta.dirname, 'page.html'), 'utf8')
  const html = template
    .replaceAll(/<!-- .*? -->\s*/g, '')
    .replaceAll(/\n\s+/g, '\n')
    .replaceAll(/%([A-Z]+)%/g, (_, name: string) => parts[name] ?? '')
  return { html, sources: script.sources }
}

/** Exposes verification as `globalThis.kitseal`, to run the vectors in a browser. Not shipped. */
export async function bundleForTests(): Promise<string> {
  return (await bundle('embed/for-tests.ts')).text
}

interface Bundle {
  readonly text: string
  readonly sources: readonly string[]
}

async function bundle(entry: string): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: path.dirname(import.meta.dirname),
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'silent',
  })
  return { text: outputFiles[0]?.text.trim() ?? '', sources: Object.keys(metafile.inputs).toSorted() }
}

/** Trusted types keep content of a kit from becoming markup or script. The only exception is the page's own worker. */
function policy(script: string, style: string): string {
  return [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    'worker-src blob:',
    "connect-src 'none'",
    "img-src 'none'",
    "form-action 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types kitseal',
  ].join('; ')
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

if (import.meta.main) {
  const { html } = await buildVerifierPage()
  writeFileSync(BUILT_PAGE, html)
  console.log(`kit/embed/verifier.html: ${Buffer.byteLength(html)} bytes`)
}
