export type ZipProblemKind =
  | 'unreadable'
  | 'encrypted'
  | 'link'
  | 'special'
  | 'method'
  | 'twin'
  | 'name'
  | 'limit'

/**
 * Why an archive is unreadable or ambiguous.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { readZipDirectory, ZipProblem } from '@kitseal/kit'
 * import { fileSource } from '@kitseal/kit/node'
 *
 * using source = fileSource('evidence/users.csv')
 * await assert.rejects(
 *   async () => readZipDirectory(source),
 *   (error) => error instanceof ZipProblem && error.kind === 'unreadable',
 * )
 * ```
 */
export class ZipProblem extends Error {
  readonly kind: ZipProblemKind

  constructor(message: string, kind: ZipProblemKind = 'unreadable') {
    super(message)
    this.name = 'ZipProblem'
    this.kind = kind
  }
}
