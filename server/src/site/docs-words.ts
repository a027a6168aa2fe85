/** A word of a text: as it was written, where, and as search compares it. */
export interface Word {
  readonly written: string
  readonly at: number
  readonly stem: string
}

/** Names such as `KITSEAL_ISSUER` and `credits_exhausted` are one word. */
const WORD = /[\p{L}\p{N}]+(?:_[\p{L}\p{N}]+)*/gu

export const wordsOf = (text: string): readonly Word[] =>
  Array.from(text.matchAll(WORD), ({ 0: written, index }) => ({ written, at: index, stem: stemOf(written) }))

/** What is left of an English word without its ending: verify, verifies, verified and verifying are one. */
export function stemOf(word: string): string {
  const lower = word.toLowerCase()
  if (lower.length < 4 || lower.includes('_')) return lower
  const singular = lower.replace(/(?<=[sxz]|ch|sh)es$|(?<![su])s$/, '')
  const root = singular.replace(/(?<=[aeiouy].+)(?:ing|ed|ion)$/, '')
  return root
    .replace(/(?<=.{3})e$/, '')
    .replace(/([b-df-hj-km-rtv-z])\1$/, '$1')
    .replace(/(?<=.{3})y$/, 'i')
}

/** Stems between spaces, so that `includes` finds words and phrases. The parts of a name follow it. */
export const searchable = (text: string): string =>
  ` ${wordsOf(text)
    .map(({ written, stem }) =>
      `${stem} ${written.includes('_') ? written.split('_').map(stemOf).join(' ') : ''}`.trim(),
    )
    .join(' ')} `

/** How many letters are left out, added, replaced or swapped from one to the other; more than `most` is Infinity. */
export function distance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most || differingLetters(a, b) > 2 * most) return Infinity
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwap ? (before[j - 2] ?? 0) + 1 : Infinity
      row[j] = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, replaced, swapped)
    }
    before = last
    last = row
  }
  const letters = last[b.length] ?? 0
  return letters > most ? Infinity : letters
}

/** Letters that only one of them has: cheap, and enough to rule most words out. */
function differingLetters(a: string, b: string): number {
  let bits = lettersOf(a) ^ lettersOf(b)
  let count = 0
  for (; bits !== 0; bits &= bits - 1) count++
  return count
}

function lettersOf(word: string): number {
  let bits = 0
  for (let at = 0; at < word.length; at++) bits |= 1 << (word.charCodeAt(at) & 31)
  return bits
}
