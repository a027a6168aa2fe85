import type { Profile } from '@kitseal/evidence'
import type { Mail } from '../deliveries/mail.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import type { SubmissionContext } from '../submissions/submission-context.ts'

export interface RequestContext extends SubmissionContext {
  readonly mail: Mail
  /** A profile of the service or of the workspace, by name. */
  findProfile(workspaceId: WorkspaceId, name: string): Promise<Profile | undefined>
  /** Known once the service listens. */
  issuer(): string
}
