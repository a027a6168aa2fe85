import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { readByDirectory, readByStream } from '../../fuzz/plain-readers.ts'

/** SHA-256 by name, as one reader lists the archive; undefined if it refuses to. */
export type Listing = Readonly<Record<string, string>> | undefined

export interface OtherReader {
  readonly name: string
  read(zip: Uint8Array): Listing
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const plain = (name: string, read: typeof readByStream): OtherReader => ({
  name,
  read: (zip) => {
    const contents = read(zip)
    return contents && Object.fromEntries([...contents].map(([file, bytes]) => [file, sha256(bytes)]))
  },
})

const PYTHON = `
import sys, json, hashlib, zipfile, io
try:
    z = zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read()))
    print(json.dumps({i.filename: hashlib.sha256(z.read(i)).hexdigest() for i in z.infolist() if not i.is_dir()}))
except Exception:
    print("null")
`

const isHere = (name: string): boolean => spawnSync(name, ['--help'], { stdio: 'ignore' }).error === undefined

/** The installed zip readers and the two plain ones. Commands unpack into `folder`. */
export function otherReaders(folder: string): {
  readonly readers: readonly OtherReader[]
  readonly missing: readonly string[]
} {
  const commands: readonly OtherReader[] = [
    {
      name: 'python3',
      read: (zip) =>
        JSON.parse(execFileSync('python3', ['-c', PYTHON], { input: zip }).toString()) as Listing,
    },
    unpacking('unzip', folder, (file, to) => ['-qq', '-o', file, '-d', to]),
    unpacking('7z', folder, (file, to) => ['x', '-y', '-p', `-o${to}`, file]),
    unpacking('bsdtar', folder, (file, to) => ['-xf', file, '-C', to]),
  ]
  return {
    readers: [
      plain('a reader of the directory', readByDirectory),
      plain('a reader of the stream', readByStream),
      ...commands.filter(({ name }) => isHere(name)),
    ],
    missing: commands.filter(({ name }) => !isHere(name)).map(({ name }) => name),
  }
}

function unpacking(
  name: string,
  folder: string,
  args: (file: string, to: string) => readonly string[],
): OtherReader {
  return {
    name,
    read: (zip) => {
      const file = path.join(folder, 'read.zip')
      const to = path.join(folder, 'unpacked')
      rmSync(to, { recursive: true, force: true })
      mkdirSync(to)
      writeFileSync(file, zip)
      const done = spawnSync(name, args(file, to), { stdio: 'ignore', timeout: 10_000 })
      return done.status === 0 ? sightOf(to) : undefined
    },
  }
}

function sightOf(folder: string): Listing {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((item) => item.isFile())
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const file = path.join(parentPath, name)
      // A name that is not UTF-8 cannot be opened by its decoded form.
      return [path.relative(folder, file), existsSync(file) ? sha256(readFileSync(file)) : '']
    }),
  )
}
