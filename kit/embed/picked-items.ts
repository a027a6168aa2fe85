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
    if (entry !== null && isFolder(entry)) folders.push(droppedFolder(item, entry))
    else if (file !== null) files.push(file)
  }
  return { files, folders: await Promise.all(folders) }
}

/**
 * Chromium offers entries to a page from file:// but refuses to read them; it reads handles, which other browsers do
 * not offer.
 */
async function droppedFolder(
  item: DataTransferItem & HandleGiver,
  entry: FileSystemDirectoryEntry,
): Promise<PickedFolder> {
  const handle = await item.getAsFileSystemHandle?.().catch(() => undefined)
  const files = handle === undefined ? filesBelow(entryFolder(entry)) : filesBelow(handleFolder(handle))
  return { name: entry.name, files: await files }
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

/** A folder of either kind, as far as it is needed here. */
interface Folder {
  children(): Promise<readonly Child[]>
}

type Child =
  | { readonly is: 'file'; readonly name: string; file(): Promise<File> }
  | { readonly is: 'folder'; readonly name: string; readonly folder: Folder }

async function filesBelow(top: Folder): Promise<readonly PickedFile[]> {
  const found: PickedFile[] = []
  const waiting = [{ folder: top, prefix: '' }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const child of await next.folder.children()) {
      const path = next.prefix + child.name
      if (child.is === 'folder') waiting.push({ folder: child.folder, prefix: `${path}/` })
      else found.push({ path, file: await child.file() })
      if (found.length > MAX_FILES) throw new Error(`it holds more than ${MAX_FILES} files`)
    }
  }
  return found
}

/** What the page's types do not know yet, as far as it is used. */
interface HandleGiver {
  getAsFileSystemHandle?(): Promise<FolderHandle>
}

type FolderHandle = { values(): AsyncIterable<FileHandle | (FolderHandle & NamedFolder)> }
type NamedFolder = { readonly kind: 'directory'; readonly name: string }
type FileHandle = { readonly kind: 'file'; readonly name: string; getFile(): Promise<File> }

function handleFolder(handle: FolderHandle): Folder {
  return {
    async children() {
      const children: Child[] = []
      for await (const child of handle.values()) {
        const { name } = child
        if (child.kind === 'directory') children.push({ is: 'folder', name, folder: handleFolder(child) })
        else children.push({ is: 'file', name, file: () => child.getFile() })
      }
      return children
    },
  }
}

function entryFolder(entry: FileSystemDirectoryEntry): Folder {
  return {
    async children() {
      const children: Child[] = []
      const reader = entry.createReader()
      // readEntries hands out a part at a time, and an empty part at the end.
      for (let part = await nextPart(reader); part.length > 0; part = await nextPart(reader)) {
        for (const child of part) {
          const { name } = child
          if (isFolder(child)) children.push({ is: 'folder', name, folder: entryFolder(child) })
          else if (isFile(child)) children.push({ is: 'file', name, file: () => fileOf(child) })
        }
      }
      return children
    },
  }
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
