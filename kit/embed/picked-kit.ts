/** What the user handed to the page: one archive, or the files of one folder. It can be sent to a worker as it is. */
export type PickedKit =
  | { readonly is: 'zip'; readonly name: string; readonly file: File }
  | { readonly is: 'folder'; readonly name: string; readonly files: readonly PickedFile[] }

/** A file with its path below the kit's own folder. */
export interface PickedFile {
  readonly path: string
  readonly file: File
}

export interface PickedFolder {
  readonly name: string
  readonly files: readonly PickedFile[]
}

export type Pick =
  | { readonly is: 'refused'; readonly why: string }
  | { readonly is: 'taken'; readonly kit: PickedKit | undefined; readonly keySetFiles: readonly File[] }

export const WANTED = 'Give one kit: its kit.zip, or the folder that it was unpacked to.'

/** Sorts out what was dropped or chosen at once: at most one kit, and key sets beside it. */
export async function sortOut(files: readonly File[], folders: readonly PickedFolder[]): Promise<Pick> {
  if (isUnpackedKit(files)) return takeFolder(dropped(files, folders), [])
  const kinds = await Promise.all(files.map(async (file) => ({ file, kind: await kindOf(file) })))
  const zips = kinds.filter(({ kind }) => kind === 'zip')
  const other = kinds.find(({ kind }) => kind === 'other')
  const keySetFiles = kinds.filter(({ kind }) => kind === 'json').map(({ file }) => file)
  if (other !== undefined) return refused(`${other.file.name} is not a kit.`)
  if (zips.length + folders.length > 1) return refused('That is more than one kit.')
  if (folders[0] !== undefined) return takeFolder(folders[0], keySetFiles)
  if (zips[0] !== undefined) {
    const { file } = zips[0]
    return { is: 'taken', kit: { is: 'zip', name: file.name, file }, keySetFiles }
  }
  return keySetFiles.length > 0
    ? { is: 'taken', kit: undefined, keySetFiles }
    : refused('There is nothing to read in that.')
}

const refused = (problem: string): Pick => ({ is: 'refused', why: `${problem} ${WANTED}` })

const isUnpackedKit = (files: readonly File[]): boolean =>
  ['manifest.json', 'receipt.json'].every((name) => files.some((file) => file.name === name))

/** Everything inside a kit's folder, dropped without the folder. */
const dropped = (files: readonly File[], folders: readonly PickedFolder[]): PickedFolder => ({
  name: 'the dropped files',
  files: [
    ...files.map((file) => ({ path: file.name, file })),
    ...folders.flatMap(({ name, files: inside }) =>
      inside.map(({ path, file }) => ({ path: `${name}/${path}`, file })),
    ),
  ],
})

// Numbers, not text: the page itself is to hold no control character.
const ZIP_START = [0x50, 0x4b, 0x03, 0x04]

/** By content, so that a renamed archive is still one; a broken kit.zip is a kit too, and will FAIL. */
async function kindOf(file: File): Promise<'zip' | 'json' | 'other'> {
  const name = file.name.toLowerCase()
  if (name.endsWith('.zip')) return 'zip'
  if (name.endsWith('.json') || name.endsWith('.jwks')) return 'json'
  const start = await file
    .slice(0, 4)
    .arrayBuffer()
    .then((bytes) => new Uint8Array(bytes))
    .catch(() => new Uint8Array(0))
  return ZIP_START.every((byte, at) => start[at] === byte) ? 'zip' : 'other'
}

function takeFolder(folder: PickedFolder, keySetFiles: readonly File[]): Pick {
  if (folder.files.length === 0) return refused(`The folder ${folder.name} is empty.`)
  const { name, files } = unwrap(folder)
  if (!files.some(({ path }) => path === 'manifest.json' || path === 'receipt.json'))
    return refused(`The folder ${name} holds neither manifest.json nor receipt.json, so it is not a kit.`)
  return { is: 'taken', kit: { is: 'folder', name, files }, keySetFiles }
}

/** Unpacking often puts the kit's folder into another one that holds nothing else. */
function unwrap(folder: PickedFolder): PickedFolder {
  const name = folder.files[0]?.path.split('/', 1)[0] ?? ''
  const prefix = `${name}/`
  if (!folder.files.every(({ path }) => path.startsWith(prefix))) return folder
  return unwrap({
    name,
    files: folder.files.map(({ path, file }) => ({ path: path.slice(prefix.length), file })),
  })
}
