import type { FastifyRequest } from 'fastify'
import { isFound } from '../database/questions.ts'
import type { Db, SessionsTable } from '../database/schema.ts'
import { makeSecret, readSecret } from '../database/secret.ts'
import { type Param, preparedFirst } from '../database/statements.ts'
import type { Units } from '../database/unit.ts'
import { workspaceTables } from '../database/workspace-tables.ts'
import type { ResolveSession } from '../http/admission.ts'
import type { MemberSession, WorkspaceCaller } from '../http/caller.ts'
import { Refusal } from '../refusals.ts'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { MemberId, SessionId, WorkspaceId } from '../runtime/identifiers.ts'
import { type ConsolePlace, isSafe, isSameOrigin, rejectOtherSites, sessionCookie } from './console-place.ts'
import type { LastUse } from './last-use.ts'
import { isProved } from './member-queries.ts'
import { PLAN_COLUMNS, planOf } from './plans.ts'

/** A session with the workspace it acts for. */
export interface ConsoleSession extends MemberSession {
  readonly workspaceId: WorkspaceId
  readonly caller: WorkspaceCaller
}

type Which = { readonly only: SessionId } | { readonly except: SessionId } | 'all'

const ROTATE_EVERY_MS = 15 * 60_000
/** Requests sent before a rotation still carry the previous secret. */
const GRACE_MS = 60_000

interface SessionsOptions {
  readonly db: Db
  readonly units: Units
  readonly clock: Clock
  readonly limits: { readonly idleMs: number; readonly wholeMs: number }
  readonly lastUse: LastUse
}

type Row = NonNullable<Awaited<ReturnType<ReturnType<typeof activeSessions>['executeTakeFirst']>>>

export type Sessions = ReturnType<typeof sessions>

