import type { PickedItems } from '@kitseal/kit/in-browser'

/** A file that the user gave, under the name that it is sent by: its path below what was dropped. */
export interface ChosenFile {
  readonly name: string
  readonly file: File
}

export function chosenFiles({ files, folders }: PickedItems): readonly ChosenFile[] {
  return [
    ...files.map((file) => ({ name: file.name, file })),
    ...folders.flatMap(({ name, files: inside }) =>
      inside
        .filter(({ path }) => !isLitter(path))
        .map(({ path, file }) => ({ name: `${name}/${path}`, file })),
    ),
  ].map(({ name, file }) => ({ name: name.normalize('NFC'), file }))
}

/** What systems put into folders by themselves; nobody means it as evidence. */
const LITTER = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini'])

const isLitter = (path: string): boolean => LITTER.has(path.split('/').at(-1) ?? '')

/** Added by name: what comes later takes the place of what was there. */
export function merged(before: readonly ChosenFile[], added: readonly ChosenFile[]): readonly ChosenFile[] {
  const byName = new Map([...before, ...added].map((one) => [one.name, one]))
  return [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

export const totalBytes = (files: readonly { readonly file: File }[]): number =>
  files.reduce((sum, { file }) => sum + file.size, 0)
