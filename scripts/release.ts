import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buildCliPackage, buildForPlatforms, buildStandalone } from '../cli/build-standalone.ts'
import { buildPackages } from './packages.ts'
import { buildPythonPackage } from './python-package.ts'
import { bill } from './bill-of-materials.ts'

const root = path.dirname(import.meta.dirname)
const COPIED = {
  'deploy/ci/kitseal-ci.sh': 'kitseal-ci.sh',
  'spec/openapi.json': 'openapi.json',
  'kit/embed/verifier.html': 'verifier.html',
  'spec/independent/kitseal-verify.py': 'kitseal-verify.py',
}

/** Builds the published files into an empty folder and returns its SHA256SUMS. Builds are reproducible. */
export function buildRelease(folder: string, { allPlatforms = false } = {}): string {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const scratch = mkdtempSync(path.join(tmpdir(), 'kitseal-release-'))
  try {
    const packages = buildPackages((room) => path.join(scratch, room))
    for (const made of [...packages, buildCliPackage(path.join(scratch, 'kitseal'))])
      execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
        cwd: made,
        stdio: ['ignore', 'ignore', 'inherit'],
      })
  } finally {
    rmSync(scratch, { recursive: true })
  }
  buildPythonPackage(folder)
  if (allPlatforms) buildForPlatforms(folder, path.join(root, '.cache/node'))
  else buildStandalone(folder, `kitseal-${process.platform}-${process.arch}`)
  writeFileSync(path.join(folder, 'sbom.cdx.json'), `${JSON.stringify(bill(), null, 2)}\n`)
  for (const [from, to] of Object.entries(COPIED)) copyFileSync(path.join(root, from), path.join(folder, to))
  const sums = globSync('*', { cwd: folder })
    .toSorted()
    .map(
      (file) =>
        `${createHash('sha256')
          .update(readFileSync(path.join(folder, file)))
          .digest('hex')}  ${file}\n`,
    )
    .join('')
  writeFileSync(path.join(folder, 'SHA256SUMS'), sums)
  return sums
}
