import { LogFormatError, parseTilePath, type Tile } from '@kitseal/kit/internal'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { ANY_ORIGIN } from '../http/headers.ts'
import { errors } from '../http/schema-parts.ts'
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
  readonly log: TransparencyLog
  readonly witnesses: WitnessPolicy | undefined
  issuer(): string
}

/** The transparency log for monitors and mirrors (C2SP tlog-tiles). */
export function registerLogRoutes(app: FastifyInstance, { log, issuer, witnesses }: LogRoutes): void {
  app.get(
    '/log/checkpoint',
    {
      schema: {
        operationId: 'getLogCheckpoint',
        summary: 'The newest checkpoint of the transparency log',
        description:
          'Size and root hash of the log, as a signed note (C2SP tlog-checkpoint). If the log has witnesses, it has their cosignatures.',
        tags: ['Log'],
        response: { 200: PlainText('The checkpoint.'), ...errors(401, 503) },
      },
    },
    async (_request, reply) =>
      reply
        .headers({ 'cache-control': SHORT, ...ANY_ORIGIN })
        .type('text/plain; charset=utf-8')
        .send(Buffer.from(await log.checkpoint())),
  )

  app.get<{ Params: { readonly level: string; readonly '*': string } }>(
    '/log/tile/:level/*',
    {
      schema: {
        operationId: 'getLogTile',
        summary: 'A tile of the transparency log',
        description:
          'Hashes at `/log/tile/LEVEL/INDEX`, entries at `/log/tile/entries/INDEX`, partial tiles with `.p/WIDTH` (C2SP tlog-tiles).',
        tags: ['Log'],
        params: Type.Object({
          level: Type.String({ description: 'A level from 0, or `entries`.' }),
          name: Type.String({
            description: 'The index of the tile, such as `x001/002`, and `.p/WIDTH` if it is partial.',
          }),
        }),
        response: { 200: Bytes, ...errors(401, 404, 503) },
      },
    },
    async (request, reply) => {
      const tile = tileAt(`${request.params.level}/${request.params['*']}`)
      const bytes = tile && (await log.tile(tile))
      if (bytes === undefined)
        throw new Refusal(
          'tile_not_found',
          'The log has no tile at this path. Its size is in /log/checkpoint.',
        )
      return reply
        .headers({ 'cache-control': IMMUTABLE, ...ANY_ORIGIN })
        .type('application/octet-stream')
        .send(Buffer.from(bytes))
    },
  )

  app.get(
    '/log/policy',
    {
      schema: {
        operationId: 'getLogPolicy',
        summary: 'The key and the witnesses of the transparency log',
        description:
          'A tlog-policy with the key of the log and its witnesses, for information. To rely on it, get it on another channel and pin it.',
        tags: ['Log'],
        response: { 200: PlainText('The policy.'), ...errors(401, 503) },
      },
    },
    async (_request, reply) => {
      const key = await log.vkey()
      return reply
        .headers({ 'cache-control': 'public, max-age=60', ...ANY_ORIGIN })
        .type('text/plain; charset=utf-8')
        .send(Buffer.from(policyText(key, `${issuer().replace(/\/+$/, '')}/log`, witnesses?.lines)))
    },
  )
}

function tileAt(path: string): Tile | undefined {
  try {
    return parseTilePath(`tile/${path}`)
  } catch (error) {
    if (error instanceof LogFormatError) return undefined
    throw error
  }
}
