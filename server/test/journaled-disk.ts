import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

/** A loop-mounted disk that can become read-only like a faulty disk, even for open files. */
export interface JournaledDisk extends Disposable {
  readonly folder: string
  /** Like the kernel after a file system error. */
  turnReadOnly(): void
  /** Unmounts, checks and mounts the disk. It must not be in use. */
  repair(): void
  /** Makes files immutable, or writable again. */
  freeze(files: readonly string[], frozen: boolean): void
}

const MEGABYTES = '64M'

/** The reason why such a disk is not available, or false. */
export function diskSkipReason(): string | false {
  const problem = trial()
  if (problem === undefined) return false
  const why = `no disk can be created here (${problem}): a database on a read-only disk was NOT tried`
  console.log(`skipped: ${why}`)
  return why
}

function trial(): string | undefined {
  try {
    using disk = journaledDisk()
    const file = join(disk.folder, 'a')
    writeFileSync(file, '')
    disk.freeze([file], true)
    disk.freeze([file], false)
    disk.turnReadOnly()
    try {
      writeFileSync(file, 'a')
    } catch {
      return undefined
    }
    return 'it stays writable'
  } catch (error) {
    return (error as Error).message.split('\n')[0]
  }
}

export function journaledDisk(): JournaledDisk {
  const place = mkdtempSync(join(tmpdir(), 'kitseal-disk-'))
  const image = join(place, 'image')
  const folder = mkdtempSync(join(place, 'disk-'))
  const mount = (): string => run('mount', '-o', 'loop,errors=remount-ro', image, folder)
  const remove = (): void => {
    spawnSync('umount', ['-l', folder])
    rmSync(place, { recursive: true })
  }
  try {
    run('truncate', '-s', MEGABYTES, image)
    run('mkfs.ext4', '-q', '-F', image)
    mount()
  } catch (error) {
    remove()
    throw error
  }
  return {
    folder,
    turnReadOnly: () => {
      const device = basename(run('findmnt', '-n', '-o', 'SOURCE', folder).trim())
      writeFileSync(`/sys/fs/ext4/${device}/trigger_fs_error`, 'a trial')
    },
    repair: () => {
      run('umount', folder)
      const found = spawnSync('e2fsck', ['-f', '-y', image])
      assert.ok(found.status === 0 || found.status === 1, String(found.stdout))
      mount()
    },
    freeze: (files, frozen) => void run('chattr', frozen ? '+i' : '-i', ...files),
    [Symbol.dispose]: remove,
  }
}

function run(program: string, ...args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, args)
  if (status !== 0) throw error ?? new Error(`${program}: ${String(stderr).trim()}`)
  return String(stdout)
}
