import type { ChosenFile } from './chosen-files.ts'

export interface FolderRow {
  readonly is: 'folder'
  /** `audit/2026` */
  readonly path: string
  readonly name: string
  readonly depth: number
  readonly isOpen: boolean
  readonly files: number
  readonly bytes: number
  /** Files with problems. */
  readonly problems: number
}

export interface FileRow {
  readonly is: 'file'
  readonly file: ChosenFile
  readonly name: string
  readonly depth: number
}

export type TreeRow = FolderRow | FileRow

type Counted = { -readonly [Key in keyof FolderRow]: FolderRow[Key] }

/** The visible rows of a folder tree. `files` are sorted by name, so the files of a folder are next to each other. */
export function treeRows(
  files: readonly ChosenFile[],
  closed: ReadonlySet<string>,
  problems: ReadonlyMap<string, unknown>,
): readonly TreeRow[] {
  const rows: TreeRow[] = []
  let open: Counted[] = []
  let isHidden = false
  for (const file of files) {
    const parts = file.name.split('/')
    const folders = parts.slice(0, -1)
    const shared = open.findIndex(({ name }, depth) => name !== folders[depth])
    const kept = shared === -1 ? Math.min(open.length, folders.length) : shared
    if (kept < open.length || kept < folders.length) {
      open = open.slice(0, kept)
      isHidden = open.some(({ isOpen }) => !isOpen)
    }
    for (const [depth, name] of folders.entries()) {
      if (depth < kept) continue
      const path = folders.slice(0, depth + 1).join('/')
      const row = {
        is: 'folder',
        path,
        name,
        depth,
        isOpen: !closed.has(path),
        files: 0,
        bytes: 0,
        problems: 0,
      } as Counted
      open.push(row)
      if (!isHidden) rows.push(row)
      isHidden ||= !row.isOpen
    }
    const sizeBytes = file.file.size
    const hasProblem = problems.has(file.name)
    for (const folder of open) {
      folder.files++
      folder.bytes += sizeBytes
      if (hasProblem) folder.problems++
    }
    if (!isHidden) rows.push({ is: 'file', file, name: parts.at(-1) ?? '', depth: folders.length })
  }
  return rows
}
