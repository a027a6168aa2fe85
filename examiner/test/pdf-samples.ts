import { pdf } from './evidence-samples.ts'

/** A PDF with additional objects before its cross-reference table. */
export function withObject(dictionary: string, content?: Uint8Array, more = ''): Uint8Array {
  const text = Buffer.from(pdf()).toString('latin1')
  const at = text.lastIndexOf('xref\n0')
  const stream =
    content === undefined ? '' : `stream\r\n${Buffer.from(content).toString('latin1')}\nendstream\n`
  const object = `9 0 obj\n<<${dictionary}>>\n${stream}endobj\n${more}`
  const moved = text.slice(at).replace(/startxref\n\d+/, `startxref\n${at + object.length}`)
  return Buffer.from(text.slice(0, at) + object + moved, 'latin1')
}

/** A PDF with an attached file. */
export function pdfWithFile(
  name: string,
  content: string | Uint8Array,
  filter = '',
  encode = (bytes: Buffer): Buffer => bytes,
): Uint8Array {
  const reference = `8 0 obj<</Type/Filespec/F(${name})/EF<</F 9 0 R>>>>endobj\n`
  return withObject(`/Length 9${filter}`, encode(Buffer.from(content)), reference)
}
