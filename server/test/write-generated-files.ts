import { writeFileSync } from 'node:fs'
import { generatedFiles, root } from './generated-files.ts'

for (const [path, text] of Object.entries(await generatedFiles())) {
  writeFileSync(new URL(path, root), text)
  console.log(`wrote ${path}`)
}