export function sessions({ db, units, clock, limits, lastUse }: SessionsOptions) {
  const lookUp = preparedFirst(db, (param: Param<{ hash: string }>) =>
    activeSessions(db).where((eb) =>
      eb.or([eb('sessions.sha256', '=', param('hash')), eb('sessions.previous_sha256', '=', param('hash'))]),
    ),
  )
  const lookUpById = preparedFirst(db, (param: Param<{ id: SessionId }>) =>
    activeSessions(db).where('sessions.session_id', '=', param('id')),
  )

  const seenMs = ({ session_id, last_seen_at }: SessionsTable): number =>
    Math.max(Date.parse(last_seen_at), lastUse.seenMs(session_id))

  /** Neither ended nor idle for too long. */
  const isAlive = (row: SessionsTable): boolean => {
    const now = clock.now()
    return row.ends_at > timestamp(now) && seenMs(row) + limits.idleMs > now
  }

  /** Returns the number of sessions that were ended. */
  const end = (
    { memberId, workspaceId }: Pick<ConsoleSession, 'memberId' | 'workspaceId'>,
    which: Which,
    ended_as: SessionsTable['ended_as'] = null,
  ): Promise<number> =>
    units.write({ workspaceId, actor: { is: 'member', memberId } }, 'end sessions', async (unit) => {
      let ending = unit.db
        .updateTable('sessions')
        .set({ ended_at: unit.at, ended_as })
        .where('member_id', '=', memberId)
        .where('ended_at', 'is', null)
      if (which !== 'all')
        ending =
          'only' in which
            ? ending.where('session_id', '=', which.only)
            : ending.where('session_id', '<>', which.except)
      const ended = await ending.returning('session_id').execute()
      const details = ended_as === null ? undefined : { reason: ended_as }
      for (const { session_id } of ended) await unit.record('session.ended', session_id, details)
      return ended.length
    })

  return {
    limits,
    end,
    /** In the transaction of the sign-in. Returns the secret for the cookie. */
    begin: async (
      trx: Db,
      {
        memberId,
        method,
        browser,
      }: Pick<MemberSession, 'memberId' | 'method'> & { readonly browser: string },
      /** The session that this one continues: it does not end later. */
      continues?: Pick<ConsoleSession, 'endsAt'>,
    ): Promise<string> => {
      const { workspace_id: workspaceId } = await trx
        .selectFrom('members')
        .select('workspace_id')
        .where('member_id', '=', memberId)
        .where('removed_at', 'is', null)
        .executeTakeFirstOrThrow()
      const unit = units.within(trx, { workspaceId, actor: { is: 'member', memberId } })
      const { text, sha256 } = makeSecret()
      const { session_id } = await unit.insert(workspaceTables.sessions, {
        member_id: memberId,
        sha256,
        confirmed: true,
        rotated_at: unit.at,
        method,
        browser,
        last_seen_at: unit.at,
        ends_at: continues?.endsAt ?? unit.after(limits.wholeMs),
      })
      await unit.record('session.started', session_id, { method, browser })
      return text
    },
    /**
     * Undefined if the cookie is not valid. `mayRotate` is false if the response cannot set a cookie; with a `secret`, it must be
     * replaced.
     */
    authenticate: async (cookie: string | undefined, mayRotate: boolean) => {
      const hash = readSecret(cookie)
      const row = hash === undefined ? undefined : await lookUp({ hash })
      if (hash === undefined || row === undefined || !isAlive(row)) return undefined
      const step = rotationStep(row, hash, clock.now())
      const session = sessionIn(row)
      if (step === 'stolen') {
        await end(session, { only: row.session_id }, 'stolen')
        return undefined
      }
      if (step === 'confirm') await unchanged(db, row).set({ confirmed: 1 }).execute()
      const secret = step === 'rotate' && mayRotate ? await rotate(db, clock, row, hash) : undefined
      return { session, secret }
    },
    /** Whether the cookie is of a session that ended because it was stolen. */
    isStolen: async (cookie: string): Promise<boolean> => {
      const hash = readSecret(cookie)
      if (hash === undefined) return false
      const ended = db.selectFrom('sessions').select('session_id').where('ended_as', '=', 'stolen')
      return isFound(ended.where((eb) => eb.or([eb('sha256', '=', hash), eb('previous_sha256', '=', hash)])))
    },
    /** For open event streams. */
    isActive: async (sessionId: SessionId): Promise<boolean> => {
      const row = await lookUpById({ id: sessionId })
      return row !== undefined && isAlive(row)
    },
    ofMember: async (memberId: MemberId): Promise<readonly SessionsTable[]> => {
      const rows = await db
        .selectFrom('sessions')
        .selectAll()
        .where('member_id', '=', memberId)
        .where('ended_at', 'is', null)
        .orderBy('created_at', 'desc')
        .execute()
      return rows.filter(isAlive).map((row) => Object.assign(row, { last_seen_at: timestamp(seenMs(row)) }))
    },
  }
}

type RotationStep = 'keep' | 'confirm' | 'rotate' | 'stolen'

/**
 * A new secret is confirmed when a request uses it. Until then the previous one stays valid, because a response can get lost. Using
 * the previous secret after confirmation means that it was stolen: the session ends.
 */
function rotationStep(row: SessionsTable, hash: string, now: number): RotationStep {
  const age = now - Date.parse(row.rotated_at)
  if (row.sha256 === hash) {
    if (age >= ROTATE_EVERY_MS) return 'rotate'
    return row.confirmed === 1 ? 'keep' : 'confirm'
  }
  if (age < GRACE_MS) return 'keep'
  return row.confirmed === 1 ? 'stolen' : 'rotate'
}

/** If no other request has changed it meanwhile. */
const unchanged = (db: Db, { session_id, sha256 }: SessionsTable) =>
  db
    .updateTable('sessions')
    .where('session_id', '=', session_id)
    .where('sha256', '=', sha256)
    .where('ended_at', 'is', null)

/** Of concurrent requests, one gets the new secret. The others keep the previous one. */
async function rotate(db: Db, clock: Clock, row: SessionsTable, hash: string): Promise<string | undefined> {
  const { text, sha256 } = makeSecret()
  const { numUpdatedRows } = await unchanged(db, row)
    .set({ sha256, previous_sha256: hash, confirmed: 0, rotated_at: timestamp(clock.now()) })
    .executeTakeFirst()
  return numUpdatedRows === 1n ? text : undefined
}

