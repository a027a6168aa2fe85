export interface ListedSum {
  readonly line: number
  readonly sha256: string
  readonly name: string
}

export interface ChecksumList {
  readonly sums: readonly ListedSum[]
  readonly invalidLines: number
}

/** By name: what common tools write and expect. */
export function isChecksumList(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return /^(?:sha256sums?(?:\.txt)?|[^/]+\.sha256(?:sums?)?|(?:tag)?manifest-sha256\.txt)$/i.test(name)
}

/**
 * Parses the formats of `sha256sum`, `shasum`, BSD's `sha256` and BagIt: `<hash>  <name>`, `<hash> *<name>`,
 * `SHA256 (<name>) = <hash>`, and a hash alone in `<name>.sha256`.
 */
export function parseChecksumList(text: string, listName: string, isBag: boolean): ChecksumList {
  const sums: ListedSum[] = []
  let invalidLines = 0
  for (const [index, raw] of text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/)
    .entries()) {
    if (raw.trim() === '' || raw.startsWith('#')) continue
    const sum = readLine(raw, listName, isBag)
    if (sum === undefined) invalidLines++
    else sums.push({ line: index + 1, ...sum })
  }
  return { sums, invalidLines }
}

function readLine(raw: string, listName: string, isBag: boolean): Omit<ListedSum, 'line'> | undefined {
  const isEscaped = raw.startsWith('\\')
  const line = isEscaped ? raw.slice(1) : raw
  const [hash, rest] = [line.slice(0, 64), line.slice(64)]
  if (/^[0-9a-f]{64}$/i.test(hash)) {
    const name = nameIn(rest, listName)
    return name === undefined
      ? undefined
      : { sha256: hash.toLowerCase(), name: decodeName(name, isEscaped, isBag) }
  }
  const end = line.length - 64 - ') = '.length
  if (!line.startsWith('SHA256 (') || line.slice(end, end + 4) !== ') = ') return undefined
  const sha256 = line.slice(-64).toLowerCase()
  if (!/^[0-9a-f]{64}$/.test(sha256)) return undefined
  return { sha256, name: decodeName(line.slice('SHA256 ('.length, end), isEscaped, isBag) }
}

function nameIn(rest: string, listName: string): string | undefined {
  if (rest.trim() === '') {
    const named = listName.replace(/\.sha256(?:sums?)?$/i, '')
    return named === listName ? undefined : named
  }
  return /^[ \t]/.test(rest) ? rest.replace(/^[ \t]+\*?/, '') : undefined
}

function decodeName(name: string, isEscaped: boolean, isBag: boolean): string {
  if (isEscaped) return name.replace(/\\([\\nr])/g, (_, code: string) => ({ n: '\n', r: '\r' })[code] ?? '\\')
  // BagIt percent-encodes these three characters.
  return isBag ? name.replace(/%(0a|0d|25)/gi, (code) => decodeURIComponent(code)) : name
}
