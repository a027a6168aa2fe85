import { OfficeProblem, openPackage, xmlText } from './open-package.ts'
import { type DocumentLimits, type DocumentText, readDocument } from './read-document.ts'
import { type Sheet, sheetsOf } from './read-workbook.ts'

export type { DocumentBlock, DocumentText } from './read-document.ts'
export type { Cell, Sheet } from './read-workbook.ts'

/** What an Office file says. */
export type OfficeText =
  | { readonly is: 'workbook'; readonly sheets: readonly Sheet[] }
  | ({ readonly is: 'document' } & DocumentText)
  /** Another kind of file. */
  | { readonly is: 'other' }
  | { readonly is: OfficeProblem['is'] }

/** Reads XLSX and DOCX files. Nothing of them is run, loaded or drawn. */
export async function readOffice(bytes: Uint8Array, limits: DocumentLimits): Promise<OfficeText> {
  try {
    const opened = await openPackage(bytes)
    const main = opened.parts.get(opened.document ?? '')
    if (main !== undefined) return { is: 'document', ...readDocument(xmlText(main), limits) }
    return opened.isWorkbook ? { is: 'workbook', sheets: await sheetsOf(opened) } : { is: 'other' }
  } catch (error) {
    return { is: error instanceof OfficeProblem ? error.is : 'damaged' }
  }
}
