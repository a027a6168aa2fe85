import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

/** A release is compressed as well as possible, which takes thirty times as long. */
const QUALITY: Readonly<Record<string, number>> = { release: 11 }
const QUICK_QUALITY = 7
const WORTH_IT_BYTES = 1024

/** Writes NAME.br and NAME.gz beside each text file. */
export function compressed(mode: string): Plugin {
  const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY[mode] ?? QUICK_QUALITY }
  return {
    name: 'compressed',
    writeBundle: ({ dir = '' }) => {
      const files = globSync(`${dir}/**/*.{html,js,css,svg,json,wasm}`)
      for (const file of files.filter((each) => statSync(each).size >= WORTH_IT_BYTES)) {
        const content = readFileSync(file)
        writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }))
        writeFileSync(`${file}.br`, brotliCompressSync(content, { params }))
      }
    },
  }
}
