import { execFileSync } from 'node:child_process'
import path from 'node:path'

const BUILD = path.join(import.meta.dirname, '../python/build_package.py')

/** Builds the wheel and the source distribution of python/ into a folder, and returns their paths. */
export function buildPythonPackage(folder: string, python = 'python3'): readonly string[] {
  return execFileSync(python, ['-B', BUILD, folder], { encoding: 'utf8' }).trim().split('\n')
}
