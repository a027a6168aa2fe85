import { signature } from '../detect/signatures.ts'
import { checkActiveMime } from '../structures/active-mime.ts'
import { checkEvtx, checkPcap, checkPcapng } from '../structures/captures.ts'
import { checkGif } from '../structures/gif.ts'
import { checkHeif } from '../structures/heif.ts'
import { checkOneNote } from '../structures/onenote.ts'
import { checkPkcs7, isPkcs7 } from '../structures/pkcs7.ts'
import { checkTnef } from '../structures/tnef.ts'
import type { StructureCheck } from '../structures/structure.ts'
import { checkWebp } from '../structures/webp.ts'
import { startCardCheck, startPemCheck } from '../text/attached-parts.ts'
import { JsonSyntax } from '../text/json-syntax.ts'
import { MailCheck } from '../text/mail.ts'
import type { StartTextCheck } from '../text/text-check.ts'
import { startXmlCheck } from '../text/xml-syntax.ts'
import type { FileType } from './file-type.ts'
import { BINARY_TYPES, CODE_TYPES, PACKAGE_TYPES, TEXT_TYPES } from './named-types.ts'

const PARSERS: Readonly<Record<string, StartTextCheck>> = {
  json: ({ sizeBytes }) => new JsonSyntax('document', sizeBytes),
  lines: ({ sizeBytes }) => new JsonSyntax('lines', sizeBytes),
  xml: startXmlCheck,
  mail: () => new MailCheck(),
  card: startCardCheck,
  pem: startPemCheck,
}

export const NAMED_TEXT_TYPES: readonly FileType[] = [
  ...typesIn(TEXT_TYPES, 'text', (parser) => {
    const checkText = PARSERS[parser]
    return checkText === undefined ? {} : { checkText }
  }),
  ...typesIn(CODE_TYPES, 'text', () => ({ isCode: true })),
]

/** Binary types with a check of their own. */
const EXAMINED: Readonly<Record<string, Partial<FileType>>> = {
  gif: { checkStructure: checkGif },
  webp: { checkStructure: checkWebp },
  heic: { checkStructure: checkHeif },
  avif: { checkStructure: checkHeif },
  pcap: { checkStructure: container('pcap', checkPcap) },
  pcapng: { checkStructure: container('pcapng', checkPcapng) },
  evtx: { checkStructure: container('evtx', checkEvtx) },
  onenote: { checkStructure: container('onenote', checkOneNote) },
  mso: { checkStructure: checkActiveMime },
  tnef: { checkStructure: checkTnef },
  pkcs7: { detect: isPkcs7, checkStructure: container('pkcs7', checkPkcs7) },
}

export const NAMED_BINARY_TYPES = typesIn(BINARY_TYPES, 'binary', (signatures, id) => ({
  ...(signatures === '' ? {} : { detect: signature(...signatures.split(' ')) }),
  ...EXAMINED[id],
}))

export const PACKAGES = typesIn(PACKAGE_TYPES, 'zip', () => ({ isPackage: true }))

/** A file that may end with another one, such as a capture of a download. */
function container(type: string, check: StructureCheck): StructureCheck {
  return async (file, ctx) => ({ ...(await check(file, ctx)), type })
}

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
