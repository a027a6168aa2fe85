import { Type } from 'typebox'
import { MailStatus } from '../deliveries/mail-status.ts'
import { Nullable, NullableString } from '../http/schema-parts.ts'
import { OneOf } from '../http/text-schemas.ts'
import { ROLES } from '../settings/config.ts'

/** What operators read about the service: counts, times and states. Nothing of what workspaces keep in it. */

const Text = Type.String()
const Count = Type.Integer()

const ServiceCheck = Type.Object({
  check: Text,
  status: OneOf(['ok', 'warn', 'fail']),
  problem: NullableString('A sentence that says what to do.'),
})

const ServiceNode = Type.Object({
  name: Type.String({ description: 'Host name and process ID.' }),
  role: OneOf(ROLES),
  version: Text,
  started_at: Text,
  seen_at: Text,
  is_running: Type.Boolean(),
})

/** `kitseal admin status --json` prints the same. */
export const ServiceStatus = Type.Object({
  at: Text,
  version: Text,
  issuer: NullableString(),
  checks: Type.Array(ServiceCheck, { description: 'Those of /readyz first.' }),
  nodes: Type.Array(ServiceNode),
  storage: Type.Object({
    used_bytes: Type.Integer({ description: 'Of all workspaces.' }),
    objects: OneOf(['folder', 's3']),
    database: OneOf(['sqlite', 'postgres']),
    disks: Type.Array(Type.Object({ folder: Text, free_bytes: Count, size_bytes: Count })),
  }),
  queue: Type.Object({ waiting: Count, running: Count, oldest_at: NullableString() }),
  mail: Type.Object({
    is_on: Type.Boolean(),
    waiting: Count,
    last_sent_at: NullableString(),
    last_failed_at: NullableString(),
    last_problem: NullableString(),
  }),
  backup: Nullable(Type.Object({ finished_at: Text, missing: Count })),
  scrub: Type.Object({ is_on: Type.Boolean(), finished_at: NullableString(), damaged: Count }),
  signing_keys: Type.Array(
    Type.Object({ kid: Text, state: OneOf(['active', 'retired', 'revoked']), created_at: Text }),
  ),
  log: Nullable(
    Type.Object({
      origin: Text,
      size: Count,
      updated_at: Text,
      waiting: Count,
      frozen: Nullable(Type.Object({ since: Text, reason: Text })),
      witnesses: Type.Array(
        Type.Object({ name: Text, size: Count, cosigned_at: NullableString(), problem: NullableString() }),
      ),
    }),
  ),
})

export const SERVICE_RESPONSES = {
  ServiceCheck,
  ServiceNode,
  ServiceStatus,
  ServicePage: Type.Object({
    status: ServiceStatus,
    test_mail: Nullable(MailStatus, 'The newest test mail to this operator.'),
  }),
} as const
