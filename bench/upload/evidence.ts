import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'

const LINE_BYTES = 60

/** A text file of so many bytes, in lines that hardly compress. */
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

/** A zip of text files, as Info-ZIP makes it, just below so many bytes. */
export async function zipOfTexts(folder: string, zipBytes: number, files: number): Promise<string> {
  const texts = join(folder, 'texts')
  await mkdir(texts)
  // Base64 text of random bytes deflates to three quarters and a little more.
  for (let count = 0; count < files; count += 1)
    await textFile(join(texts, `evidence-${count}.log`), Math.floor((zipBytes / files) * 1.29))
  const zip = join(folder, 'evidence.zip')
  const made = spawnSync('zip', ['-q', '-r', zip, '.'], { cwd: texts })
  if (made.status !== 0) throw new Error(`zip: ${String(made.stderr)}`)
  return zip
}
