import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildPackages } from '../../scripts/packages.ts'

export interface Installed extends Disposable {
  /** Contains only node_modules with the two packages. */
  readonly folder: string
}

/** Builds, packs and installs kit and client into an empty folder, offline. */
export function installPacked(): Installed {
  const scratch = mkdtempSync(join(tmpdir(), 'kitseal-packed-'))
  const packages = buildPackages((room) => join(scratch, 'packages', room))
  const packed = JSON.parse(npm(scratch, scratch, ['pack', ...packages, '--json'])) as { filename: string }[]
  const tarballs = packed.map(({ filename }) => join(scratch, filename))
  const folder = join(scratch, 'empty')
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}\n')
  npm(scratch, folder, ['install', '--offline', '--ignore-scripts', ...tarballs])
  return { folder, [Symbol.dispose]: () => rmSync(scratch, { recursive: true }) }
}

function npm(scratch: string, cwd: string, args: readonly string[]): string {
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error']
  const env = { PATH: process.env['PATH'], HOME: scratch, npm_config_cache: join(scratch, '.npm') }
  return execFileSync('npm', [...args, ...quiet], { cwd, env, encoding: 'utf8' })
}
