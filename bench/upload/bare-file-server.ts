import { createReadStream, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { pipeline } from 'node:stream'
import { announce } from '../service/announce.ts'

/** The least that could send a file: its size, and its bytes. The file is given. */
const file = process.argv[2] ?? ''
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-length': statSync(file).size })
  pipeline(createReadStream(file), response, () => undefined)
})
announce(server)
