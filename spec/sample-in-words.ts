import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Manifest } from '../kit/src/manifest.ts'
import { openKit } from '../kit/node/internal.ts'

export const FORMAT_PAGE = path.join(import.meta.dirname, 'kit-format.md')

/** kit-format.md with its example generated from the sample kit. */
export async function pageWithSample(sampleFolder: string): Promise<string> {
  using kit = await openKit(path.join(sampleFolder, 'kit.zip'))
  const text = async (name: string): Promise<string> => Buffer.from(await kit.read(name, 1e6)).toString()
  const manifest = JSON.parse(await text('manifest.json')) as Manifest
  const [first, second] = manifest.artifacts.filter((artifact) => artifact.path.startsWith('data/'))
  const shown: Readonly<Record<string, string>> = {
    files: kit.files.map((file) => `${String(file.sizeBytes).padStart(6)}  ${file.path}`).join('\n'),
    'receipt.json': pretty(JSON.parse(await text('receipt.json'))),
    'manifest.json': pretty({ ...manifest, artifacts: ['…', first, second, '…'] }),
    'jwks.json': pretty(JSON.parse(readFileSync(path.join(sampleFolder, 'jwks.json'), 'utf8'))),
    'bag-info.txt': (await text('bag-info.txt')).trimEnd(),
  }
  return readFileSync(FORMAT_PAGE, 'utf8').replaceAll(
    /(<!-- sample: (\S+) -->\n\n```\w*\n)[^`]*(```)/g,
    (_, before: string, name: string, after: string) => `${before}${shown[name]}\n${after}`,
  )
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2)
}
