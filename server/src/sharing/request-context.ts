import type { Profile } from '@kitseal/examiner'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import type { SubmissionContext } from '../submissions/submission-context.ts'
import type { ShareContext } from './share.ts'

export interface RequestContext extends SubmissionContext, ShareContext {
  /** A profile of the service or of the workspace, by name. */
  findProfile(workspaceId: WorkspaceId, name: string): Promise<Profile | undefined>
}
