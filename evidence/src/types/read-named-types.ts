import { signature } from '../detect/signatures.ts'
import { JsonSyntax } from '../text/json-syntax.ts'
import type { StartTextCheck } from '../text/text-check.ts'
import { startXmlCheck } from '../text/xml-syntax.ts'
import type { FileType } from './file-type.ts'
import { BINARY_TYPES, CODE_TYPES, PACKAGE_TYPES, TEXT_TYPES } from './named-types.ts'

const PARSERS: Readonly<Record<string, StartTextCheck>> = {
  json: () => new JsonSyntax('document'),
  lines: () => new JsonSyntax('lines'),
  xml: startXmlCheck,
}

export const NAMED_TEXT_TYPES: readonly FileType[] = [
  ...rowsOf(TEXT_TYPES).map(({ more, ...type }): FileType => {
    const checkText = PARSERS[more]
    return { ...type, content: 'text', ...(checkText === undefined ? {} : { checkText }) }
  }),
  ...rowsOf(CODE_TYPES).map(({ more: _, ...type }): FileType => ({ ...type, content: 'text', isCode: true })),
]

export const NAMED_BINARY_TYPES: readonly FileType[] = rowsOf(BINARY_TYPES).map(
  ({ more, ...type }): FileType => ({
    ...type,
    content: 'binary',
    ...(more === '' ? {} : { detect: signature(...more.split(' ')) }),
  }),
)

export const PACKAGES: readonly FileType[] = rowsOf(PACKAGE_TYPES).map(({ more: _, ...type }): FileType => ({
  ...type,
  content: 'zip',
  isPackage: true,
}))

function rowsOf(table: string) {
  return table
    .trim()
    .split('\n')
    .map((row) => {
      const [id = '', title = '', mediaType = '', endings = '', more = ''] = row
        .split('|')
        .map((cell) => cell.trim())
      return { id, title, mediaType, endings: endings.split(' '), more }
    })
}
