import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

const SCRIPT = 'export const response = 42\n'.repeat(100)

/** A minimal set of built pages. */
export function samplePages(): { readonly folder: string } & Disposable {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-pages-'))
  mkdirSync(join(folder, 'assets'))
  for (const name of ['verify', 'console', 'share', 'request'])
    writeFileSync(join(folder, `${name}.html`), `<p>${name}</p>`)
  writeFileSync(join(folder, 'favicon.svg'), '<svg/>')
  writeFileSync(join(folder, 'assets/site.css'), 'body {}')
  for (const language of ['en', 'de'])
    writeFileSync(
      join(folder, `site-${language}.json`),
      JSON.stringify({ 'home.heading': `home ${language}`, 'notFound.title': `not found ${language}` }),
    )
  writeFileSync(join(folder, 'assets/app-Ab12.js'), SCRIPT)
  writeFileSync(join(folder, 'assets/app-Ab12.js.br'), brotliCompressSync(SCRIPT))
  writeFileSync(join(folder, 'assets/app-Ab12.js.gz'), gzipSync(SCRIPT))
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}
