export type ZipProblemKind =
  | 'unreadable'
  | 'encrypted'
  | 'link'
  | 'special'
  | 'method'
  | 'twin'
  | 'name'
  | 'limit'

/** Why an archive is unreadable or ambiguous. */
export class ZipProblem extends Error {
  readonly kind: ZipProblemKind

  constructor(message: string, kind: ZipProblemKind = 'unreadable') {
    super(message)
    this.name = 'ZipProblem'
    this.kind = kind
  }
}
