import { readFileSync, readlinkSync } from 'node:fs'
import { mkdir, open, stat } from 'node:fs/promises'
import { dirname, type PlatformPath, posix, win32 } from 'node:path'

/** What differs between operating systems. Nothing else in the service and the command line asks which one it runs on. */
export interface Platform {
  readonly path: PlatformPath
  /** Whether modes say who may read a file. On Windows, it is the access control list that it has from its folder. */
  readonly hasModes: boolean
  /** Whether a folder can be synced, so that a new name in it survives a power failure. Windows has no such call. */
  readonly syncsFolders: boolean
  /** Signals that ask a process to stop. Windows has no SIGTERM: Ctrl-C and Ctrl-Break arrive, all else ends the process at once. */
  readonly stopSignals: readonly NodeJS.Signals[]
  /** The command that opens an address in the default browser. */
  readonly openCommand: readonly string[]
  /** Where the kernel describes processes. */
  readonly procFolder: string | undefined
}

const OPEN_COMMANDS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** What differs on a system. */
export function platformOf(name: NodeJS.Platform): Platform {
  const isWindows = name === 'win32'
  return {
    path: isWindows ? win32 : posix,
    hasModes: !isWindows,
    syncsFolders: !isWindows,
    stopSignals: isWindows ? ['SIGINT', 'SIGBREAK'] : ['SIGINT', 'SIGTERM'],
    openCommand: OPEN_COMMANDS[name] ?? ['xdg-open'],
    procFolder: name === 'linux' ? '/proc' : undefined,
  }
}

export const platform = platformOf(process.platform)

/** Makes names in the folder durable, where the system can. */
export async function syncFolder(path: string, { syncsFolders } = platform): Promise<void> {
  if (!syncsFolders) return
  await using folder = await open(path, 'r')
  await folder.sync()
}

/** Whether the mode of a file gives others than its owner one of these permissions. */
export const allowsOthers = (mode: number, permissions: number, { hasModes } = platform): boolean =>
  hasModes && (mode & permissions) !== 0

/** Whether a path is a folder, or in it. */
export function isInside(folder: string, given: string, { path } = platform): boolean {
  const below = path.relative(folder, given)
  // Between two drives of Windows, the relative path is absolute.
  return below !== '..' && !below.startsWith(`..${path.sep}`) && !path.isAbsolute(below)
}

const USER_FOLDERS = { config: ['.config'], state: ['.local', 'state'] } as const

/**
 * A folder of the user. Undefined without a home folder; never relative to the working directory, which others may control.
 */
export function userFolder(
  kind: keyof typeof USER_FOLDERS,
  env: Readonly<Record<string, string | undefined>>,
  { path }: Platform = platform,
): string | undefined {
  const isWindows = path === win32
  const given = [env[`XDG_${kind.toUpperCase()}_HOME`], isWindows ? env['LOCALAPPDATA'] : undefined]
  const named = given.find((folder) => folder !== undefined && path.isAbsolute(folder))
  if (named !== undefined) return named
  const home = (isWindows ? env['USERPROFILE'] : env['HOME']) ?? ''
  if (!path.isAbsolute(home)) return undefined
  return path.join(home, ...(isWindows ? ['AppData', 'Local'] : USER_FOLDERS[kind]))
}

/**
 * The boot of the machine and the PID namespace, which say whether a process ID means the same process; `?` if unknown.
 */
export function processSpace({ procFolder } = platform): {
  readonly boot: string
  readonly namespace: string
} {
  return {
    boot: orUnknown(procFolder, (proc) =>
      readFileSync(`${proc}/sys/kernel/random/boot_id`, 'utf8').slice(0, 13),
    ),
    namespace: orUnknown(procFolder, (proc) => /\d+/.exec(readlinkSync(`${proc}/self/ns/pid`))?.[0] ?? '?'),
  }
}

/** The ID of the calling thread, which has a priority of its own on Linux. Undefined elsewhere. */
export function threadId({ procFolder } = platform): number | undefined {
  const id = orUnknown(procFolder, (proc) => readlinkSync(`${proc}/thread-self`).split('/').at(-1) ?? '?')
  return id === '?' ? undefined : Number(id)
}

function orUnknown(procFolder: string | undefined, read: (proc: string) => string): string {
  try {
    return procFolder === undefined ? '?' : read(procFolder)
  } catch {
    return '?'
  }
}

const OWNER_ONLY = 0o700

/**
 * Creates a folder and its missing parents, by default for the owner only. Returns the outermost folder created.
 * Not mkdir with `recursive`, which retries forever where the system refuses, as in /proc.
 */
export async function makeFolder(path: string, mode = OWNER_ONLY): Promise<string | undefined> {
  if (await isFolder(path)) return undefined
  const outermost = dirname(path) === path ? undefined : await makeFolder(dirname(path), mode)
  try {
    await mkdir(path, { mode })
    return outermost ?? path
  } catch (error) {
    // Another process may have created it.
    if (await isFolder(path)) return outermost
    throw error
  }
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
