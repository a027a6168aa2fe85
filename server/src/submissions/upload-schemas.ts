import { type Static, Type } from 'typebox'
import { ListOf } from '../http/list.ts'
import { Boundary, DateTime, NullableString } from '../http/schema-parts.ts'

const UPLOAD = {
  upload_id: Type.String(),
  submission_id: Type.String(),
  name: Type.String({ description: 'The file name, as sent.' }),
  size_bytes: Type.Integer({ minimum: 0 }),
  offset_bytes: Type.Integer({ minimum: 0, description: 'How much has arrived.' }),
  resume_key: NullableString('As sent by the client.'),
  created_at: DateTime(),
  expires_at: DateTime(),
  finished_at: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'date-time',
    description: 'When the file became evidence of the submission.',
  }),
  boundary: Boundary(),
}

export const Upload = Type.Object(UPLOAD, {
  $id: 'Upload',
  title: 'Upload',
  description: 'A resumable upload of one file.',
})

export const UploadList = Type.Object(ListOf(Type.Object(UPLOAD)), {
  $id: 'UploadList',
  title: 'UploadList',
  description: 'Uploads that can be continued, oldest first.',
})

export type Upload = Static<typeof Upload>
export type UploadList = Static<typeof UploadList>
