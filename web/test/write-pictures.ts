// Takes the pictures of README and docs again: npm run pictures
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { takePictures } from './take-pictures.ts'

const folder = path.join(import.meta.dirname, '../../docs/pictures')
mkdirSync(folder, { recursive: true })
const pictures = await takePictures()
for (const { name, light, dark } of pictures) {
  writeFileSync(path.join(folder, `${name}-light.webp`), light)
  writeFileSync(path.join(folder, `${name}-dark.webp`), dark)
}
console.log(`Took ${2 * pictures.length} pictures of ${pictures.map(({ name }) => name).join(', ')}.`)
