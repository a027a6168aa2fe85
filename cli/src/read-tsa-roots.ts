import { type Certificate, fromUtf8, parseCertificates, TimeStampFormatError } from '@kitseal/kit/internal'
import { readSmallFile } from '@kitseal/kit/internal/node'
import { InputError, readOrFail } from './input-error.ts'

/** Reads the certificates of the time-stamp authorities that the user trusts from a file. */
export async function readTsaRoots(path: string): Promise<readonly Certificate[]> {
  return parse(path, await readFile(path))
}

/** The same as text, to keep it. */
export async function readTsaRootsText(path: string): Promise<string> {
  const bytes = await readFile(path)
  parse(path, bytes)
  const text = bytes[0] === 0x30 ? undefined : fromUtf8(bytes)
  if (text === undefined) throw new InputError(`${path} is not PEM`)
  return text
}

function readFile(path: string): Promise<Uint8Array> {
  return readOrFail(path, () => readSmallFile(path, { what: 'a file of certificates', limitMiB: 10 }))
}

function parse(path: string, bytes: Uint8Array): readonly Certificate[] {
  try {
    return parseCertificates(bytes)
  } catch (error) {
    if (!(error instanceof TimeStampFormatError)) throw error
    throw new InputError(`${path} is not a file of certificates: ${error.message}`)
  }
}
