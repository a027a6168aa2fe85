/**
 * Describes an error for a message that already names the file: `permission denied` instead of `EACCES: …, open '…'`.
 */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const known = SYSTEM_ERRORS.get((error as { readonly code?: string }).code ?? '')
  if (known !== undefined) return known
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message
}

const SYSTEM_ERRORS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'no such file or folder'],
  ['EACCES', 'permission denied'],
  ['EISDIR', 'it is a folder'],
  ['EEXIST', 'the file already exists'],
  ['ENOTDIR', 'part of the path is a file, not a folder'],
  ['ELOOP', 'too many symbolic links'],
  ['ENAMETOOLONG', 'the name is too long'],
  ['ENOSPC', 'no space left on the disk'],
  ['EFBIG', 'the file would be too large'],
  ['EROFS', 'the disk is read-only'],
])
