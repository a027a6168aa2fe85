import { lstatSync, statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { listFolder } from '@kitseal/kit/internal/node'
import { InputError } from './input-error.ts'

export interface FoundFile {
  /** Below the folder of outputs. */
  readonly path: string
  readonly diskPath: string
}

/** The files of outputs, and what changes when one of them is written. */
type Snapshot = ReadonlyMap<string, { readonly path: string; readonly version: string }>

/** Notes which files exist at these paths. What is called later returns those that are new or have changed. */
export function watchOutputs(outputs: readonly string[]): () => readonly FoundFile[] {
  const names = outputs.map((output) => basename(resolve(output)))
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new InputError(`two outputs are named ${twice}`)
  const before = snapshot(outputs, () => undefined)
  return () => {
    const problems: string[] = []
    const after = snapshot(outputs, (problem) => void problems.push(problem))
    if (problems.length > 0) throw new InputError(...problems)
    return [...after].flatMap(([diskPath, { path, version }]) =>
      before.get(diskPath)?.version === version ? [] : [{ path, diskPath }],
    )
  }
}

function snapshot(outputs: readonly string[], onProblem: (problem: string) => void): Snapshot {
  const found = new Map<string, { path: string; version: string }>()
  const add = (path: string, diskPath: string): void => {
    const { mtimeNs, ctimeNs, size, ino } = lstatSync(diskPath, { bigint: true })
    found.set(diskPath, { path, version: [mtimeNs, ctimeNs, size, ino].join(' ') })
  }
  for (const output of outputs) {
    const name = basename(resolve(output))
    const kind = statSync(output, { throwIfNoEntry: false })
    if (kind?.isFile() === true) add(name, output)
    if (kind?.isDirectory() !== true) continue
    const { files, others } = listFolder(output)
    for (const { path, diskPath } of files) add(`${name}/${path}`, diskPath)
    for (const { path, problem } of others) onProblem(`cannot seal ${output}: ${path} ${problem.text}`)
  }
  return found
}
