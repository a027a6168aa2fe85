import { type Archive, archiveBytes, deflatedEntry, type Entry, storedEntry } from '../../forge/archive.ts'

/** A way to write an archive that programs read differently, or that does harm when unpacked. */
export interface Construction {
  readonly name: string
  /** The archive has at least two files. The victim is the entry that gets changed. */
  readonly build: (archive: Archive, victim: Entry, root: string) => Uint8Array
}

export type Files = ReadonlyMap<string, Uint8Array>

/** Builds an archive of files in a folder; `root` is empty or ends in a slash. */
export function construct(
  { build }: Construction,
  files: Files,
  root: string,
  victim: string,
  packed: boolean,
): Uint8Array {
  const entries = [...files].map(([path, bytes]) =>
    packed ? deflatedEntry(root + path, bytes) : storedEntry(root + path, bytes),
  )
  const archive: Archive = { entries }
  return build(
    archive,
    entries.find(({ name }) => name === root + victim)!,
    root,
  )
}

/** Changes only the victim. */
export function entry(
  name: string,
  change: (victim: Entry, archive: Archive, root: string) => void,
): Construction {
  return {
    name,
    build: (archive, victim, root) => {
      change(victim, archive, root)
      return archiveBytes(archive)
    },
  }
}

export function whole(name: string, change: (archive: Archive, root: string) => void): Construction {
  return {
    name,
    build: (archive, _victim, root) => {
      change(archive, root)
      return archiveBytes(archive)
    },
  }
}

export const text = (content: string): Uint8Array => new TextEncoder().encode(content)
