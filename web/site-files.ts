import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'vite'
import { pageTexts } from './page-texts.ts'

const STYLES = ['parts/tokens.css', 'parts/frame.css', 'parts/parts.css', 'site.css']

/** What the pages need that the service writes itself: one stylesheet, and the texts of each language. */
export function siteFiles(): Plugin {
  const texts = path.join(import.meta.dirname, '../texts')
  return {
    name: 'site-files',
    applyToEnvironment: ({ name }) => name === 'public',
    generateBundle() {
      const styles = STYLES.map((name) => readFileSync(path.join(import.meta.dirname, 'src', name), 'utf8'))
      this.emitFile({ type: 'asset', fileName: 'assets/site.css', source: styles.join('\n') })
      for (const language of globSync('*/', { cwd: texts }).map((folder) => path.basename(folder)))
        this.emitFile({
          type: 'asset',
          fileName: `site-${language}.json`,
          source: JSON.stringify(pageTexts('site', language)),
        })
    },
  }
}
