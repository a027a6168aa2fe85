import type { ApiKeyId, LinkId, MemberId } from './identifiers.ts'

/** Who acts for a workspace: an API key, a member signed in to the console, or a supplier with the link of a request. */
export type CallerActor =
  | { readonly is: 'key'; readonly keyId: ApiKeyId }
  | { readonly is: 'member'; readonly memberId: MemberId }
  | { readonly is: 'link'; readonly linkId: LinkId }

export type Actor =
  | CallerActor
  /** On the command line of the server, or in the console with this address. */
  | { readonly is: 'operator'; readonly email?: string }
  | { readonly is: 'service' }

/** Someone with a public link, without a key or a session. */
export interface Anonymous {
  readonly is: 'anonymous'
}
