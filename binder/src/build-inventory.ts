import { comparePaths } from '@kitseal/kit/internal'
import type { BinderFile } from './binder-input.ts'
import { escapeInvisible } from './escape-invisible.ts'
import { graphemesOf } from './text/emoji-sequences.ts'

export interface InventoryFile extends BinderFile {
  /** Counted from 1 across the binder. */
  readonly number: number
  /** The last part of its path, with invisible characters escaped. */
  readonly name: string
}

export interface InventoryFolder {
  readonly title: string
  readonly files: readonly InventoryFile[]
  readonly sizeBytes: number
}

export interface Inventory {
  readonly folders: readonly InventoryFolder[]
  /** Whether names are shortened, because together they would fill too many pages. */
  readonly isShortened: boolean
}

const MAX_CHARACTERS = 1_000_000
const MAX_SHAPING_COST = 200_000
const SHORTENED = 65
const SHORTEST = 10

/** Groups the files by folder, in the order of the manifest. */
export function buildInventory(files: readonly BinderFile[], topFolder = '(top folder)'): Inventory {
  const folders = Map.groupBy(
    files.toSorted((a, b) => comparePaths(a.path, b.path)),
    ({ path }) => path.slice(0, path.lastIndexOf('/') + 1),
  )
  const longest = maxNameLength(files, folders.size)
  const shown = (text: string): string =>
    longest === undefined ? escapeInvisible(text) : shortened(escapeInvisible(text), longest)
  let number = 0
  return {
    isShortened: longest !== undefined,
    folders: [...folders]
      .toSorted(([a], [b]) => comparePaths(a, b))
      .map(([folder, inside]) => ({
        title: folder === '' ? topFolder : shown(folder),
        sizeBytes: inside.reduce((total, { sizeBytes }) => total + sizeBytes, 0),
        files: inside.map((file) => {
          number += 1
          return { ...file, number, name: shown(file.path.slice(folder.length)) }
        }),
      })),
  }
}

/** Undefined to print every name in full. Otherwise the binder would have too many pages, or take too long. */
function maxNameLength(files: readonly BinderFile[], folderCount: number): number | undefined {
  const characters = files.reduce((total, { path }) => total + path.length, 0)
  const cost = shapingCost(files)
  if (cost > MAX_SHAPING_COST) {
    const names = files.length + folderCount
    const fitting = Math.floor((MAX_SHAPING_COST / cost) * (characters / names))
    return Math.min(SHORTENED, Math.max(SHORTEST, fitting))
  }
  return characters > MAX_CHARACTERS ? SHORTENED : undefined
}

const SHAPED = /[\u0590-\u1cff\u200c\u200d]+/g
const INDIC = /[\u0900-\u0dff]/
const INDIC_COST = 5

/** Shaping takes time by the length of words in complex scripts. Each word is shaped once. */
function shapingCost(files: readonly BinderFile[]): number {
  const words = new Set<string>()
  let cost = 0
  for (const { path } of files) {
    for (const [word] of path.matchAll(SHAPED)) {
      if (words.has(word)) continue
      words.add(word)
      cost += word.length * (INDIC.test(word) ? INDIC_COST : 1)
    }
  }
  return cost
}

const ONE_UNIT_EACH = /^[ -\u02ff\u0370-\u0482]*$/

/** The start and the end of a text, without splitting what a reader sees as one character. */
function shortened(text: string, longest: number): string {
  if (text.length <= longest) return text
  const characters = ONE_UNIT_EACH.test(text) ? [...text] : graphemesOf(text)
  const start = countFitting(characters, longest * 0.6)
  const end = countFitting(characters.toReversed(), longest * 0.4)
  if (start + end >= characters.length) return text
  return `${characters.slice(0, start).join('')} … ${characters.slice(characters.length - end).join('')}`
}

/** How many of the first characters have this length together; at least one. */
function countFitting(characters: readonly string[], length: number): number {
  let total = 0
  const firstBeyond = characters.findIndex((character) => (total += character.length) > length)
  return firstBeyond === -1 ? characters.length : Math.max(1, firstBeyond)
}
