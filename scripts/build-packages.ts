// `npm run build:packages`: what is published, in kit/dist/package and client/dist/package.
import path from 'node:path'
import { buildPackages } from './packages.ts'

const root = path.dirname(import.meta.dirname)
const made = buildPackages((room) => path.join(root, room, 'dist', 'package'))
for (const folder of made) console.log(`npm pack ./${path.relative(root, folder)}`)
