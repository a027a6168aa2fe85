import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isInstalled, run } from './run.ts'

export type Contenders = Readonly<Record<string, readonly string[]>>

interface KitOnDisk {
  readonly zip: string
  readonly folder: string
  readonly jwks: string
  readonly names: readonly string[]
}

const HASHLIB = `import hashlib, sys
for path in open(sys.argv[1]).read().split():
    with open(path, 'rb') as file: hashlib.file_digest(file, 'sha256')`

/** Tools that a reviewer would use on the same files. File names are passed in lists: there can be thousands. */
export async function verifyContenders(
  { zip, folder, jwks, names }: KitOnDisk,
  kitseal: readonly string[],
): Promise<Contenders> {
  const place = dirname(zip)
  const lists = [0, 1].map((half) => join(place, `names-${half}.txt`))
  for (const [half, list] of lists.entries()) {
    await writeFile(list, names.filter((_, index) => index % 2 === half).join('\n'))
  }
  await writeFile(join(place, 'hash-files.py'), HASHLIB)
  await writeFile(join(place, 'names.txt'), names.join('\n'))
  if (isInstalled('hashdeep')) {
    await shell(folder, 'hashdeep -c sha256 -l -f ../names.txt > ../known.txt')
  }
  return {
    'openssl dgst -sha256': ['openssl', 'dgst', '-sha256', zip],
    'kitseal verify, the zip': [...kitseal, 'verify', zip, '--jwks', jwks],
    'kitseal verify, the folder': [...kitseal, 'verify', folder, '--jwks', jwks],
    'python hashlib, two processes': [
      'sh',
      '-c',
      `cd '${folder}'; ${lists.map((list) => `python3 ../hash-files.py '${list}' &`).join(' ')} wait`,
    ],
    'sha256sum -c': ['sh', '-c', `cd '${folder}' && sha256sum --quiet -c SHA256SUMS`],
    ...(isInstalled('hashdeep')
      ? {
          'hashdeep -a': [
            'sh',
            '-c',
            `cd '${folder}' && hashdeep -c sha256 -l -a -k ../known.txt -f ../names.txt`,
          ],
        }
      : {}),
    '7z t': ['7z', 't', '-bso0', '-bsp0', zip],
    'unzip -t': ['unzip', '-qq', '-t', zip],
  }
}

const shell = (folder: string, command: string) => run(['sh', '-c', `cd '${folder}' && ${command}`])
