import type { SubmissionProvenance } from '@kitseal/kit/internal'
import type { ExamineContext } from '../examine-context.ts'
import type { ExaminedFile } from '../examined-file.ts'
import { DATA_FOLDER } from '../file-names.ts'

/** Reports statements about files that are not there, which would be lost in silence. */
export function checkProvenancePaths(
  ctx: ExamineContext,
  files: readonly ExaminedFile[],
  provenance: SubmissionProvenance | undefined,
): void {
  const paths = new Set(files.map(({ path }) => path))
  for (const path of Object.keys(provenance?.files ?? {}))
    if (!paths.has(DATA_FOLDER + path)) ctx.report(path, { code: 'provenance_unmatched' })
}
