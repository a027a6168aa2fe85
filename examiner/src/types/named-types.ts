/** What the name of a file says about it. */
export interface NamedType {
  readonly id: string
  readonly title: string
  readonly mediaType: string
  /** File name extensions. */
  readonly endings: readonly string[]
  readonly content: Content
  /** A script or source code. */
  readonly isCode?: true
  /** A ZIP archive whose parts are searched like those of a document. */
  readonly isPackage?: true
}

export type Content = 'pdf' | 'png' | 'jpeg' | 'tiff' | 'zip' | 'compound' | 'program' | 'text' | 'binary'
