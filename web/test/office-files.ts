import { strToU8, unzipSync, zipSync } from 'fflate'
import { openXmlParts } from '../../examiner/test/evidence-samples.ts'
import { xlsx } from '../../examiner/test/make-xlsx.ts'

/** Two sheets with markup in the cells. */
export function workbookWith(markup: string): Uint8Array {
  const parts = unzipSync(
    xlsx(
      [
        ['name', 'note'],
        ['ann', markup],
      ],
      [['heading'], ['of the second sheet']],
    ),
  )
  const types = openXmlParts('xlsx')['[Content_Types].xml']
  return zipSync({ ...parts, '[Content_Types].xml': strToU8(String(types)) })
}

/** An image without pixels, which the service accepts and no browser can show. */
export const HEIC = '\0\0\0\u0014ftypheic\0\0\0\0mif1\0\0\0\bmeta\0\0\0\bmdat'
