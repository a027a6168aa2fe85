/** The migrations that became `0001-schema`. */
export const FORMER_MIGRATIONS: readonly string[] = [
  '0001-jobs-kits-keys',
  '0002-workspaces-submissions',
  '0003-keys-in-the-database',
  '0004-console',
  '0005-object-upkeep',
  '0006-workspace-names',
  '0007-visibility',
  '0008-reissues',
  '0009-zip-sha256',
  '0010-log',
  '0011-proofs-in-kits',
  '0012-checkpoints',
  '0013-frozen-log',
  '0014-audit-chain',
  '0015-compromised-keys',
  '0016-custody',
  '0017-findings',
  '0018-log-growth',
  '0019-resumable-uploads',
  '0020-time-stamps',
  '0021-links',
  '0022-shares',
  '0023-requests',
  '0024-removable-evidence',
  '0025-profiles',
  '0027-search',
  '0028-deliveries',
  '0030-webhooks',
  '0031-overview',
  '0032-evidence-settings',
  '0033-object-locks',
  '0034-key-scopes',
  '0035-federation',
  '0036-fair-queue',
  '0038-issued-at-once',
  '0039-condemned-by-time',
  '0040-share-recipients',
  '0041-growth',
  '0044-upload-metadata',
  '0045-fewer-pages',
]

export class OlderStore extends Error {
  override readonly name = 'OlderStore'

  /** @param reason How one can tell, for example "lacks the migration …". */
  constructor(reason: string) {
    super(
      `the database is too old: it ${reason}. Please upgrade with commit 714904f9 first: run the service of that commit until its maintenance has finished (a few minutes), then start this one.`,
    )
  }
}