/** Sessions that have not ended, of members who were not removed. */
const activeSessions = (db: Db) =>
  db
    .selectFrom('sessions')
    .innerJoin('members', 'members.member_id', 'sessions.member_id')
    .innerJoin('workspaces', 'workspaces.workspace_id', 'members.workspace_id')
    .innerJoin('plans', 'plans.plan', 'workspaces.plan')
    .leftJoin('operators', 'operators.email', 'members.email')
    .selectAll('sessions')
    .select(['members.email', 'members.role', 'members.workspace_id'])
    .select(['members.sso_at', 'members.confirmed_at', 'operators.email as operator'])
    .select(PLAN_COLUMNS)
    .where('sessions.ended_at', 'is', null)
    .where('members.removed_at', 'is', null)

function sessionIn(row: Row): ConsoleSession {
  const { member_id: memberId, workspace_id: workspaceId } = row
  const session: MemberSession = {
    sessionId: row.session_id,
    memberId,
    email: row.email,
    role: row.role,
    method: row.method,
    createdAt: row.created_at,
    endsAt: row.ends_at,
    isOperator: row.operator !== null && isProved(row),
  }
  const actor = { is: 'member', memberId } as const
  return {
    ...session,
    workspaceId,
    caller: { is: 'workspace', workspaceId, actor, plan: planOf(row), session },
  }
}

/** Ended sessions are kept for investigations. */
const RETENTION_MS = 30 * 24 * 60 * 60_000

/** Deletes expired ceremonies and old sessions. */
export async function sweepConsole(db: Db, clock: Clock): Promise<void> {
  const now = clock.now()
  await db.deleteFrom('ceremonies').where('expires_at', '<=', timestamp(now)).execute()
  await db
    .deleteFrom('sessions')
    .where('ends_at', '<=', timestamp(now - RETENTION_MS))
    .execute()
}

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrome\/|\bCriOS\/|\bHeadlessChrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** A short name for the list of sessions. The header itself is not stored. */
export function browserName(userAgent: string | undefined): string {
  const find = (rows: typeof BROWSERS): string | undefined =>
    rows.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1]
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)]
  if (browser === undefined) return system === undefined ? 'another program' : `a program on ${system}`
  return system === undefined ? browser : `${browser} on ${system}`
}

/** Sent with background polling, which does not extend the session. */
const BACKGROUND_HEADER = 'x-console-background'
/** Its response begins before the session ends. */
const STREAM = '/v1/events/stream'

const STOLEN =
  'Your session was ended, because an older copy of it was used. Someone else may have it. Sign in again and check your sessions.'

interface SessionContext {
  readonly sessions: Sessions
  readonly lastUse: LastUse
  place(): ConsolePlace
}

/**
 * Finds the member whose session a request carries. A cookie that is not valid is ignored, because browsers send it anyway. A
 * change by a session must come from a page of the console, and another site does not get to use a session for reading either.
 */
export function resolveSession({ sessions: all, lastUse, place }: SessionContext): ResolveSession {
  return (request, reply) => {
    const { cookie: header } = request.headers
    if (header === undefined) return undefined
    const { config, url } = request.routeOptions
    const { access } = config
    if (access === undefined || access.role === 'anyone') return undefined
    const cookie = sessionCookie(place())
    const sent = cookie.read(header)
    if (sent === undefined || (isSafe(request) && !isSameOrigin(request, place()))) return undefined

    const find = async (): Promise<WorkspaceCaller | undefined> => {
      const isStream = url === STREAM
      const found = await all.authenticate(sent, !isStream)
      if (found === undefined) {
        if (access.scope !== 'session') return undefined
        reply.header('set-cookie', cookie.clear())
        if (await all.isStolen(sent)) throw new Refusal('session_stolen', STOLEN)
        return undefined
      }
      rejectOtherSites(request, place())
      const { session, secret } = found
      if (secret !== undefined) reply.header('set-cookie', cookie.set(secret, all.limits.wholeMs / 1000))
      if (request.headers[BACKGROUND_HEADER] === undefined && !isStream)
        lastUse.sessionUsed(session.sessionId)
      return session.caller
    }
    return find()
  }
}

/** The session of a request to a route that needs one. */
export function sessionOf({ caller }: Pick<FastifyRequest, 'caller'>): ConsoleSession {
  if (caller.is === 'anyone' || caller.session === undefined) throw new Error('this route has no session')
  return { ...caller.session, workspaceId: caller.workspaceId, caller }
}
