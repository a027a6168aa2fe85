import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { Agent, request } from 'node:http'

const secret = randomBytes(32)
const { privateKey } = generateKeyPairSync('ed25519')

/** Sends the same messages with both signatures, one after the other for each URL. It stores nothing and checks nothing. */
export async function sendBare(urls: readonly string[], bodies: readonly string[]): Promise<void> {
  const agent = new Agent({ keepAlive: true })
  await Promise.all(
    urls.map(async (url, path) => {
      for (const [index, body] of bodies.entries()) await post(agent, url, `evt_${path}_${index}`, body)
    }),
  )
  agent.destroy()
}

function post(agent: Agent, url: string, id: string, body: string): Promise<void> {
  const seconds = Math.floor(Date.now() / 1000)
  const signed = `${id}.${seconds}.${body}`
  const hmac = createHmac('sha256', secret).update(signed).digest('base64')
  const ed25519 = sign(null, Buffer.from(signed), privateKey).toString('base64')
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,${hmac} v1a,${ed25519}`,
  }
  return new Promise((settle, fail) => {
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume().once('end', settle)
    })
    sent.once('error', fail)
    sent.end(body)
  })
}
