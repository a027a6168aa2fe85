/** A glyph in thousandths of the font size. One object per form while its file is loaded. */
export interface Glyph {
  readonly advance: number
  readonly outline: Uint8Array
  /** The characters it represents. */
  readonly text: string
  /** The same for the same form, in every process. */
  readonly key: string
  /** The glyphs that were joined to this one, with their distances from it. */
  readonly parts?: readonly PlacedGlyph[]
}

export interface PlacedGlyph {
  readonly glyph: Glyph
  /** Distance to the next glyph, including kerning. */
  readonly advance: number
  readonly dx: number
  readonly dy: number
}
