import { signature } from '../detect/signatures.ts'
import { JsonSyntax } from '../text/json-syntax.ts'
import { MailCheck } from '../text/mail.ts'
import type { StartTextCheck } from '../text/text-check.ts'
import { startXmlCheck } from '../text/xml-syntax.ts'
import type { FileType } from './file-type.ts'
import { BINARY_TYPES, CODE_TYPES, PACKAGE_TYPES, TEXT_TYPES } from './named-types.ts'

const PARSERS: Readonly<Record<string, StartTextCheck>> = {
  json: () => new JsonSyntax('document'),
  lines: () => new JsonSyntax('lines'),
  xml: startXmlCheck,
  mail: () => new MailCheck(),
}

export const NAMED_TEXT_TYPES: readonly FileType[] = [
  ...typesIn(TEXT_TYPES, 'text', (parser) => {
    const checkText = PARSERS[parser]
    return checkText === undefined ? {} : { checkText }
  }),
  ...typesIn(CODE_TYPES, 'text', () => ({ isCode: true })),
]

export const NAMED_BINARY_TYPES = typesIn(BINARY_TYPES, 'binary', (signatures) =>
  signatures === '' ? {} : { detect: signature(...signatures.split(' ')) },
)

export const PACKAGES = typesIn(PACKAGE_TYPES, 'zip', () => ({ isPackage: true }))

/** `more` reads the last column. */
function typesIn(
  table: string,
  content: FileType['content'],
  more: (last: string) => Partial<FileType>,
): readonly FileType[] {
  return table
    .trim()
    .split('\n')
    .map((row) => {
      const [id = '', title = '', mediaType = '', endings = '', last = ''] = row
        .split('|')
        .map((cell) => cell.trim())
      const type = { id, title, mediaType, endings: endings.split(' '), content }
      return Object.assign(type, more(last))
    })
}
