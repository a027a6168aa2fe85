import type { PickedFile, PickedFolder } from './picked-kit.ts'

export interface PickedItems {
  readonly files: readonly File[]
  readonly folders: readonly PickedFolder[]
}

/** A kit has at most 10,000 files of evidence. Dropping a whole disk fails early. */
const MAX_FILES = 100_000

/** Opening a file is a round trip to another process. */
const OPENED_AT_ONCE = 20

/** Reads dropped files and folders, recursively. Call it during the event: afterwards the items are gone. */
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

/** Uses entries, not handles: Chromium's handles omit files whose names it considers dangerous. */
async function droppedFolder(entry: FileSystemDirectoryEntry): Promise<PickedFolder> {
  return { name: entry.name, files: await filesBelow(entry) }
}

/** The files of an `<input type="file">`, with or without webkitdirectory. */
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
  const queue = [{ folder: top, prefix: '' }]
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const { folder, prefix } = next
    const children = await listFolder(folder)
    for (const child of children.filter(isFolder))
      queue.push({ folder: child, prefix: `${prefix}${child.name}/` })
    const files = children.filter(isFile)
    if (found.length + files.length > MAX_FILES) throw new Error(`it has more than ${MAX_FILES} files`)
    for (let at = 0; at < files.length; at += OPENED_AT_ONCE) {
      const some = files.slice(at, at + OPENED_AT_ONCE)
      const opened = some.map(async (file) => ({ path: prefix + file.name, file: await openFile(file) }))
      found.push(...(await Promise.all(opened)))
    }
  }
  return found
}

/** readEntries returns batches, the last one empty. */
async function listFolder(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const children: FileSystemEntry[] = []
  const reader = folder.createReader()
  const nextBatch = (): Promise<readonly FileSystemEntry[]> =>
    new Promise((resolve, reject) => reader.readEntries(resolve, reject))
  for (let batch = await nextBatch(); batch.length > 0; batch = await nextBatch()) children.push(...batch)
  return children
}

const openFile = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject))

const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
