import type { Typeface } from './fonts/typeface.ts'
import type { SharedContent } from './pdf/compress.ts'
import { type BasicFont, basicFont } from './pdf/document-font.ts'

interface FixedPart {
  readonly content: SharedContent
  readonly y: number
}

/** What binders have in common. It is made once, by the first binder that needs it. */
export interface SharedParts {
  fontOf(typeface: Typeface): BasicFont
  /** By name, height on the page and marked content before it: all that the same drawing depends on. */
  readonly fixed: Map<string, FixedPart>
}

export function sharedParts(): SharedParts {
  const fonts = new Map<Typeface, BasicFont>()
  return {
    fontOf: (typeface) => {
      const font = fonts.get(typeface) ?? basicFont(typeface)
      fonts.set(typeface, font)
      return font
    },
    fixed: new Map(),
  }
}
