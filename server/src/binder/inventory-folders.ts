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

/** Files under the folder that they lie in, folders and files in the order of the manifest. */
export function inventoryFolders(files: readonly BinderFile[]): readonly InventoryFolder[] {
  const folders = new Map<string, BinderFile[]>()
  for (const file of files.toSorted((a, b) => comparePaths(a.path, b.path))) {
    const folder = file.path.slice(0, file.path.lastIndexOf('/') + 1)
    const known = folders.get(folder)
    if (known === undefined) folders.set(folder, [file])
    else known.push(file)
  }
  let number = 0
  return [...folders]
    .toSorted(([a], [b]) => comparePaths(a, b))
    .map(([folder, inside]) => ({
      title: folder === '' ? '(top folder)' : visibleText(folder),
      sizeBytes: inside.reduce((total, { sizeBytes }) => total + sizeBytes, 0),
      files: inside.map((file) => {
        number += 1
        return { ...file, number, name: visibleText(file.path.slice(folder.length)) }
      }),
    }))
}
