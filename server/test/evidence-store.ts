import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { examineEvidence, type Examination, type ExamineInput } from '../src/submissions/examine-evidence.ts'
import { DEFAULT_LIMITS } from '../../examiner/src/limits.ts'
import { DEFAULT_PROFILE } from '../../examiner/src/profile/profile.ts'
import type { Scanner } from '../../examiner/src/platform/platform.ts'
import { filesystemObjects } from '../src/objects/filesystem-objects.ts'
import type { ObjectStore } from '../src/objects/object-store.ts'
import { bytesOf, type Contents } from '../../examiner/test/evidence-samples.ts'

export const NOW = '2026-06-30T12:00:00.000Z'

/** An object store in a temp folder, to examine evidence in. */
export async function evidenceStore() {
  const folder = await mkdtemp(join(tmpdir(), 'kitseal-evidence-'))
  const objects = filesystemObjects(join(folder, 'objects'))
  return {
    folder,
    objects,
    examine: (files: Contents, options: Options = {}) => examine(objects, files, options),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

export type Options = Partial<Omit<ExamineInput, 'files'>> & { readonly scanner?: Scanner }

async function examine(objects: ObjectStore, files: Contents, options: Options): Promise<Examination> {
  const supplied = []
  for (const [name, content] of Object.entries(files)) {
    const stored = await objects.put(typeof content === 'string' ? bytesOf(content) : content)
    supplied.push({ name, offset: 0, ...stored })
  }
  const { scanner, ...input } = options
  return examineEvidence(
    { objects, scanner },
    {
      files: supplied,
      limits: DEFAULT_LIMITS,
      profile: DEFAULT_PROFILE,
      now: NOW,
      accept: [],
      ...input,
    },
  )
}

/** `code path` of each blocker. */
export function codes({ blockers }: Pick<Examination, 'blockers'>): readonly string[] {
  return blockers.map(({ code, path }) => `${code} ${path ?? ''}`)
}
