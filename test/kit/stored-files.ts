import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestService } from './service.ts'

/** Paths of the files of the object store, whatever their layout. */
export const storedFiles = ({ dataFolder }: Pick<TestService, 'dataFolder'>): readonly string[] =>
  globSync('objects/**', { cwd: dataFolder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted()

/** The stored files that contain the text. */
export const filesWith = (service: Pick<TestService, 'dataFolder'>, text: string): readonly string[] =>
  storedFiles(service).filter((file) => readFileSync(file).includes(text))

/** Changes a text in every stored file that contains it. */
export function damage(service: Pick<TestService, 'dataFolder'>, text: string, changed: string): void {
  const files = filesWith(service, text)
  if (files.length === 0) throw new Error(`no stored file contains ${text}`)
  for (const file of files)
    writeFileSync(file, readFileSync(file, 'latin1').replaceAll(text, changed), 'latin1')
}
