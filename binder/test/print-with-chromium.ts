import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'

const CHROMIUM = '/usr/bin/chromium'

/** The reason to skip tests that need Chromium, or false. */
export const noChromium: string | false = existsSync(CHROMIUM) ? false : `${CHROMIUM} is not installed`

export interface ChromiumLine {
  readonly text: string
  readonly weight: number
  readonly isJapanese: boolean
}

export interface Grid {
  readonly left: number
  /** Distance between lines. */
  readonly pitch: number
  readonly fontSize: number
}

/** Prints lines to PDF, with the font files of the binder. All measures are in points. */
export async function printWithChromium(lines: readonly ChromiumLine[], grid: Grid): Promise<Uint8Array> {
  const folder = await mkdtemp(path.join(tmpdir(), 'binder-'))
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--allow-file-access-from-files'],
  })
  try {
    const file = path.join(folder, 'lines.html')
    await writeFile(file, pageOf(lines, grid))
    const page = await browser.newPage()
    await page.goto(pathToFileURL(file).href)
    await page.evaluate('document.fonts.ready')
    return await page.pdf({ format: 'A4' })
  } finally {
    await browser.close()
    await rm(folder, { recursive: true })
  }
}

const NARROW = ['Noto Sans', 'Noto Sans Hebrew', 'Noto Sans Arabic', 'Noto Sans Thai', 'Noto Emoji']
const CHINESE = [...NARROW, 'Noto Sans SC', 'Noto Sans JP', 'Noto Sans KR']
const JAPANESE = [...NARROW, 'Noto Sans JP', 'Noto Sans SC', 'Noto Sans KR']

function pageOf(lines: readonly ChromiumLine[], { left, pitch, fontSize }: Grid): string {
  const written = lines.map(({ text, weight, isJapanese }, at) => {
    const families = (isJapanese ? JAPANESE : CHINESE).map((name) => `'${name} Variable'`).join(', ')
    const font = `${weight} ${fontSize}pt/${pitch}pt ${families}`
    return `<p dir="auto" style="top: ${at * pitch}pt; font: ${font}">${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</p>`
  })
  return `<!doctype html><meta charset="utf-8"><style>
    ${CHINESE.map(importOf).join('\n')}
    @page { margin: 0 }
    p { position: absolute; left: ${left}pt; margin: 0; white-space: pre }
  </style>${written.join('\n')}`
}

function importOf(family: string): string {
  const name = family.toLowerCase().replaceAll(' ', '-')
  return `@import url("${import.meta.resolve(`@fontsource-variable/${name}/wght.css`)}");`
}
