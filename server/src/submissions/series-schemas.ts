import { type Static, Type } from 'typebox'
import { ListOf } from '../http/list.ts'
import { Boundary, NullableString } from '../http/schema-parts.ts'

/** Series of kits, and the comparison of two kits. */

const Text = (description: string) => Type.String({ description })
const Time = () => Type.String({ format: 'date-time' })

export const SeriesList = Type.Object(
  ListOf(
    Type.Object({
      series: Text('Its name.'),
      kits: Type.Integer({ minimum: 0, description: 'Kits that were issued.' }),
      last_at: Type.String({ format: 'date-time', description: 'When its newest submission was created.' }),
    }),
  ),
  { $id: 'SeriesList', title: 'SeriesList', description: 'The series of a workspace, newest first.' },
)

export const SeriesTimeline = Type.Object(
  {
    series: Text('Its name.'),
    ...ListOf(
      Type.Object({
        kit_id: Type.String(),
        submission_id: Type.String(),
        label: Type.String(),
        issued_at: Time(),
        previous_kit_id: NullableString('The kit of the series before it. Null for the first one.'),
        gap_days: Type.Unsafe<number | null>({
          type: ['integer', 'null'],
          description:
            'Days since the previous kit, if they are many more than usual in this series: one may be missing.',
        }),
      }),
      'Newest first. Without re-issued kits, which have the evidence of the kits that they replace.',
    ),
  },
  { $id: 'SeriesTimeline', title: 'SeriesTimeline', description: 'The kits of a series, with gaps.' },
)

const Side = () =>
  Type.Object({ kit_id: Type.String(), label: Text('The scope of its receipt.'), issued_at: Time() })
const File = () =>
  Type.Object({ path: Type.String(), sha256: Type.String(), size_bytes: Type.Integer({ minimum: 0 }) })

export const KitDifferences = Type.Object(
  {
    from: Side(),
    to: Side(),
    added: Type.Array(File()),
    removed: Type.Array(File()),
    changed: Type.Array(Type.Object({ path: Type.String(), from: File(), to: File() })),
    moved: Type.Array(
      Type.Object({
        from: Type.String(),
        to: Type.String(),
        sha256: Type.String(),
        size_bytes: Type.Integer({ minimum: 0 }),
      }),
      { description: 'The same content at another path.' },
    ),
    unchanged: Type.Integer({ minimum: 0 }),
    boundary: Boundary(),
  },
  { $id: 'KitDifferences', title: 'KitDifferences', description: 'How the evidence of two kits differs.' },
)

export type SeriesList = Static<typeof SeriesList>
export type SeriesTimeline = Static<typeof SeriesTimeline>
export type KitDifferences = Static<typeof KitDifferences>
