import { createReadStream, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { pipeline } from 'node:stream'
import { announce } from '../service/announce.ts'

/** A minimal file server. Takes the file. */
const file = process.argv[2] ?? ''
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-length': statSync(file).size })
  pipeline(createReadStream(file), response, () => undefined)
})
announce(server)
