import { strToU8, zipSync } from 'fflate'

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const cell = (value: string | number, column: number, row: number): string => {
  const at = `${'ABCDEF'[column]}${row + 1}`
  return typeof value === 'number'
    ? `<c r="${at}" s="1"><v>${value}</v></c>`
    : `<c r="${at}" t="inlineStr"><is><t>${escape(value)}</t></is></c>`
}

export type Rows = readonly (readonly (string | number)[])[]

const sheetData = (rows: Rows): string =>
  rows
    .map(
      (cells, row) =>
        `<row r="${row + 1}">${cells.map((each, column) => cell(each, column, row)).join('')}</row>`,
    )
    .join('')

/** A spreadsheet with inline strings, and numbers in the date format of the second style. */
export function xlsx(...sheets: readonly Rows[]): Uint8Array {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const packages = 'http://schemas.openxmlformats.org/package/2006'
  const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
  const files = {
    '[Content_Types].xml': `${head}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/></Types>`,
    '_rels/.rels': `${head}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${head}<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${sheets.map((_, index) => `<sheet name="List ${index + 1}" sheetId="${index + 1}" r:id="sheet${index + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${head}<Relationships xmlns="${packages}/relationships">${sheets.map((_, index) => `<Relationship Id="sheet${index + 1}" Type="${relations}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`).join('')}<Relationship Id="styles" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `${head}<styleSheet xmlns="${main}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    ...Object.fromEntries(
      sheets.map((rows, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        `${head}<worksheet xmlns="${main}"><dimension ref="A1:D${rows.length}"/><sheetData>${sheetData(rows)}</sheetData></worksheet>`,
      ]),
    ),
  }
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])))
}
