import { comparePaths } from '@kitseal/kit'
import type { BinderFile } from './binder-input.ts'
import { visibleText } from './visible-text.ts'

export interface InventoryFile extends BinderFile {
  /** Its number in the binder, from 1. */
  readonly number: number
  /** The last part of its path, with nothing hidden in it. */
  readonly name: string
}

export interface InventoryFolder {
  readonly title: string
  readonly files: readonly InventoryFile[]
  readonly sizeBytes: number
}

export interface Inventory {
  readonly folders: readonly InventoryFolder[]
  /** Whether names are cut, because all of them together would make a book that nobody reads. */
  readonly isShortened: boolean
}

const MOST_CHARACTERS = 1_000_000
const SHORTENED = { start: 40, end: 25 }

/** Files under the folder that they lie in, folders and files in the order of the manifest. */
export function takeInventory(files: readonly BinderFile[]): Inventory {
  const folders = Map.groupBy(
    files.toSorted((a, b) => comparePaths(a.path, b.path)),
    ({ path }) => path.slice(0, path.lastIndexOf('/') + 1),
  )
  const names = files.reduce((total, { path }) => total + path.length, 0)
  const isShortened = names > MOST_CHARACTERS
  const shown = (text: string): string => (isShortened ? shortened(visibleText(text)) : visibleText(text))
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
