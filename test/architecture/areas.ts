/**
 * The areas of server/src in layers, from the bottom up, and beside them the files that start the program. An area
 * imports areas of lower layers, and those of its own layer that stand before it and are listed in BESIDE.
 */
export const LAYERS: readonly (readonly string[])[] = [
  ['refusals', 'runtime', 'settings', 'database', 'objects', 'http'],
  ['tasks'],
  ['keys', 'log', 'audit'],
  ['deliveries', 'access'],
  ['kits', 'submissions', 'requests', 'shares'],
  ['tables', 'open-store'],
  ['work', 'maintenance', 'site'],
]

/** Everything may use them: clock, IDs and errors. */
export const BASE: ReadonlySet<string> = new Set(['runtime', 'refusals'])

/** Why an area needs one beside it in its layer. */
export const BESIDE: Readonly<Record<string, string>> = {
  'database → settings': 'the database is opened from its URL',
  'objects → settings': 'the store is opened from its location',
  'objects → database': 'what refers to an object is a row',
  'http → settings': 'plans and rate limits are settings',
  'http → database': 'responses to repeated requests are stored',
  'http → objects': 'an object store that is down is a 503',
  'log → keys': 'the log has a signing key',
  'audit → log': 'heads of audit logs are leaves',
  'access → deliveries': 'invitations are mailed',
  'open-store → tables': 'a database is created with its tables',
  'submissions → kits': 'a submission becomes a kit',
  'requests → kits': 'a supplier downloads the kit of an answer',
  'requests → submissions': 'an answer to a request is a submission',
  'shares → kits': 'a share serves files of a kit',
  'shares → requests': 'what is written in rooms and on requests is one table',
}

/** Files directly in server/src that start the program. They may import everything above them and every area. */
export const STARTING: readonly string[] = [
  'administration',
  'ready-checks',
  'startup-wait',
  'service-status',
  'app',
  'services',
  'welcome',
  'serve',
  'serve-command',
  'index',
  'main',
]
