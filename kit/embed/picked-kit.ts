import { sentences, t } from './words.ts'

/** One archive, or the files of one folder. Can be posted to a worker. */
export type PickedKit =
  | { readonly is: 'zip'; readonly name: string; readonly file: File }
  | { readonly is: 'folder'; readonly name: string; readonly files: readonly PickedFile[] }

/** A file with its path relative to the kit's folder. */
export interface PickedFile {
  readonly path: string
  readonly file: File
}

export interface PickedFolder {
  readonly name: string
  readonly files: readonly PickedFile[]
}

export type Picked =
  | { readonly is: 'rejected'; readonly reason: string }
  | { readonly is: 'accepted'; readonly kit: PickedKit | undefined; readonly jsonFiles: readonly File[] }

/** Finds the kit and the JSON files among what was dropped or chosen. */
export async function classifyPicked(
  files: readonly File[],
  folders: readonly PickedFolder[],
): Promise<Picked> {
  if (isUnpackedKit(files)) return acceptFolder(looseFiles(files, folders), [])
  const kinds = await Promise.all(files.map(async (file) => ({ file, kind: await kindOf(file) })))
  const zips = kinds.filter(({ kind }) => kind === 'zip')
  const other = kinds.find(({ kind }) => kind === 'other')
  const jsonFiles = kinds.filter(({ kind }) => kind === 'json').map(({ file }) => file)
  if (other !== undefined) return rejected(t('view.picked.notKit', { name: other.file.name }))
  if (zips.length + folders.length > 1) return rejected(t('view.picked.several'))
  if (folders[0] !== undefined) return acceptFolder(folders[0], jsonFiles)
  if (zips[0] !== undefined) {
    const { file } = zips[0]
    return { is: 'accepted', kit: { is: 'zip', name: file.name, file }, jsonFiles }
  }
  return jsonFiles.length > 0
    ? { is: 'accepted', kit: undefined, jsonFiles }
    : rejected(t('view.picked.none'))
}

const rejected = (problem: string): Picked => ({
  is: 'rejected',
  reason: sentences([problem, t('view.picked.expected')]),
})

const isUnpackedKit = (files: readonly File[]): boolean =>
  ['manifest.json', 'receipt.json'].every((name) => files.some((file) => file.name === name))

/** The contents of a kit's folder, dropped without the folder itself. */
const looseFiles = (files: readonly File[], folders: readonly PickedFolder[]): PickedFolder => ({
  name: t('view.picked.dropped'),
  files: [
    ...files.map((file) => ({ path: file.name, file })),
    ...folders.flatMap(({ name, files: inside }) =>
      inside.map(({ path, file }) => ({ path: `${name}/${path}`, file })),
    ),
  ],
})

// Numbers, because the built page must not contain control characters.
const ZIP_START = [0x50, 0x4b, 0x03, 0x04]

/** Recognizes a renamed archive by content. A damaged kit.zip counts as a kit, and fails verification. */
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

function acceptFolder(folder: PickedFolder, jsonFiles: readonly File[]): Picked {
  if (folder.files.length === 0) return rejected(t('view.picked.emptyFolder', { name: folder.name }))
  const { name, files } = unwrap(folder)
  if (!files.some(({ path }) => path === 'manifest.json' || path === 'receipt.json'))
    return rejected(t('view.picked.notKitFolder', { name }))
  return { is: 'accepted', kit: { is: 'folder', name, files }, jsonFiles }
}

/** Unzip tools often nest the kit's folder in another one that contains nothing else. */
function unwrap(folder: PickedFolder): PickedFolder {
  const name = folder.files[0]?.path.split('/', 1)[0] ?? ''
  const prefix = `${name}/`
  if (!folder.files.every(({ path }) => path.startsWith(prefix))) return folder
  return unwrap({
    name,
    files: folder.files.map(({ path, file }) => ({ path: path.slice(prefix.length), file })),
  })
}
