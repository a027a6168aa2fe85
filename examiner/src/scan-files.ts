import type { RandomAccess } from '@kitseal/kit'
import type { ExamineContext } from './examine-context.ts'
import type { ExaminedFile } from './examined-file.ts'
import { chunks } from './platform/sources.ts'

/** Scans every file for viruses, if the platform has a scanner. */
export async function scanFiles(
  ctx: ExamineContext,
  files: readonly ExaminedFile[],
  open: (file: ExaminedFile) => RandomAccess,
): Promise<void> {
  const results = await ctx.platform.scanner?.scan(
    files.map((file) => ({ sizeBytes: file.sizeBytes, read: () => chunks(open(file)) })),
  )
  for (const [index, result] of (results ?? []).entries()) {
    const path = files[index]?.displayPath ?? null
    if (result.is === 'infected')
      ctx.report(path, { code: 'virus_found', detail: `it is ${result.signature}` })
    if (result.is === 'failed') ctx.report(path, { code: 'scan_failed', detail: result.why })
  }
}
