import { createHash } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '@kitseal/kit/node'
import { stateFolder } from './config-folder.ts'
import { replaceFile } from './replace-file.ts'

const SUBMISSION_ID = /^sub_[\w-]{22,64}$/

/** The submission of an interrupted upload, so that the same command continues it. */
export type SubmissionMemory = ReturnType<typeof submissionMemory>

/** `identity` is equal for the same command on the same files. Without a writable folder, nothing is remembered. */
export function submissionMemory(
  identity: readonly unknown[],
  env: Readonly<Record<string, string | undefined>>,
) {
  const folder = join(stateFolder(env), 'kitseal', 'uploads')
  const name = createHash('sha256').update(JSON.stringify(identity)).digest('hex')
  const path = join(folder, name)
  return {
    recall(): string | undefined {
      try {
        const id = readFileSync(path, 'utf8').trim()
        return SUBMISSION_ID.test(id) ? id : undefined
      } catch {
        return undefined
      }
    },
    async remember(submissionId: string): Promise<void> {
      try {
        await makeFolder(folder)
        replaceFile(path, `${submissionId}\n`, 0o600)
      } catch {
        // The next run starts over.
      }
    },
    forget: (): void => rmSync(path, { force: true }),
  }
}
