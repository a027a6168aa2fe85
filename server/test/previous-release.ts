import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The release that nodes are upgraded from: a commit, because the history is where releases are. Move it with each release. */
const PREVIOUS_RELEASE = '2674910ad1b66f8ca9401fdd1ac32f807fa51631'
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const ROOMS = ['kit', 'client', 'evidence', 'binder', 'server', 'cli', 'web', 'bench']

export interface PreviousRelease extends Disposable {
  /** Its server/src/main.ts. */
  readonly main: string
}

/** Why the previous release cannot be taken from here; undefined if it can. A shallow clone does not have it. */
export function missingRelease(): string | undefined {
  const found = spawnSync('git', ['cat-file', '-e', `${PREVIOUS_RELEASE}^{commit}`], { cwd: ROOT })
  return found.status === 0
    ? undefined
    : 'the previous release is not in this clone: the upgrade was NOT tested'
}

/** Its sources, with the packages that are installed here. */
export function previousRelease(): PreviousRelease {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-previous-'))
  const archive = spawnSync(
    'git',
    ['archive', PREVIOUS_RELEASE, 'package.json', 'profiles', 'spec', ...ROOMS],
    {
      cwd: ROOT,
      maxBuffer: 1024 ** 3,
    },
  )
  writeFileSync(join(folder, 'release.tar'), archive.stdout)
  const unpacked = spawnSync('tar', ['-xf', 'release.tar'], { cwd: folder, encoding: 'utf8' })
  if (archive.status !== 0 || unpacked.status !== 0) throw new Error(String(archive.stderr) + unpacked.stderr)
  linkPackages(folder)
  return {
    main: join(folder, 'server/src/main.ts'),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Rooms refer to each other as packages, so these must be the previous ones. */
function linkPackages(folder: string): void {
  const packages = join(folder, 'node_modules')
  mkdirSync(join(packages, '@kitseal'), { recursive: true })
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (name !== '@kitseal' && !name.startsWith('.'))
      symlinkSync(join(ROOT, 'node_modules', name), join(packages, name))
  for (const room of ROOMS) symlinkSync(join(folder, room), join(packages, '@kitseal', room))
}
