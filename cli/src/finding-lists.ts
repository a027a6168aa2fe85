import type { Submission } from '@kitseal/client'
import { blockerTable } from './blocker-table.ts'
import type { Terminal } from './terminal.ts'

export type Finding = Omit<Submission['findings'][number], 'path'> & { readonly path: string | null }

/** A danger is never acknowledged. */
export const isBlocking = (finding: Finding): boolean => finding.class !== 'notice' && !finding.acknowledged

/** What does not block the submission: what was acknowledged, and notices. Empty if there is nothing. */
export function noticeLines(findings: readonly Finding[], terminal: Terminal): readonly string[] {
  const others = findings.filter((finding) => !isBlocking(finding))
  const groups = [
    ['acknowledged', others.filter(({ acknowledged }) => acknowledged)],
    ['notices', others.filter(({ acknowledged }) => !acknowledged)],
  ] as const
  const lines: string[] = []
  for (const [title, group] of groups)
    if (group.length > 0) lines.push(title, ...blockerTable(group, terminal), '')
  return lines
}

/** How to submit the files as they are, if no danger blocks them. */
export function acceptHint(findings: readonly Finding[]): readonly string[] {
  const blocking = findings.filter(isBlocking)
  if (blocking.length === 0 || blocking.some((finding) => finding.class === 'danger')) return []
  const codes = [...new Set(blocking.map(({ code }) => code))]
  return [`To submit the files as they are: ${codes.map((code) => `--accept ${code}`).join(' ')}`]
}
