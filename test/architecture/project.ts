// The project that rules check: file contents by path, read from disk or given as a sample.
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { blank } from './blank.ts'

export type Texts = Readonly<Record<string, string>>

export interface Import {
  readonly specifier: string
  readonly kind: 'static' | 'dynamic' | 'type'
}

export interface SourceFile {
  readonly path: string
  readonly text: string
  /** The text with comments and the contents of strings blanked. */
  readonly code: string
  readonly imports: readonly Import[]
  readonly isTest: boolean
}

export interface Project {
  readonly texts: Texts
  readonly sources: readonly SourceFile[]
}

export const root = path.resolve(import.meta.dirname, '../..')

export function projectOf(texts: Texts): Project {
  const sources = Object.entries(texts)
    .filter(([file]) => /\.(tsx?|cjs|mjs|js)$/.test(file))
    .map(([file, text]) => sourceFile(file, text))
  return { texts, sources }
}

export function projectOnDisk(): Project {
  const skipped = new Set(['node_modules', 'dist', '.git', '.cache', 'data', 'vectors'])
  const files = globSync(
    [
      '**/*.{ts,tsx,cjs,mjs,js,css}',
      '**/package.json',
      'package-lock.json',
      'docs/decisions/dependencies.md',
    ],
    {
      cwd: root,
      exclude: (name) => skipped.has(path.basename(name)),
    },
  )
  return projectOf(
    Object.fromEntries(files.toSorted().map((file) => [file, readFileSync(path.join(root, file), 'utf8')])),
  )
}

function sourceFile(file: string, text: string): SourceFile {
  const code = blank(text)
  const isTest = file.endsWith('.test.ts') || /(^|\/)test\//.test(file)
  return { path: file, text, code, imports: importsOf(text, code), isTest }
}

const STATEMENT = /^[ \t]*(?:import|export)\s+(type\s)?(?:[\w*{}\s,$]+?\sfrom\s*)?(['"])([ ]+)\2/dgm
const CALL = /\bimport\s*\(\s*(?:(['"])([ ]+)\1)?/dg

/** Finds imports in the blanked code, and reads their names from the text at the same offsets. */
function importsOf(text: string, code: string): readonly Import[] {
  const specifier = (range: readonly [number, number] | undefined): string =>
    range === undefined ? '(a computed name)' : text.slice(...range)
  return [
    ...Array.from(code.matchAll(STATEMENT), ({ 1: type, indices }): Import => {
      return { specifier: specifier(indices?.[3]), kind: type === undefined ? 'static' : 'type' }
    }),
    ...Array.from(code.matchAll(CALL), ({ indices }): Import => {
      return { specifier: specifier(indices?.[2]), kind: 'dynamic' }
    }),
  ]
}

/** The path of a relative import. */
export const target = (from: string, specifier: string): string =>
  path.posix.join(path.posix.dirname(from), specifier)
