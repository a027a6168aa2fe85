import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { announce } from '../service/announce.ts'

/** A minimal upload server: hashes, writes and syncs each request body. Takes a folder. */
const folder = process.argv[2] ?? '.'
let count = 0

const server = createServer(async (request, response) => {
  const hash = createHash('sha256')
  const file = await open(join(folder, `bare-${process.pid}-${(count += 1)}`), 'wx')
  for await (const chunk of request as AsyncIterable<Buffer>) {
    hash.update(chunk)
    for (let at = 0; at < chunk.length;) at += (await file.write(chunk, at)).bytesWritten
  }
  await file.sync()
  await file.close()
  response.end(JSON.stringify({ sha256: hash.digest('hex') }))
})
announce(server)
process.on('SIGTERM', () => process.exit())
