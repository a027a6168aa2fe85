/**
 * The file name extension in lower case. Undefined for README and .gitignore, and if it is a number, a date or words:
 * `syslog.1`, `access.log-20261101`, `Statement of Mr. Smith`.
 */
export function endingOf(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return name.lastIndexOf('.') > 0 ? shellEndingOf(name) : undefined
}

/** The extension that an operating system picks a program by. It counts `.bat` as one, too. */
export function shellEndingOf(path: string): string | undefined {
  const dot = path.lastIndexOf('.')
  const ending = path.slice(dot + 1).toLowerCase()
  if (dot === -1 || !/^[a-z\d]+(?:-[a-z\d]+)*$/.test(ending)) return undefined
  // `library-ms` is an extension, `log-20261101` is a date.
  return ending.split('-').every((part) => /[a-z]/.test(part)) ? ending : undefined
}
