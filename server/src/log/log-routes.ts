import { LogFormatError, parseTilePath, type Tile } from '@kitseal/kit/internal'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { ANY_ORIGIN } from '../http/headers.ts'
import { route } from '../http/route.ts'
import { Refusal } from '../refusals.ts'
import type { TransparencyLog } from './transparency-log.ts'
import { policyText, type WitnessPolicy } from './witness-policy.ts'

const IMMUTABLE = 'public, max-age=31536000, immutable'
/** A reader waits for the next checkpoint at most this long behind a cache. */
const SHORT = 'public, max-age=1'

const PlainText = (description: string) =>
  ({ description, content: { 'text/plain': { schema: { type: 'string' } } } }) as const
const Bytes = {
  description: 'Hashes of 32 bytes, or entries with their length in two bytes.',
  content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
} as const

export interface LogRoutes {
  readonly transparencyLog: TransparencyLog
  readonly witnesses: WitnessPolicy | undefined
  issuer(): string
}

/** The transparency log for monitors and mirrors (C2SP tlog-tiles). */
export const logRoutes = [
  route('getLogCheckpoint', 'GET /log/checkpoint', {
    group: 'Log',
    summary: 'The newest checkpoint of the transparency log',
    description:
      'Size and root hash of the log, as a signed note (C2SP tlog-checkpoint). If the log has witnesses, it has their cosignatures.',
    responses: { 200: PlainText('The checkpoint.') },
    send: async ({ transparencyLog }: LogRoutes, _call, reply) =>
      sendBytes(reply, SHORT, TEXT, await transparencyLog.checkpoint()),
  }),
  route('getLogTile', 'GET /log/tile/:level/*', {
    group: 'Log',
    summary: 'A tile of the transparency log',
    description:
      'Hashes at `/log/tile/LEVEL/INDEX`, entries at `/log/tile/entries/INDEX`, partial tiles with `.p/WIDTH` (C2SP tlog-tiles).',
    path: {
      level: Type.String({ description: 'A level from 0, or `entries`.' }),
      name: Type.String({
        description: 'The index of the tile, such as `x001/002`, and `.p/WIDTH` if it is partial.',
      }),
    },
    codes: ['tile_not_found'],
    responses: { 200: Bytes },
    async send({ transparencyLog }: LogRoutes, { params }, reply) {
      const tile = tileAt(`${params.level}/${params['*']}`)
      const bytes = tile && (await transparencyLog.tile(tile))
      if (bytes === undefined)
        throw new Refusal(
          'tile_not_found',
          'The log has no tile at this path. Its size is in /log/checkpoint.',
        )
      return sendBytes(reply, IMMUTABLE, 'application/octet-stream', bytes)
    },
  }),
  route('getLogPolicy', 'GET /log/policy', {
    group: 'Log',
    summary: 'The key and the witnesses of the transparency log',
    description:
      'A tlog-policy with the key of the log and its witnesses, for information. To rely on it, get it on another channel and pin it.',
    responses: { 200: PlainText('The policy.') },
    async send({ transparencyLog, witnesses, issuer }: LogRoutes, _call, reply) {
      const url = `${issuer().replace(/\/+$/, '')}/log`
      const text = policyText(await transparencyLog.vkey(), url, witnesses?.lines)
      return sendBytes(reply, 'public, max-age=60', TEXT, Buffer.from(text))
    },
  }),
]

const TEXT = 'text/plain; charset=utf-8'

const sendBytes = (reply: FastifyReply, caching: string, type: string, bytes: Uint8Array): FastifyReply =>
  reply
    .headers({ 'cache-control': caching, ...ANY_ORIGIN })
    .type(type)
    .send(Buffer.from(bytes))

function tileAt(path: string): Tile | undefined {
  try {
    return parseTilePath(`tile/${path}`)
  } catch (error) {
    if (error instanceof LogFormatError) return undefined
    throw error
  }
}
