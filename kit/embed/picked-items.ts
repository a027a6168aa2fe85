import type { PickedFile, PickedFolder } from './picked-kit.ts'

export interface PickedItems {
  readonly files: readonly File[]
  readonly folders: readonly PickedFolder[]
}

/** A kit holds at most 10,000 pieces of evidence; whoever drops a whole disk is told so instead of waiting for it. */
const MAX_FILES = 100_000

/** What was dropped, folders read to the bottom. The entries are taken at once: after the event they are gone. */
export async function droppedItems(transfer: DataTransfer): Promise<PickedItems> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null)
  const files: File[] = []
  const folders: PickedFolder[] = []
  for (const entry of entries) {
    if (isFolder(entry)) folders.push({ name: entry.name, files: await filesBelow(entry) })
    else if (isFile(entry)) files.push(await fileOf(entry))
  }
  return { files, folders }
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
  const waiting: { readonly folder: FileSystemDirectoryEntry; readonly prefix: string }[] = [
    { folder: top, prefix: '' },
  ]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const entry of await childrenOf(next.folder)) {
      const path = next.prefix + entry.name
      if (isFolder(entry)) waiting.push({ folder: entry, prefix: `${path}/` })
      else if (isFile(entry)) found.push({ path, file: await fileOf(entry) })
      if (found.length > MAX_FILES) throw new Error(`it holds more than ${MAX_FILES} files`)
    }
  }
  return found
}

/** readEntries hands out a part at a time, and an empty part at the end. */
async function childrenOf(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader()
  const children: FileSystemEntry[] = []
  for (;;) {
    const { promise, resolve, reject } = Promise.withResolvers<readonly FileSystemEntry[]>()
    reader.readEntries(resolve, reject)
    const part = await promise
    if (part.length === 0) return children
    children.push(...part)
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  const { promise, resolve, reject } = Promise.withResolvers<File>()
  entry.file(resolve, reject)
  return promise
}

const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
