import { globSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Vector } from './vector.ts'

export const VECTORS_FOLDER = path.join(import.meta.dirname, 'vectors')

export const vectors = JSON.parse(
  readFileSync(path.join(VECTORS_FOLDER, 'index.json'), 'utf8'),
) as readonly Vector[]

/** Every file of vectors/, relative to it. */
export const vectorFiles = (): readonly string[] =>
  globSync('**', { cwd: VECTORS_FOLDER })
    .filter((file) => statSync(path.join(VECTORS_FOLDER, file)).isFile())
    .toSorted()

export async function readVectorFile(file: string): Promise<Uint8Array> {
  return readFileSync(path.join(VECTORS_FOLDER, file))
}

/** The vectors with a wrong result, each with the actual and the expected one. */
export function wrongResults(results: Readonly<Record<string, unknown>>): readonly object[] {
  return vectors
    .filter(({ name, expected }) => !isDeepStrictEqual(results[name], expected))
    .map(({ name, expected }) => ({ name, expected, got: results[name] }))
}
