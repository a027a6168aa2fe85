import { execFile } from 'node:child_process'
import { lstatSync, realpathSync, statSync } from 'node:fs'
import { lstat, opendir } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { isInside } from '@kitseal/kit/internal/node'
import { InputError, orInputError } from '../input-error.ts'

/** What the person who started the server allows. */
export interface Place {
  /** Tools read files below these folders, and nothing else. They are real paths. */
  readonly folders: readonly string[]
  /** Where kits are saved. Without it, nothing is submitted. */
  readonly out: string | undefined
  /** `--jwks` and `--kid`, for what verifies. */
  readonly keys: readonly string[]
  /** `--url`, for what calls the service. */
  readonly url: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  /** How long a tool may take. Assistants give up after a minute. */
  readonly limitMs: number
  /** The command line of this program. */
  readonly program: readonly string[]
}

/** How this program was started. */
export const ownProgram = (): readonly string[] => [process.execPath, process.argv[1] ?? '']

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024
const MAX_INPUT_BYTES = 2 * 1024 ** 3
const MAX_INPUT_FILES = 100_000

export class TookTooLong extends Error {
  override readonly message = 'It took too long and was stopped. Pass fewer files.'
}

/**
 * Runs a command in a process of its own, which ends when the call is cancelled or takes too long, and returns what it prints as JSON.
 * Hostile files can occupy that process, and not the one that reads cancellations.
 */
export function runKitseal(
  { program: [node = '', ...script], folders, env, limitMs }: Place,
  args: readonly string[],
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>>> {
  const settings = {
    cwd: folders[0],
    env,
    signal,
    maxBuffer: MAX_OUTPUT_BYTES,
    timeout: Math.min(limitMs, 2 ** 31 - 1),
  }
  return new Promise((resolve, reject) => {
    execFile(node, [...script, ...args, '--json'], settings, (error, stdout, stderr) => {
      if (signal.aborted) return reject(signal.reason as Error)
      if (error?.killed === true && error.code === null) return reject(new TookTooLong())
      try {
        resolve(JSON.parse(stdout) as Readonly<Record<string, unknown>>)
      } catch {
        const [problem = `kitseal ${args[0]} failed`] = stderr.split('\n')
        reject(new InputError(problem.slice(0, 1000)))
      }
    })
  })
}

/** The folders that tools may read, without links. Throws if one is not a folder. */
export function openFolders(given: readonly string[]): readonly string[] {
  return given.map((folder) => {
    const real = orInputError(`cannot read ${folder}`, () => realpathSync(folder))
    if (statSync(real).isDirectory()) return real
    throw new InputError(`--folder ${folder} is not a folder`)
  })
}

/** The file itself behind a path, which must be in one of the folders. A path that is relative is looked for in each. */
export function allowedPath({ folders }: Place, path: string): string {
  const isPlain = path !== '' && !path.includes('\0') && !path.split(/[/\\]/).includes('..')
  const places = !isPlain ? [] : isAbsolute(path) ? [path] : folders.map((folder) => join(folder, path))
  const real = places.flatMap(realPath).find((each) => folders.some((folder) => isInside(folder, each)))
  if (real !== undefined) return real
  // The same for a path outside and for one that does not exist, so that nothing outside can be explored.
  throw new InputError(`${JSON.stringify(path)} is not a file or folder below a folder of --folder`)
}

/** Empty for what is neither a file nor a folder: opening a pipe blocks. */
function realPath(path: string): readonly string[] {
  try {
    const real = realpathSync(path)
    const found = lstatSync(real)
    return found.isFile() || found.isDirectory() ? [real] : []
  } catch {
    return []
  }
}

/** The same for several, which together must not be larger than a tool may read. */
export async function allowedPaths(
  place: Place,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const allowed = paths.map((path) => allowedPath(place, path))
  let [files, bytes] = [0, 0]
  const count = async (path: string): Promise<void> => {
    signal.throwIfAborted()
    const found = await lstat(path)
    files += 1
    bytes += found.size
    if (files > MAX_INPUT_FILES || bytes > MAX_INPUT_BYTES)
      throw new InputError(
        'these are more than 2 GiB or 100,000 files, too much for a tool. Pass fewer, or use the command line',
      )
  }
  for (const path of allowed) {
    await count(path)
    if (!lstatSync(path).isDirectory()) continue
    for await (const entry of await opendir(path, { recursive: true }))
      await count(join(entry.parentPath, entry.name))
  }
  return allowed
}
