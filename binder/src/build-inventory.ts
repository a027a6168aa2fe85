import { comparePaths } from '@kitseal/kit'
import type { BinderFile } from './binder-input.ts'
import { escapeInvisible } from './escape-invisible.ts'

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
const SHORTENED = { start: 40, end: 25 }

/** Groups the files by folder, in the order of the manifest. */
export function buildInventory(files: readonly BinderFile[]): Inventory {
  const folders = Map.groupBy(
    files.toSorted((a, b) => comparePaths(a.path, b.path)),
    ({ path }) => path.slice(0, path.lastIndexOf('/') + 1),
  )
  const names = files.reduce((total, { path }) => total + path.length, 0)
  const isShortened = names > MAX_CHARACTERS
  const shown = (text: string): string =>
    isShortened ? shortened(escapeInvisible(text)) : escapeInvisible(text)
  let number = 0
  return {
    isShortened,
    folders: [...folders]
      .toSorted(([a], [b]) => comparePaths(a, b))
      .map(([folder, inside]) => ({
        title: folder === '' ? '(top folder)' : shown(folder),
        sizeBytes: inside.reduce((total, { sizeBytes }) => total + sizeBytes, 0),
        files: inside.map((file) => {
          number += 1
          return { ...file, number, name: shown(file.path.slice(folder.length)) }
        }),
      })),
  }
}

function shortened(text: string): string {
  const { start, end } = SHORTENED
  if (text.length <= start + end) return text
  const characters = [...text]
  if (characters.length <= start + end) return text
  return `${characters.slice(0, start).join('')} … ${characters.slice(-end).join('')}`
}
