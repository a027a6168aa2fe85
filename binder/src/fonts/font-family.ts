import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** A font family is split into many files by character range, so that only the needed ones are read. */
export interface FontFamily {
  fileOf(codePoint: number): string | undefined
}

const indexes = new Map<string, Promise<FontFamily>>()

/** Cached for the process; it is the same for every weight. */
export function familyIndex(name: string): Promise<FontFamily> {
  const known = indexes.get(name)
  if (known !== undefined) return known
  const reading = fontFamily(name)
  indexes.set(name, reading)
  reading.catch(() => indexes.delete(name))
  return reading
}

/** @param name the package under `@fontsource-variable`, also the prefix of its files */
async function fontFamily(name: string): Promise<FontFamily> {
  const folder = `@fontsource-variable/${name}`
  const ranges: Record<string, string> = JSON.parse(
    await readFile(fileURLToPath(import.meta.resolve(`${folder}/unicode.json`)), 'utf8'),
  )
  const files = new Map<number, string>()
  for (const [subset, covered] of Object.entries(ranges)) {
    const file = `${folder}/files/${name}-${subset.replaceAll(/[[\]]/g, '')}-wght-normal.woff2`
    for (const [from, to] of covered.split(',').map(rangeOf)) {
      for (let codePoint = from; codePoint <= to; codePoint++) files.set(codePoint, file)
    }
  }
  return { fileOf: (codePoint) => files.get(codePoint) }
}

/** `U+2000-206F` or `U+20AC`. */
function rangeOf(text: string): readonly [from: number, to: number] {
  const [from = '', to = from] = text.trim().slice(2).split('-')
  return [Number.parseInt(from, 16), Number.parseInt(to, 16)]
}
