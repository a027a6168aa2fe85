import { type Static, Type } from 'typebox'
import { OneOf } from '../http/text-schemas.ts'
import { FILE_KINDS } from './file-kind.ts'

const Text = Type.String()
const Sha256 = (description: string) => Type.String({ pattern: '^[0-9a-f]{64}$', description })
const NamedWorkspace = () => Type.Object({ workspace_id: Text, name: Text })

export const KitDetail = Type.Object(
  {
    kit_id: Text,
    label: Type.String({ description: 'The scope of its receipt.' }),
    issued_at: Type.String({ format: 'date-time' }),
    kid: Type.String({ description: 'Key ID of the signing key.' }),
    supplier: Type.Union([NamedWorkspace(), Type.Null()], {
      description: 'As sealed in the kit. Null if it names none, or its evidence was deleted.',
    }),
    requested_by: Type.Optional(NamedWorkspace()),
    manifest_sha256: Sha256('Hash of the manifest.'),
    manifest_root_hash: Sha256('Merkle tree hash of the artifacts.'),
    canonical_receipt_sha256: Sha256('Hash of the receipt without its signature.'),
    size_bytes: Type.Integer({ minimum: 0, description: 'Of `kit.zip`.' }),
    sha256: Sha256('Of `kit.zip`.'),
    files: Type.Array(
      Type.Object({
        path: Text,
        sha256: Text,
        size_bytes: Type.Integer({ minimum: 0 }),
        kind: OneOf(FILE_KINDS),
      }),
    ),
    log: Type.Union(
      [
        Type.Object({
          origin: Text,
          index: Type.Integer({ description: 'From 0.' }),
          size: Type.Integer({ description: 'Of the log, in the newest proof.' }),
          cosigned: Type.Array(Type.Object({ name: Text, at: Type.String({ format: 'date-time' }) }), {
            description: 'The witnesses in the newest proof, as they name themselves.',
          }),
        }),
        Type.Null(),
      ],
      { description: 'The place of the receipt in the log. Null if the log is not available.' },
    ),
    boundary: Type.String({ description: 'What the service does and does not claim.' }),
  },
  { $id: 'KitDetail', title: 'KitDetail', description: 'What is in a kit, and where it is in the log.' },
)

export type KitDetail = Static<typeof KitDetail>
