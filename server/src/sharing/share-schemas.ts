import { type Static, Type } from 'typebox'
import { ListOf } from '../http/page-query.ts'
import {
  Boundary,
  Count,
  DateTime,
  Named,
  NamedBody,
  NullableInteger,
  NullableString,
  OptionalOrNull,
} from '../http/schema-parts.ts'
import { ADDRESS, LABEL, OneOf } from '../http/text-schemas.ts'
import { ACCESS_KINDS } from '../database/share-schema.ts'
import { MailStatus } from '../deliveries/mail-status.ts'

/** Shares of kits with outsiders. */

export const MAX_SHARED_PATHS = 1000
export const MIN_PASSWORD_LENGTH = 8
const MAX_RECIPIENTS = 20

const Limit = () =>
  Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    description:
      'After so many visits the share is closed. A visit counts once, when it first reads a file: to verify, preview or download it.',
  })

const Password = () =>
  Type.String({
    minLength: MIN_PASSWORD_LENGTH,
    maxLength: 200,
    description: 'The recipient needs it too. It cannot be shown again.',
  })

const NotifyDownloads = () =>
  Type.Boolean({
    description:
      'Mail the member who created it when something is downloaded, at most once a day for each recipient. If a key created it, the owners. 409 `mail_off` if the service sends no mail.',
  })

/** What shares and rooms are created with. */
export const LINKED_REQUEST = {
  expires_at: DateTime('At most 366 days from now.'),
  note: Type.Optional(
    Type.String({ ...LABEL, maxLength: 500, description: 'Shown to the recipient. One line of text.' }),
  ),
  max_downloads: Type.Optional(Limit()),
  password: Type.Optional(Password()),
  notify_downloads: Type.Optional(NotifyDownloads()),
  recipients: Type.Optional(
    Type.Array(Type.String(ADDRESS), {
      minItems: 1,
      maxItems: MAX_RECIPIENTS,
      description:
        'Email addresses. Each recipient gets a link of their own by mail, so that the access log tells who used the share. There is no other link then.',
    }),
  ),
}

export const ShareRequest = NamedBody('ShareRequest', 'Body of POST /v1/shares.', {
  kit_id: Type.String(),
  paths: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 1024 }), {
      minItems: 1,
      maxItems: MAX_SHARED_PATHS,
      description:
        'Share only these files, each with its file proof: `data/report.pdf`, or a folder with a slash at the end. Without it, the whole kit.',
    }),
  ),
  ...LINKED_REQUEST,
})

export const ShareChange = NamedBody(
  'ShareChange',
  'Body of PATCH /v1/shares/{share_id} and /v1/rooms/{room_id}.',
  {
    expires_at: Type.Optional(DateTime('At most 366 days from now. An expired share works again.')),
    max_downloads: OptionalOrNull(Limit(), 'Null removes the limit.'),
    password: OptionalOrNull(Password(), 'Null removes the password.'),
    notify_downloads: Type.Optional(NotifyDownloads()),
  },
)

export const ShareLinkRequest = NamedBody(
  'ShareLinkRequest',
  'Body of POST /v1/shares/{share_id}/links and /v1/rooms/{room_id}/links.',
  {
    recipient: Type.Optional(
      Type.String({
        ...ADDRESS,
        description: 'Email address. Without it, the link is for anyone who has it.',
      }),
    ),
  },
)

/** What shares and rooms have in common. */
export const LINKED = {
  status: OneOf(
    ['active', 'expired', 'revoked', 'exhausted'],
    'A share is exhausted when its download limit is reached.',
  ),
  url: NullableString(
    'The link for anyone, only in the response that created it. It is not stored and cannot be shown again. Null if the share is for recipients.',
  ),
  note: NullableString('For the recipient.'),
  recipients: Type.Array(
    Type.Object({
      email: Type.String(),
      url: NullableString(
        'The link of this recipient, only in the response that created it, and only if it is not mailed. Then send it yourself.',
      ),
      mail: Type.Union([MailStatus, Type.Null()], {
        description:
          'What became of the mail with the link. Null if none was sent, or more than 90 days ago.',
      }),
      revoked_at: NullableString('When the link of this recipient was revoked.'),
      last_access_at: NullableString('When the link of this recipient was last used.'),
    }),
    { description: 'Who has a link of their own.' },
  ),
  has_password: Type.Boolean(),
  max_downloads: NullableInteger('The download limit.'),
  notify_downloads: Type.Boolean({ description: 'Whether downloads are mailed.' }),
  downloads: Count('Visits that read a file. A program without cookies makes one with each request.'),
  accesses: Count('Number of entries in the access log.'),
  last_access_at: NullableString('When the share was last used.'),
  created_at: DateTime(),
  expires_at: DateTime(),
  revoked_at: NullableString('When it was revoked.'),
  boundary: Boundary(),
}

const SHARE = {
  share_id: Type.String(),
  kit_id: Type.String(),
  label: Type.String({ description: 'The label of the submission, which is the scope of the receipt.' }),
  paths: Type.Unsafe<readonly string[] | null>({
    type: ['array', 'null'],
    items: { type: 'string' },
    description: 'The shared files. Null if the whole kit is shared.',
  }),
  ...LINKED,
}

export const Share = Named(
  'Share',
  'A link to a kit, or to some of its files, for someone without an account.',
  SHARE,
)

export const ShareList = Named(
  'ShareList',
  'The shares of a workspace, newest first.',
  ListOf(Type.Object(SHARE)),
)

export const ShareAccessList = Named('ShareAccessList', 'The access log of a share or room.', {
  share_id: Type.String({ description: 'The ID of the share or room.' }),
  ...ListOf(
    Type.Object({
      seq: Type.Integer({ minimum: 1 }),
      created_at: DateTime(),
      kind: OneOf(ACCESS_KINDS, 'A file or kit is viewed when the page verifies or previews it.'),
      kit_id: NullableString('The kit that it is about. Null for a room as a whole.'),
      name: NullableString('`kit.zip`, or the path of a file.'),
      address: Type.String({ description: 'The network of the client: 203.0.113.0/24.' }),
      recipient: NullableString('Whose link was used. Null if it was `url`.'),
    }),
    'Newest first.',
  ),
})

export type ShareChange = Static<typeof ShareChange>
export type ShareLinkRequest = Static<typeof ShareLinkRequest>
export type ShareRequest = Static<typeof ShareRequest>
export type Share = Static<typeof Share>
export type ShareList = Static<typeof ShareList>
export type ShareAccessList = Static<typeof ShareAccessList>
