import type { Log } from '../log.ts'
import type { Rule } from '../http/admission.ts'
import type { SubmissionContext } from '../submissions/submission-context.ts'
import { type ApiKeys, apiKeys } from '../workspaces/api-keys.ts'
import { type Workspaces, workspaces } from '../workspaces/workspaces.ts'
import { ceremonies } from './ceremonies.ts'
import { type ConsolePlace, consolePlace } from './console-place.ts'
import { type Invitations, invitations } from './invitations.ts'
import { type Members, members } from './members.ts'
import { type Oidc, oidc } from './oidc.ts'
import { type Passkeys, passkeys } from './passkeys.ts'
import { type SessionUse, watchSessionUse } from './session-use.ts'
import { type Sessions, sessions } from './sessions.ts'

/** What the console is handed. */
export interface ConsoleContext extends SubmissionContext {
  readonly log: Log
  /** Counts a request against the plan of its workspace, whoever sends it. */
  readonly isWithinRate: Rule
  /** Known once the service listens. */
  issuer(): string
}

/** What its routes act through; keys, workspaces and submissions are those of everybody else. */
export interface ConsoleServices extends ConsoleContext {
  readonly sessions: Sessions
  readonly sessionUse: SessionUse
  readonly invitations: Invitations
  readonly members: Members
  readonly passkeys: Passkeys
  readonly keys: ApiKeys
  readonly workspaces: Workspaces
  readonly oidc: Oidc | undefined
  place(): ConsolePlace
}

export function consoleServices(ctx: ConsoleContext): ConsoleServices {
  const { db, clock, identifiers, config } = ctx
  const place = lastPlace(ctx)
  const inHand = ceremonies(db, clock, identifiers)
  const sessionUse = watchSessionUse(db, clock, ctx.log)
  const limits = {
    idleMs: config.session.idleMinutes * 60_000,
    wholeMs: config.session.hours * 3_600_000,
  }
  return {
    ...ctx,
    place,
    sessionUse,
    sessions: sessions({ db, clock, identifiers, limits, use: sessionUse }),
    invitations: invitations({ db, clock, identifiers }),
    members: members(db, clock),
    passkeys: passkeys({ db, clock, ceremonies: inHand, place }),
    keys: apiKeys(db, clock),
    workspaces: workspaces({ db, clock, identifiers }),
    oidc: config.oidc === undefined ? undefined : oidc(config.oidc, inHand, place),
  }
}

/** The issuer is known once the service listens, and stays. */
function lastPlace({ issuer }: Pick<ConsoleContext, 'issuer'>): () => ConsolePlace {
  let known: { readonly issuer: string; readonly place: ConsolePlace } | undefined
  return () => {
    const current = issuer()
    if (known?.issuer !== current) known = { issuer: current, place: consolePlace(current) }
    return known.place
  }
}
