import type { Contents } from './evidence-samples.ts'

export interface TarFile {
  readonly name: string
  readonly content?: string | Uint8Array
  readonly type?: string
  readonly target?: string
}

/** A tar archive as POSIX describes it. */
export function tar(...files: readonly TarFile[]): Buffer {
  const blocks = files.flatMap(({ name, content = '', type = '0', target = '' }) => {
    const bytes = Buffer.from(content)
    const header = Buffer.alloc(512)
    header.write(name, 0)
    header.write('0000644\0', 100)
    header.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124)
    header.write(`        ${type}`, 148)
    header.write(target, 157)
    header.write('ustar\x0000', 257, 'latin1')
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}

export const tarOf = (files: Contents): Buffer =>
  tar(...Object.entries(files).map(([name, content]) => ({ name, content })))
