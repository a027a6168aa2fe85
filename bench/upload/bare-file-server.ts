import { createReadStream, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { pipeline } from 'node:stream'

/** The least that could send a file: its size, and its bytes. The file is given. */
const file = process.argv[2] ?? ''
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-length': statSync(file).size })
  pipeline(createReadStream(file), response, () => undefined)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') console.log(`address http://127.0.0.1:${address.port}`)
})
