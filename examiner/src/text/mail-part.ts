import { TRANSFER_ENCODINGS, type TransferEncoding } from './encoded-part.ts'
import type { Containment } from './text-check.ts'

/** What the header of a part says about its content, as mail programs read it. */
export interface MailPart {
  readonly encodings: readonly TransferEncoding[]
  /** Every name that it has: programs use different ones. */
  readonly names: readonly string[]
  readonly as: Containment
  /** A message whose header follows. */
  readonly isMessage: boolean
  /** Whether it is to be examined, not only read as text. */
  readonly isFile: boolean
}

/** `header` has one line per field. */
export function readMailPart(header: string, number: number): MailPart {
  const fields = [...header.matchAll(/^content-([a-z-]+)[ \t]*:([^\n]*)$/gim)]
  const valuesOf = (name: string): readonly string[] =>
    fields.filter(([, field]) => field?.toLowerCase() === name).map(([, , value]) => value ?? '')
  // Nobody needs more, and each is looked at in several ways.
  const types = valuesOf('type').slice(0, MAX_VALUES)
  const mediaType =
    (types[0] ?? '')
      .split(';', 1)[0]
      ?.replaceAll(/\([^)]{0,200}\)|["\s]/g, '')
      .toLowerCase() ?? ''
  const named = [
    ...valuesOf('disposition')
      .slice(0, MAX_VALUES)
      .map((value) => parameter(value, 'filename')),
    ...types.map((value) => parameter(value, 'name')),
  ].flatMap((name) => baseName(name) ?? [])
  const isMultipart = mediaType.startsWith('multipart/')
  const encodings = transferEncodings(valuesOf('transfer-encoding').slice(0, MAX_VALUES))
  const isMessage = /^message\/(?:rfc822|global|news)/.test(mediaType)
  const location = baseName(valuesOf('location')[0]?.replace(/[?#].*/, ''))
  const names = named.length > 0 ? [...new Set(named)] : [location ?? `part ${number}`]
  const isPlain = mediaType === '' || mediaType === 'text/plain'
  const isEncoded = encodings.some((encoding) => encoding !== 'identity')
  return {
    encodings,
    names: names.map((name) => withEnding(name, mediaType)),
    as: named.length === 0 && (isPlain || mediaType.startsWith('text/')) ? 'package' : 'attachment',
    isMessage: isMessage && !isEncoded,
    isFile: !isMultipart && (isEncoded || named.length > 0 || !isPlain),
  }
}

const MAX_VALUES = 8

export function partBoundary(header: string): string | undefined {
  const boundary = parameter(/^content-type[ \t]*:([^\n]*)$/im.exec(header)?.[1] ?? '', 'boundary')
  return boundary === undefined || boundary === '' ? undefined : boundary.trimEnd()
}

/** If there are several, programs differ in which one counts. */
function transferEncodings(values: readonly string[]): readonly TransferEncoding[] {
  const found = values.map((value) => {
    const name = value.replaceAll(/\([^)]{0,200}\)/g, '').toLowerCase()
    return TRANSFER_ENCODINGS.find((encoding) => name.includes(encoding)) ?? 'identity'
  })
  return found.length === 0 ? ['identity'] : [...new Set(found)]
}

/** A message or a page is read as one, whatever its name is. */
function withEnding(name: string, mediaType: string): string {
  if (mediaType.startsWith('message/') && !/\.(?:eml|mht|mhtml|mbox)$/i.test(name)) return `${name}.eml`
  if (/^(?:text\/html|application\/xhtml)/.test(mediaType) && !/\.x?html?$/i.test(name)) return `${name}.html`
  return mediaType === 'image/svg+xml' && !/\.svg$/i.test(name) ? `${name}.svg` : name
}

const PARAMETER =
  /(?<![\w-])([\w-]{1,40})(?:\*(\d{1,3}))?(\*)?\s{0,100}=\s{0,100}(?:"((?:[^"\\]|\\.)*)"?|([^\s;"]*))/g

/** A parameter, which may be in pieces and encoded (RFC 2231, RFC 2047). */
function parameter(value: string, wanted: string): string | undefined {
  const pieces: string[] = []
  for (const [, name, index, isEncoded, quoted, plain] of value.matchAll(PARAMETER)) {
    if (name?.toLowerCase() !== wanted) continue
    const text = quoted?.replaceAll(/\\(.)/g, '$1') ?? plain ?? ''
    const at = index === undefined ? pieces.length : Number(index)
    pieces[at] ??= isEncoded === undefined ? text : percentDecoded(text.replace(/^[\w-]*'[\w-]*'/, ''))
  }
  return pieces.length === 0 ? undefined : decodedWords(pieces.join(''))
}

function percentDecoded(text: string): string {
  const bytes = text.replaceAll(/%([\da-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return new TextDecoder().decode(latin1Bytes(bytes))
}

/** `=?charset?B?…?=` and `=?charset?Q?…?=` */
function decodedWords(text: string): string {
  return text
    .replaceAll(/\?=\s{1,100}=\?/g, '?==?')
    .replaceAll(
      /=\?([\w-]{1,40})(?:\*[\w-]{0,20})?\?([bq])\?([^?]{0,1000})\?=/gi,
      (word, charset: string, kind: string, data: string) => {
        try {
          const bytes =
            kind.toLowerCase() === 'b'
              ? atob(data.replaceAll(/[^A-Za-z\d+/]/g, ''))
              : data
                  .replaceAll('_', ' ')
                  .replaceAll(/=([\da-f]{2})/gi, (_, hex: string) =>
                    String.fromCharCode(Number.parseInt(hex, 16)),
                  )
          return new TextDecoder(charset).decode(latin1Bytes(bytes))
        } catch {
          return word
        }
      },
    )
}

const latin1Bytes = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

function baseName(path: string | undefined): string | undefined {
  const name = path
    ?.replace(/^.*[\\/]/, '')
    .replaceAll(/[\0\r\n]/g, '')
    .slice(0, 250)
    .trim()
  return name === '' ? undefined : name
}
