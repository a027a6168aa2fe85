// `node kit/embed/build.ts` writes verifier.html, the verifier in every kit. A test checks that it is up to date.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { build } from 'esbuild'
import { BOUNDARY } from '../src/receipt.ts'
import english from '../../texts/en/page.json' with { type: 'json' }
import { LANGUAGES } from '../src/languages.ts'

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
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => markup(english[`page.${name}` as keyof typeof english]))
    .replaceAll(/%([A-Z]+)%/g, (_, name: string) => parts[name] ?? '')
  return { html, sources: script.sources }
}

/** `*bold*` and `` `code` ``, as page-language.ts shows them. */
const markup = (text: string): string =>
  text.replaceAll(/\*([^*]+)\*/g, '<b>$1</b>').replaceAll(/`([^`]+)`/g, '<code>$1</code>')

/** Exposes verification as `globalThis.kitseal`, to run the vectors in a browser. Not shipped. */
export async function bundleForTests(): Promise<string> {
  return (await bundle('embed/test/for-tests.ts')).text
}

/** Every language but English, whose messages are in the script and in the markup. */
function translations(): object {
  const page = Object.keys(english)
  const keys = [...Object.keys(messagesOf('en', 'verifier')), ...page]
  const others = Object.keys(LANGUAGES).filter((language) => language !== 'en')
  const translated = others.map((language) => {
    const messages = { ...messagesOf(language, 'verifier'), ...messagesOf(language, 'page') }
    return [language, keys.map((key) => messages[key] ?? null)] as const
  })
  return { page, ...Object.fromEntries(translated) }
}

function messagesOf(language: string, name: string): Readonly<Record<string, string>> {
  const file = path.join(import.meta.dirname, `../../texts/${language}/${name}.json`)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}

/** Compressors differ between machines, so what the committed page has is kept while the texts are the same. */
function packedTranslations(): string {
  const texts = JSON.stringify(translations())
  const [, committed = ''] = /"([A-Za-z0-9+/]{8000,}={0,2})"/.exec(readFileSync(BUILT_PAGE, 'utf8')) ?? []
  if (committed !== '' && inflateRawSync(Buffer.from(committed, 'base64')).toString() === texts)
    return committed
  return deflateRawSync(texts, { level: 9 }).toString('base64')
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
    define: { PACKED_TRANSLATIONS: JSON.stringify(packedTranslations()) },
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
