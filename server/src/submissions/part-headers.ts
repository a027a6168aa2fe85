/** A form that cannot be parsed. `message` is for the caller. */
export class MultipartProblem extends Error {
  override readonly name = 'MultipartProblem'
}

/** The headers of one part of a form. */
export interface PartHeaders {
  readonly name: string
  /** As the client sent it. Undefined if the part is not a file. */
  readonly fileName: string | undefined
}

/** RFC 7578: each part has a Content-Disposition of type form-data, with a name. */
export function partHeaders(bytes: Uint8Array): PartHeaders {
  const all = parseHeaders(decodeUtf8(bytes))
  if (all.some(([name, value]) => name === 'content-transfer-encoding' && !IDENTITY_ENCODING.test(value)))
    throw new MultipartProblem(
      'A part has a Content-Transfer-Encoding. Send the bytes of the file unencoded.',
    )
  const disposition = all.filter(([name]) => name === 'content-disposition')
  const [, value = ''] = disposition[0] ?? []
  if (disposition.length !== 1 || !/^form-data\s*(;|$)/i.test(value))
    throw new MultipartProblem('Each part needs exactly one Content-Disposition: form-data header.')
  const parameters = parseParameters(value.slice('form-data'.length))
  const name = parameters.get('name')
  if (name === undefined) throw new MultipartProblem('A part has no name parameter.')
  return { name, fileName: extendedName(parameters.get('filename*')) ?? parameters.get('filename') }
}

/** RFC 7578 section 4.7 deprecates the header. Some readers decode such parts, others do not. */
const IDENTITY_ENCODING = /^(?:7bit|8bit|binary)$/i

/** Names are UTF-8 (RFC 7578 section 5.1). */
function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new MultipartProblem('The headers of a part are not UTF-8.')
  }
}

function parseHeaders(text: string): readonly (readonly [name: string, value: string])[] {
  if (text === '') return []
  return text.split('\r\n').map((line) => {
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):(.*)$/s.exec(line) ?? []
    if (name === undefined || value === undefined || /[\r\n\0]/.test(line))
      throw new MultipartProblem('A part has a malformed header.')
    return [name.toLowerCase(), value.trim()]
  })
}

/** The quoted form is unambiguous, so that the expression cannot backtrack exponentially. */
const PARAMETER = /\s*;\s*([\w*-]+)\s*=\s*(?:"((?:\\["\\]|[^"\\]|\\(?!["\\]))*\\?)"|([^\s;"]+))/suy

/** Parses `; name="a"; filename="b"`. Browsers send `%22` for a quote and older clients `\"`. Any other backslash is literal. */
function parseParameters(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  PARAMETER.lastIndex = 0
  let end = 0
  for (let match = PARAMETER.exec(text); match !== null; match = PARAMETER.exec(text)) {
    const [, name = '', quoted, token] = match
    const key = name.toLowerCase()
    if (found.has(key)) throw new MultipartProblem(`A part has two ${key} parameters.`)
    found.set(key, quoted === undefined ? (token ?? '') : unquoted(quoted))
    end = PARAMETER.lastIndex
  }
  if (text.slice(end).trim() !== '' && text.slice(end).trim() !== ';')
    throw new MultipartProblem('A part has a malformed Content-Disposition.')
  return found
}

const unquoted = (text: string): string =>
  text
    .replaceAll(/\\(["\\])/g, '$1')
    .replaceAll(/%0D/gi, '\r')
    .replaceAll(/%0A/gi, '\n')
    .replaceAll('%22', '"')

/** `UTF-8''n%C3%A4me` (RFC 5987). RFC 7578 forbids it, but some clients send it. */
function extendedName(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const [, encoded] = /^utf-8'[\w-]*'(.*)$/i.exec(text) ?? []
  try {
    const name = encoded === undefined ? undefined : decodeURIComponent(encoded)
    // Databases cannot store a NUL character.
    if (name !== undefined && !name.includes('\0')) return name
  } catch {
    // Reported below.
  }
  throw new MultipartProblem('A part has a malformed filename*.')
}

/** The boundary of a multipart/form-data body. Undefined if the header has none, two, or an invalid one. */
export function boundaryOf(contentType: string): string | undefined {
  const [mediaType = ''] = contentType.split(';', 1)
  const boundary = tryParameters(contentType.slice(mediaType.length))?.get('boundary') ?? ''
  return /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/.test(boundary) ? boundary : undefined
}

function tryParameters(text: string): ReadonlyMap<string, string> | undefined {
  try {
    return parseParameters(text)
  } catch {
    return undefined
  }
}
