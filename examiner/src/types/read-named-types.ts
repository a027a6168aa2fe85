import { signature } from '../detect/signatures.ts'
import { checkWebp, headerOf } from '../structures/images.ts'
import { broken, type StructureCheck } from '../structures/structure.ts'
import { startSvgCheck, startXmlCheck } from '../text/active-xml.ts'
import { MailCheck } from '../text/mail.ts'
import type { StartTextCheck } from '../text/text-check.ts'
import type { FileType } from './file-type.ts'
import { BINARY_TYPES, CODE_TYPES, PACKAGE_TYPES, TEXT_TYPES } from './named-types.ts'

const PARSERS: Readonly<Record<string, StartTextCheck>> = {
  xml: startXmlCheck,
  svg: startSvgCheck,
  mail: () => new MailCheck(),
}

export const NAMED_TEXT_TYPES: readonly FileType[] = [
  ...typesIn(TEXT_TYPES, 'text', (parser) => {
    const checkText = PARSERS[parser]
    return checkText === undefined ? {} : { checkText }
  }),
  ...typesIn(CODE_TYPES, 'text', () => ({ isCode: true })),
]

/** What may contain other files, and is only searched for programs. */
const notTakenApart =
  (detail: string): StructureCheck =>
  async () =>
    broken('partly_examined', detail)

/** Binary types with a check of their own. */
const EXAMINED: Readonly<Record<string, Partial<FileType>>> = {
  gif: { checkStructure: headerOf(13) },
  webp: { checkStructure: checkWebp },
  heic: { checkStructure: headerOf(32) },
  avif: { checkStructure: headerOf(32) },
  onenote: { checkStructure: notTakenApart('files in it were not taken apart') },
  mso: { checkStructure: async () => broken('macros', 'it holds the macros of a saved document') },
  tnef: { checkStructure: notTakenApart('attachments in it were not taken apart') },
  pkcs7: { detect: isPkcs7, checkStructure: notTakenApart('what it signs or encrypts was not taken apart') },
}

/** The object IDs of PKCS#7 (1.2.840.113549.1.7) and of S/MIME (1.2.840.113549.1.9.16.1), without the last number. */
const PKCS7_IDS = [
  [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07],
  [0x06, 0x0b, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x10, 0x01],
]

/** A sequence that starts with an object ID of PKCS#7 or S/MIME. */
function isPkcs7(head: Uint8Array): boolean {
  const [tag, first = 0] = head
  const at = first <= 0x80 ? 2 : 2 + (first & 0x7f)
  return tag === 0x30 && PKCS7_IDS.some((id) => id.every((byte, index) => head[at + index] === byte))
}

export const NAMED_BINARY_TYPES = typesIn(BINARY_TYPES, 'binary', (signatures, id) => ({
  ...(signatures === '' ? {} : { detect: signature(...signatures.split(' ')) }),
  ...EXAMINED[id],
}))

export const PACKAGES = typesIn(PACKAGE_TYPES, 'zip', () => ({ isPackage: true }))

/** `more` reads the last column. */
function typesIn(
  table: string,
  content: FileType['content'],
  more: (last: string, id: string) => Partial<FileType>,
): readonly FileType[] {
  return table
    .trim()
    .split('\n')
    .map((row) => {
      const [id = '', title = '', mediaType = '', endings = '', last = ''] = row
        .split('|')
        .map((cell) => cell.trim())
      const type = { id, title, mediaType, endings: endings.split(' '), content }
      return Object.assign(type, more(last, id))
    })
}
