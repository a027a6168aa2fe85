import { strToU8, unzipSync, zipSync } from 'fflate'
import { openXml, openXmlParts } from '../../examiner/test/evidence-samples.ts'
import { xlsx } from '../../examiner/test/make-xlsx.ts'

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const text = (content: string): string => `<w:p><w:r><w:t>${escaped(content)}</w:t></w:r></w:p>`

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

/** A document with markup as text, a link to `url` and a table. */
export function documentWith(markup: string, url: string): Uint8Array {
  return openXml('docx', {
    'word/document.xml': `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><w:body>${text(markup)}<w:p><w:hyperlink r:id="link"><w:r><w:t>a link</w:t></w:r></w:hyperlink></w:p><w:tbl><w:tr><w:tc>${text('heading')}</w:tc></w:tr><w:tr><w:tc>${text('in a table')}</w:tc></w:tr></w:tbl></w:body></w:document>`,
    'word/_rels/document.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="link" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" Target="${url}" TargetMode="External"/></Relationships>`,
  })
}

/** An image without pixels, which the service accepts and no browser can show. */
export const HEIC = '\0\0\0\u0014ftypheic\0\0\0\0mif1\0\0\0\bmeta\0\0\0\bmdat'
