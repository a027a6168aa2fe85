import type { Cell, OfficeText } from '@kitseal/examiner/office-text'
import { nameText } from '../../core/readable.ts'

export const SHEET_LIMITS = { sheets: 50, rows: 200, columns: 40 } as const

export interface PreviewedSheet {
  readonly name: string
  readonly rows: readonly (readonly string[])[]
  readonly cutRows: boolean
  readonly cutColumns: boolean
}

/** What is shown of an Office file. */
export type OfficeContent =
  | { readonly is: 'workbook'; readonly sheets: readonly PreviewedSheet[] }
  | Exclude<OfficeText, { readonly is: 'workbook' }>

/** The part that is shown, with direction marks made visible. */
export function officeContent(office: OfficeText): OfficeContent {
  if (office.is === 'document')
    return {
      ...office,
      blocks: office.blocks.map((block) =>
        block.is === 'text'
          ? { ...block, text: nameText(block.text) }
          : { ...block, rows: block.rows.map((row) => row.map(nameText)) },
      ),
    }
  if (office.is !== 'workbook') return office
  return {
    is: 'workbook',
    sheets: office.sheets.slice(0, SHEET_LIMITS.sheets).map(({ name, rows }) => ({
      name: nameText(name),
      rows: rows.slice(0, SHEET_LIMITS.rows).map((row) => row.slice(0, SHEET_LIMITS.columns).map(cellText)),
      cutRows: rows.length > SHEET_LIMITS.rows,
      cutColumns: rows.some((row) => row.length > SHEET_LIMITS.columns),
    })),
  }
}

function cellText(cell: Cell): string {
  if (cell === null || cell === undefined) return ''
  if (cell instanceof Date) return cell.toISOString().replace(/(?:T00:00:00)?\.000Z$/, '')
  return nameText(String(cell))
}
