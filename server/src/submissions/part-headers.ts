import { MultipartProblem } from './multipart-problem.ts'

/** What a part of a form says about itself. */
export interface PartHeaders {
  readonly name: string
  /** As the client wrote it; undefined where the part is no file. */
  readonly fileName: string | undefined
}

/** RFC 7578: each part has a Content-Disposition of type form-data, with a name. */
export function partHeaders(bytes: Uint8Array): PartHeaders {
  const all = fields(decoded(bytes))
  if (all.some(([name, value]) => name === 'content-transfer-encoding' && !AS_IT_IS.test(value)))
    throw new MultipartProblem('A part is encoded for mail. Send the bytes of the file as they are.')
  const disposition = all.filter(([name]) => name === 'content-disposition')
  const [, value = ''] = disposition[0] ?? []
  if (disposition.length !== 1 || !/^form-data\s*(;|$)/i.test(value))
    throw new MultipartProblem('A part has no Content-Disposition: form-data, or two of them.')
  const parameters = readParameters(value.slice('form-data'.length))
  const name = parameters.get('name')
  if (name === undefined) throw new MultipartProblem('A part has no name.')
  return { name, fileName: extendedName(parameters.get('filename*')) ?? parameters.get('filename') }
}

/** RFC 7578 section 4.7: nobody should send it. Some readers would decode it, others not: what was meant can't be told. */
const AS_IT_IS = /^(?:7bit|8bit|binary)$/i

/** RFC 7578 section 5.1: names are sent in UTF-8, as they are. */
function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new MultipartProblem('The header fields of a part are not UTF-8.')
  }
}

function fields(text: string): readonly (readonly [name: string, value: string])[] {
  if (text === '') return []
  return text.split('\r\n').map((line) => {
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):(.*)$/s.exec(line) ?? []
    if (name === undefined || value === undefined || /[\r\n\0]/.test(line))
      throw new MultipartProblem('A header field of a part can not be read.')
    return [name.toLowerCase(), value.trim()]
  })
}

/** Inside quotes each letter can be read in one way only: whoever sends many must not have all of their combinations tried. */
const PARAMETER = /\s*;\s*([\w*-]+)\s*=\s*(?:"((?:\\["\\]|[^"\\]|\\(?!["\\]))*\\?)"|([^\s;"]+))/suy

/**
 * `; name="a"; filename="b"`. Inside quotes browsers write `%22` for a quote and older clients `\"`; a backslash before
 * anything else is a backslash.
 */
function readParameters(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  PARAMETER.lastIndex = 0
  let end = 0
  for (let match = PARAMETER.exec(text); match !== null; match = PARAMETER.exec(text)) {
    const [, name = '', quoted, token] = match
    const key = name.toLowerCase()
    if (found.has(key)) throw new MultipartProblem(`A part names its ${key} twice.`)
    found.set(key, quoted === undefined ? (token ?? '') : unquoted(quoted))
    end = PARAMETER.lastIndex
  }
  if (text.slice(end).trim() !== '' && text.slice(end).trim() !== ';')
    throw new MultipartProblem('A Content-Disposition can not be read.')
  return found
}

const unquoted = (text: string): string =>
  text
    .replaceAll(/\\(["\\])/g, '$1')
    .replaceAll(/%0D/gi, '\r')
    .replaceAll(/%0A/gi, '\n')
    .replaceAll('%22', '"')

/** RFC 5987: `UTF-8''n%C3%A4me`. RFC 7578 lets nobody send it, and some do. */
function extendedName(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const [, encoded] = /^utf-8'[\w-]*'(.*)$/i.exec(text) ?? []
  try {
    const name = encoded === undefined ? undefined : decodeURIComponent(encoded)
    // A text of a database ends there.
    if (name !== undefined && !name.includes('\0')) return name
  } catch {
    // Said below.
  }
  throw new MultipartProblem("A part's filename* can not be read.")
}

/** The boundary of a multipart/form-data body; undefined where the header names none, or two. */
export function boundaryOf(contentType: string): string | undefined {
  const [mediaType = ''] = contentType.split(';', 1)
  const boundary = parametersIn(contentType.slice(mediaType.length))?.get('boundary') ?? ''
  return /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/.test(boundary) ? boundary : undefined
}

function parametersIn(text: string): ReadonlyMap<string, string> | undefined {
  try {
    return readParameters(text)
  } catch {
    return undefined
  }
}
