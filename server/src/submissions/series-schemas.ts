import { type Static, Type } from 'typebox'
import { ListOf } from '../http/page-query.ts'
import {
  Boundary,
  Count,
  DateTime,
  Named,
  NullableInteger,
  NullableString,
  NullableTime,
} from '../http/schema-parts.ts'

/** Series of kits, and the comparison of two kits. */

const Text = (description: string) => Type.String({ description })

export const SeriesList = Named(
  'SeriesList',
  'The series of a workspace, newest first.',
  ListOf(
    Type.Object({
      series: Text('Its name.'),
      kits: Count('Kits that were issued.'),
      last_at: DateTime('When its newest submission was created.'),
    }),
  ),
)

export const SeriesTimeline = Named('SeriesTimeline', 'The kits of a series, with gaps.', {
  series: Text('Its name.'),
  next_due_at: NullableTime(
    'When the next kit is due, if they come as often as usual. Null with fewer than three kits.',
  ),
  ...ListOf(
    Type.Object({
      kit_id: Type.String(),
      submission_id: Type.String(),
      label: Type.String(),
      issued_at: DateTime(),
      previous_kit_id: NullableString('The kit of the series before it. Null for the first one.'),
      gap_days: NullableInteger(
        'Days since the previous kit, if they are many more than usual in this series: one may be missing.',
      ),
    }),
    'Newest first. Without re-issued kits, which have the evidence of the kits that they replace.',
  ),
})

const Side = () =>
  Type.Object({ kit_id: Type.String(), label: Text('The scope of its receipt.'), issued_at: DateTime() })
const File = () => Type.Object({ path: Type.String(), sha256: Type.String(), size_bytes: Count() })

export const KitDifferences = Named('KitDifferences', 'How the evidence of two kits differs.', {
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
      size_bytes: Count(),
    }),
    { description: 'The same content at another path.' },
  ),
  unchanged: Count(),
  boundary: Boundary(),
})

export type SeriesList = Static<typeof SeriesList>
export type SeriesTimeline = Static<typeof SeriesTimeline>
export type KitDifferences = Static<typeof KitDifferences>
