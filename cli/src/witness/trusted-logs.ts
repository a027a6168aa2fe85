import { ED25519, LogFormatError, type NoteKey, parseVkey, utf8 } from '@kitseal/kit'
import { nodeHost } from '@kitseal/kit/node'
import { isLogList, type ListedLog, parseLogList } from '../log-list.ts'

const MAX_ORIGIN_BYTES = 255

/**
 * The logs that a witness cosigns for, by origin: a list of the witness network (logs/v0), one vkey per line, or the `log` lines of a
 * policy, whose other lines are ignored. Throws LogFormatError.
 */
export function parseTrustedLogs(text: string): ReadonlyMap<string, readonly NoteKey[]> {
  const logs = new Map<string, NoteKey[]>()
  const seen = new Set<string>()
  for (const { vkey, origin, where } of isLogList(text) ? parseLogList(text) : parseLines(text)) {
    const key = parseKey(vkey, where)
    const name = origin ?? key.name
    if (key.type !== ED25519)
      throw new LogFormatError(`${where}: this is not the key of a log, but of a witness`)
    if (utf8(name).length > MAX_ORIGIN_BYTES)
      throw new LogFormatError(`${where}: the origin is longer than ${MAX_ORIGIN_BYTES} bytes`)
    const id = key.publicKey.join()
    if (seen.has(id)) throw new LogFormatError(`${where}: this key appears twice`)
    seen.add(id)
    logs.set(name, [...(logs.get(name) ?? []), key])
  }
  if (seen.size === 0) throw new LogFormatError('it lists no logs. Write the vkey of a log on a line.')
  return logs
}

function parseLines(text: string): readonly ListedLog[] {
  return text.split(/\r?\n/).flatMap((line, at) => {
    const where = `line ${at + 1}`
    const [first = '', ...rest] = line.trim().split(/[ \t]+/)
    if (first === '' || first.startsWith('#') || /^(witness|group|quorum)$/.test(first)) return []
    // The URL of a log is of no use here: logs call the witness.
    const [vkey = '', url, ...more] = first === 'log' ? rest : [first, undefined, ...rest]
    if (more.length > 0 || (url !== undefined && !URL.canParse(url)))
      throw new LogFormatError(`${where} is not a vkey or "log VKEY [URL]"`)
    return [{ vkey, where }]
  })
}

function parseKey(vkey: string, where: string): NoteKey {
  try {
    return parseVkey(vkey, nodeHost.digest)
  } catch (error) {
    if (error instanceof LogFormatError) throw new LogFormatError(`${where}: ${error.message}`)
    throw error
  }
}
