import type { Finding } from '../rules.ts'

/** A SYLK spreadsheet with Excel 4.0 macros states it in an `O` record with `E`. */
export function sylkMacros(head: Uint8Array): readonly Finding[] {
  const start = new TextDecoder('latin1').decode(head)
  if (!start.startsWith('ID;')) return []
  if (/^O;(?:[^;\r\n]*;)*E\b/m.test(start))
    return [{ code: 'macros', detail: 'it is a SYLK spreadsheet with macros' }]
  return /^C;.*;E[^;\r\n]*\|[^\r\n]*!/m.test(start)
    ? [{ code: 'active_content', detail: 'a formula starts another program (DDE)' }]
    : []
}
