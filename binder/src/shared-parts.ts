import type { Typeface } from './fonts/typeface.ts'
import { LruCache } from './lru-cache.ts'
import type { SharedContent } from './pdf/compress.ts'
import { type BasicFont, basicFont } from './pdf/document-font.ts'
import type { Skeleton } from './pdf/document-skeleton.ts'

/** What binders have in common. It is made once, by the first binder that needs it. */
export interface SharedParts {
  fontOf(typeface: Typeface): BasicFont
  /** Never returned before. */
  nextContentId(): number
  /** By name, height on the page and marked content before it: all that the same drawing depends on. */
  readonly fixed: LruCache<{ readonly content: SharedContent; readonly y: number }>
  readonly skeletons: LruCache<Skeleton>
}

export function sharedParts(): SharedParts {
  const fonts = new Map<Typeface, BasicFont>()
  let contentId = 0
  return {
    fontOf: (typeface) => {
      const font = fonts.get(typeface) ?? basicFont(typeface)
      fonts.set(typeface, font)
      return font
    },
    nextContentId: () => ++contentId,
    fixed: new LruCache(128),
    skeletons: new LruCache(64),
  }
}
