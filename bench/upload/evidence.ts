import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'

const LINE_BYTES = 60

/** A text file of the given size that hardly compresses. */
export async function textFile(file: string, sizeBytes: number): Promise<string> {
  const out = createWriteStream(file)
  for (let written = 0; written < sizeBytes;) {
    const lines = Array.from({ length: 2000 }, () => `${randomBytes(LINE_BYTES).toString('base64')}\n`).join(
      '',
    )
    const text = lines.slice(0, sizeBytes - written)
    written += text.length
    if (!out.write(text)) await new Promise<void>((resolve) => out.once('drain', () => resolve()))
  }
  out.end()
  await finished(out)
  return file
}

/** A zip of text files made by Info-ZIP, just below the given size. */
export async function zipOfTexts(folder: string, zipBytes: number, files: number): Promise<string> {
  const texts = join(folder, 'texts')
  await mkdir(texts)
  // Base64 of random bytes deflates to just over three quarters.
  for (let count = 0; count < files; count += 1)
    await textFile(join(texts, `evidence-${count}.log`), Math.floor((zipBytes / files) * 1.29))
  const zip = join(folder, 'evidence.zip')
  const made = spawnSync('zip', ['-q', '-r', zip, '.'], { cwd: texts })
  if (made.status !== 0) throw new Error(`zip: ${String(made.stderr)}`)
  return zip
}
