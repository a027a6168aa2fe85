import type { PickedFile, PickedFolder } from './picked-kit.ts'

export interface PickedItems {
  readonly files: readonly File[]
  readonly folders: readonly PickedFolder[]
}

/** A kit holds at most 10,000 pieces of evidence; whoever drops a whole disk is told so instead of waiting for it. */
const MAX_FILES = 100_000

/** What was dropped, folders read to the bottom. Everything is taken hold of at once: after the event it is gone. */
export async function droppedItems(transfer: DataTransfer): Promise<PickedItems> {
  const files: File[] = []
  const folders: Promise<PickedFolder>[] = []
  for (const item of [...transfer.items].filter(({ kind }) => kind === 'file')) {
    const entry = item.webkitGetAsEntry()
    const file = item.getAsFile()
    if (entry !== null && isFolder(entry)) folders.push(droppedFolder(entry))
    else if (file !== null) files.push(file)
  }
  return { files, folders: await Promise.all(folders) }
}

/** By its entry: the handle that Chromium offers as well leaves out files whose names it thinks dangerous on some system. */
async function droppedFolder(entry: FileSystemDirectoryEntry): Promise<PickedFolder> {
  return { name: entry.name, files: await filesBelow(entry) }
}

/** What an `<input type="file">` holds, with or without webkitdirectory. */
export function chosenItems(chosen: FileList): PickedItems {
  const files: File[] = []
  const byFolder = new Map<string, PickedFile[]>()
  for (const file of chosen) {
    const at = file.webkitRelativePath.indexOf('/')
    if (at < 0) {
      files.push(file)
      continue
    }
    const name = file.webkitRelativePath.slice(0, at)
    const inside = byFolder.get(name) ?? []
    inside.push({ path: file.webkitRelativePath.slice(at + 1), file })
    byFolder.set(name, inside)
  }
  return { files, folders: [...byFolder].map(([name, inside]) => ({ name, files: inside })) }
}

async function filesBelow(top: FileSystemDirectoryEntry): Promise<readonly PickedFile[]> {
  const found: PickedFile[] = []
  const waiting = [{ folder: top, prefix: '' }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const child of await childrenOf(next.folder)) {
      const path = next.prefix + child.name
      if (isFolder(child)) waiting.push({ folder: child, prefix: `${path}/` })
      else if (isFile(child)) found.push({ path, file: await fileOf(child) })
      if (found.length > MAX_FILES) throw new Error(`it holds more than ${MAX_FILES} files`)
    }
  }
  return found
}

/** readEntries hands out a part at a time, and an empty part at the end. */
async function childrenOf(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const children: FileSystemEntry[] = []
  const reader = folder.createReader()
  for (let part = await nextPart(reader); part.length > 0; part = await nextPart(reader))
    children.push(...part)
  return children
}

function nextPart(reader: FileSystemDirectoryReader): Promise<readonly FileSystemEntry[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly FileSystemEntry[]>()
  reader.readEntries(resolve, reject)
  return promise
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  const { promise, resolve, reject } = Promise.withResolvers<File>()
  entry.file(resolve, reject)
  return promise
}

const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
