import { nodeHost } from '@kitseal/kit/node'
import { examineFiles, type FilesToExamine } from '../src/examine-files.ts'
import { DEFAULT_LIMITS } from '../src/limits.ts'
import { memoryPlatform, type Scanner } from '../src/platform/platform.ts'
import { memorySource } from '../src/platform/sources.ts'
import { DEFAULT_PROFILE } from '../src/profile/profile.ts'
import { classificationReport, intakeReport } from '../src/reports.ts'
import type { Blocker, FindingRecord } from '../src/findings.ts'
import { bytesOf, type Contents } from './evidence-samples.ts'

export const NOW = '2026-06-30T12:00:00.000Z'

/** Node's decompression, as in the service, and storage in memory. */
const PLATFORM = memoryPlatform(nodeHost)

type Options = Partial<
  Pick<FilesToExamine, 'limits' | 'profile' | 'now' | 'accept' | 'confirmed' | 'provenance' | 'trust'>
> & {
  readonly scanner?: Scanner
}

/** Examines files by the rules of the service. */
export async function examine(files: Contents, { scanner, ...options }: Options = {}) {
  const input: FilesToExamine = {
    files: Object.entries(files).map(([name, content]) => ({
      name,
      source: memorySource(typeof content === 'string' ? bytesOf(content) : content),
      object: name,
    })),
    limits: DEFAULT_LIMITS,
    profile: DEFAULT_PROFILE,
    now: NOW,
    accept: [],
    ...options,
  }
  const examined = await examineFiles({ ...PLATFORM, scanner }, input)
  return {
    blockers: examined.blockers,
    findings: examined.findings,
    files: examined.files,
    intakeReport: intakeReport(input, examined),
    classificationReport: classificationReport(examined),
  }
}

/** `code path` of each blocker. */
export function codes({ blockers }: { readonly blockers: readonly Blocker[] }): readonly string[] {
  return blockers.map(({ code, path }) => `${code} ${path ?? ''}`)
}

/** `class code path` of each finding. */
export function noticed({ findings }: { readonly findings: readonly FindingRecord[] }): readonly string[] {
  return findings.map((one) => `${one.class} ${one.code} ${one.path ?? ''}`)
}
