import { lookup, type LookupAddress } from 'node:dns'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'

export interface GetOptions {
  /** Checked for the address that is connected to, so that a name that resolves to another one later gains nothing. */
  readonly isAllowed: (address: string) => boolean
  readonly limitBytes: number
  readonly timeoutMs: number
}

/** Gets a JSON document from another system. Redirects are not followed. Throws an Error that says what went wrong. */
export function getJson(address: string, { isAllowed, limitBytes, timeoutMs }: GetOptions): Promise<unknown> {
  const url = new URL(address)
  const host = url.hostname.replaceAll(/[[\]]/g, '')
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  // The lookup is not called for addresses.
  if (isIP(host) !== 0 && !isAllowed(host))
    return Promise.reject(new Error(`${host} is not a public address`))
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest
  const sent = request(url, {
    agent: false,
    lookup: allowedOnly(isAllowed),
    signal: AbortSignal.timeout(timeoutMs),
    headers: { accept: 'application/json', 'accept-encoding': 'identity' },
  })
  sent.on('error', reject)
  sent.on('response', (response) => {
    const parts: Buffer[] = []
    let total = 0
    if (response.statusCode !== 200) return void sent.destroy(new Error(`it returned ${response.statusCode}`))
    response.on('error', reject)
    response.on('data', (part: Buffer) => {
      total += part.length
      if (total > limitBytes) sent.destroy(new Error(`it returned more than ${limitBytes} bytes`))
      else parts.push(part)
    })
    response.on('end', () => {
      try {
        resolve(JSON.parse(Buffer.concat(parts).toString()))
      } catch {
        reject(new Error('it did not return JSON'))
      }
    })
  })
  sent.end()
  return promise
}

function allowedOnly(isAllowed: (address: string) => boolean): LookupFunction {
  return (name, options, done) =>
    lookup(name, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error !== null) return done(error, '')
      const refused = found.find(({ address }) => !isAllowed(address))
      if (refused !== undefined)
        // Which address it is would tell the caller about the operator's network.
        return done(new Error(`${name} does not lead to a public address`), '')
      const [first] = found
      if (options.all === true) return done(null, found)
      return done(null, first?.address ?? '', first?.family)
    })
}
