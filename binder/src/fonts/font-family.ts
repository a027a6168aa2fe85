import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** The families by name, each read once: it is the same for every weight. */
export type FontFamilies = (name: string) => Promise<FontFamily>

export function fontFamilies(): FontFamilies {
  const families = new Map<string, Promise<FontFamily>>()
  return (name) => {
    const known = families.get(name)
    if (known !== undefined) return known
    const reading = fontFamily(name)
    families.set(name, reading)
    reading.catch(() => families.delete(name))
    return reading
  }
}

// These families repeat Latin letters and symbols of Noto Sans. Only the subset of their own script is used.
const ONE_SCRIPT = /^noto-sans-(arabic|hebrew|thai)$/

type Range = readonly [from: number, to: number]

/** A font family is split into many files by character range, so that only the needed ones are read. */
export type FontFamily = Awaited<ReturnType<typeof fontFamily>>

/** @param name the package under `@fontsource-variable`, also the prefix of its files */
async function fontFamily(name: string) {
  const folder = `@fontsource-variable/${name}`
  const rangesOf: Record<string, string> = JSON.parse(
    await readFile(fileURLToPath(import.meta.resolve(`${folder}/unicode.json`)), 'utf8'),
  )
  const script = ONE_SCRIPT.exec(name)?.[1]
  const files = new Map<number, string>()
  const rangesOfFile = new Map<string, readonly Range[]>()
  for (const [subset, covered] of Object.entries(rangesOf)) {
    if (script !== undefined && subset !== script) continue
    const file = `${folder}/files/${name}-${subset.replaceAll(/[[\]]/g, '')}-wght-normal.woff2`
    const ranges = covered.split(',').map(rangeOf)
    rangesOfFile.set(file, ranges)
    for (const [from, to] of ranges) {
      for (let codePoint = from; codePoint <= to; codePoint++) files.set(codePoint, file)
    }
  }
  return {
    fileOf: (codePoint: number): string | undefined => files.get(codePoint),
    /** The files that cover every character of a sequence. */
    filesOf: (sequence: string): readonly string[] =>
      [...rangesOfFile].flatMap(([file, ranges]) => (coversAll(ranges, sequence) ? [file] : [])),
  }
}

/** `U+2000-206F` or `U+20AC`. */
function rangeOf(text: string): Range {
  const [from = '', to = from] = text.trim().slice(2).split('-')
  return [Number.parseInt(from, 16), Number.parseInt(to, 16)]
}

const coversAll = (ranges: readonly Range[], sequence: string): boolean =>
  [...sequence].every((character) => {
    const codePoint = character.codePointAt(0) ?? 0
    return ranges.some(([from, to]) => from <= codePoint && codePoint <= to)
  })
