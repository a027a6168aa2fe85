import type { Finding } from '../rules.ts'

/** A SYLK spreadsheet with Excel 4.0 macros states it in an `O` record with `E`. */
export function sylkMacros(head: Uint8Array): readonly Finding[] {
  const start = new TextDecoder('latin1').decode(head)
  const isMacroSheet = start.startsWith('ID;') && /^O;(?:[^;\r\n]*;)*E\b/m.test(start)
  return isMacroSheet ? [{ code: 'macros', detail: 'it is a SYLK spreadsheet with macros' }] : []
}

const ACTIVE_SVG = /<script[\s>]|\son\w{3,20}\s*=|javascript:|<foreignObject[\s>]/i

/** Scripts in an SVG image. */
export function activeSvg(text: Uint8Array): readonly Finding[] {
  const isActive = ACTIVE_SVG.test(new TextDecoder().decode(text))
  return isActive ? [{ code: 'active_content', detail: 'the image contains scripts or other documents' }] : []
}
