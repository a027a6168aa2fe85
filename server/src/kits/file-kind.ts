import { ENVELOPE, START_PAGE_PATH } from '@kitseal/kit/internal'
import { BINDER_PATH } from './binder-file.ts'

export const FILE_KINDS = ['evidence', 'report', 'binder', 'guide', 'verifier', 'bag', 'envelope'] as const
export type FileKind = (typeof FILE_KINDS)[number]

const ENVELOPE_PATHS = new Set<string>(Object.values(ENVELOPE))

/** The purpose of a file in a kit, by its path. */
export function kindOf(path: string): FileKind {
  if (path.startsWith('data/')) return 'evidence'
  if (path.startsWith('reports/')) return 'report'
  if (path === START_PAGE_PATH || path.startsWith('verifier/')) return 'verifier'
  if (path === BINDER_PATH) return 'binder'
  if (path === 'VERIFY.md') return 'guide'
  return ENVELOPE_PATHS.has(path) ? 'envelope' : 'bag'
}
