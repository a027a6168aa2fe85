import { type Static, Type } from 'typebox'
import { CADENCES, ITEM_SOURCES } from '../database/program-schema.ts'
import { ITEM_STATUSES } from '../database/request-schema.ts'
import { ListOf } from '../http/page-query.ts'
import {
  Boundary,
  Closed,
  Count,
  DateTime,
  Named,
  NamedBody,
  NullableString,
  NullableTime,
  OptionalOrNull,
  Sha256,
} from '../http/schema-parts.ts'
import { ADDRESS, LABEL, OneOf, SEVERAL_LINES_OF } from '../http/text-schemas.ts'
import { MAX_ITEMS, Progress, Recipients } from './request-schemas.ts'

/** Programs and their periods, as the API takes and returns them. */

export const DEFAULT_DUE_DAYS = 30
const MAX_DUE_DAYS = 3660
/** The period is added to it, and the result is a label and a series. */
const NAME = { ...LABEL, maxLength: 90 }
const Day = (description: string) => Type.String({ format: 'date', description })
const Message = () =>
  OptionalOrNull(
    Type.String({ ...SEVERAL_LINES_OF(5000), description: 'In the mails to owners and suppliers.' }),
  )

const NewProgramItem = Closed({
  item_id: Type.String({ ...LABEL, maxLength: 64, description: 'Also the folder of its files in the kit.' }),
  title: Type.String({ ...LABEL }),
  description: OptionalOrNull(Type.String(SEVERAL_LINES_OF(2000))),
  owner: OptionalOrNull(
    Type.String({ ...ADDRESS, description: 'The email address of the member who supplies it.' }),
  ),
  source: Type.Optional(
    OneOf(
      ITEM_SOURCES,
      '`internal`: members of the workspace add the files. `request`: a supplier is asked with a request when a period opens. Default: `internal`.',
    ),
  ),
  recipients: Type.Optional(Recipients()),
  due_days: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_DUE_DAYS,
      description: `Days after the start of the period. Default: ${DEFAULT_DUE_DAYS}.`,
    }),
  ),
})

const NewItems = () =>
  Type.Optional(
    Type.Array(NewProgramItem, { minItems: 1, maxItems: MAX_ITEMS, description: 'What to show each time.' }),
  )

const CadenceIn = () =>
  OneOf(CADENCES, 'How often a period opens. With `none`, periods after the first open on request only.')

export const NewProgram = NamedBody(
  'NewProgram',
  'The body of a new program: its items, or the profile that they are taken from.',
  {
    name: Type.String(NAME),
    cadence: CadenceIn(),
    starts_on: Day('When the first period starts. If it has passed, the current period opens at once.'),
    items: NewItems(),
    profile: OptionalOrNull(Type.String({ ...LABEL })),
    message: Message(),
  },
)

export const ProgramChange = Closed({
  name: Type.Optional(Type.String(NAME)),
  message: Message(),
  cadence: Type.Optional(CadenceIn()),
  items: NewItems(),
  ended: Type.Optional(
    Type.Literal(true, { description: 'No further period opens. This cannot be undone.' }),
  ),
})

const PROGRAM_ITEM = {
  item_id: Type.String({ description: 'Also the folder of its files in the kit.' }),
  title: Type.String(),
  description: NullableString('What to supply.'),
  owner: NullableString('The email address of the member who supplies it.'),
  source: OneOf(ITEM_SOURCES),
  recipients: Type.Array(Type.String(), { description: 'Email addresses of the supplier.' }),
}

const PROGRAM = {
  program_id: Type.String(),
  workspace_id: Type.String(),
  name: Type.String(),
  series: Type.String({ description: 'The series of its kits.' }),
  cadence: OneOf(CADENCES),
  starts_on: Day('Every period starts on this day of its month.'),
  message: NullableString('In the mails to owners and suppliers.'),
  next_period_on: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'date',
    description: 'When the next period opens by itself. Null if none does.',
  }),
  created_at: DateTime(),
  updated_at: DateTime(),
  ended_at: NullableTime('When it was ended.'),
}

const ProgramItem = Type.Object({
  ...PROGRAM_ITEM,
  due_days: Count('Days after the start of the period.'),
})

export const Program = Named(
  'Program',
  'What a workspace shows again and again, item by item. Each period becomes a kit.',
  {
    ...PROGRAM,
    items: Type.Array(ProgramItem, { description: 'Those of the next period.' }),
    boundary: Boundary(),
  },
)

export const PERIOD_STATUSES = ['open', 'sealing', 'sealed', 'failed'] as const

const PERIOD = {
  period: Type.String({ description: 'Its name, such as `2026-Q4`, `2026-11`, `2026-H2`, `2026` or `1`.' }),
  from: Day('Its first day.'),
  to: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'date',
    description: 'Its last day. Null without a cadence.',
  }),
  status: OneOf(
    PERIOD_STATUSES,
    '`failed`: the files were not sealed because of their findings. They can be corrected, and the period sealed again.',
  ),
  due_at: NullableTime('When the last of its items is due.'),
  submission_id: Type.String({ description: 'Its draft, and then the submission of its kit.' }),
  failed_submission_id: NullableString('If its status is `failed`, the submission with the findings.'),
  kit_id: NullableString('Null until it is sealed.'),
  progress: Progress(),
  opened_at: DateTime(),
  sealed_at: NullableTime('When the kit was issued.'),
}

export const ProgramList = Named(
  'ProgramList',
  'Newest first.',
  ListOf(
    Type.Object({
      ...PROGRAM,
      item_count: Count(),
      period: Type.Union([Type.Object(PERIOD), Type.Null()], { description: 'The newest period.' }),
      next_due_at: NullableTime('When the next item of that period is due that has nothing to review yet.'),
      late: Count('Items of that period that are late.'),
    }),
  ),
)

const SameAs = Type.Unsafe<{ period: string; name: string } | null>({
  type: ['object', 'null'],
  description: 'The file of the period before with the same bytes. Its name can differ.',
  required: ['period', 'name'],
  properties: { period: Type.String(), name: Type.String() },
})

const PeriodFile = Type.Object({
  submission_id: Type.String({ description: 'The draft of the period, or the answer to the request.' }),
  position: Count(),
  name: Type.String({ description: 'With the folder of the item.' }),
  sha256: Sha256(),
  size_bytes: Count(),
  same_as: SameAs,
})

const PeriodItem = Type.Object({
  ...PROGRAM_ITEM,
  due_at: DateTime(),
  is_late: Type.Boolean({ description: 'Whether it is past due, with nothing to review.' }),
  status: OneOf(
    ITEM_STATUSES,
    '`collected`: it has files. `to_review`: someone asks for a review, or its files changed after one.',
  ),
  not_applicable: NullableString('Why it does not apply.'),
  evidence_request_id: NullableString('The request to the supplier.'),
  files: Type.Array(PeriodFile),
  comments: Type.Array(
    Type.Object({
      by: OneOf(['workspace', 'supplier']),
      email: NullableString('Of the member who wrote it.'),
      text: Type.String(),
      created_at: DateTime(),
    }),
    { description: 'Oldest first.' },
  ),
})

export const Period = Named('Period', 'A period of a program, with its items and their files.', {
  program_id: Type.String(),
  ...PERIOD,
  items: Type.Array(PeriodItem, { description: 'In the order of the program.' }),
  boundary: Boundary(),
})

export const ProgramBoard = Named('ProgramBoard', 'The items of a program in its periods.', {
  program: Type.Object({ ...PROGRAM, items: Type.Array(ProgramItem) }),
  periods: Type.Array(Type.Object(PERIOD), { description: 'Newest first.' }),
  cells: Type.Array(
    Type.Object({
      period: Type.String(),
      item_id: Type.String(),
      title: Type.String({ description: 'In this period.' }),
      owner: NullableString('Email address.'),
      status: OneOf(ITEM_STATUSES),
      due_at: DateTime(),
      is_late: Type.Boolean(),
      files: Count('How many it has.'),
      same_files: Count('How many of them the period before has, byte for byte.'),
    }),
  ),
  next_cursor: NullableString('Send it as `cursor` to get older periods. Null if there are none.'),
  boundary: Boundary(),
})

export const PeriodItemChange = NamedBody(
  'PeriodItemChange',
  'A review, a comment, or a change of an item.',
  {
    status: Type.Optional(
      OneOf(
        ['accepted', 'needs_changes', 'not_applicable', 'to_review'],
        '`accepted` and `to_review` need files. `not_applicable` needs a reason. `to_review` also takes a review back.',
      ),
    ),
    reason: Type.Optional(
      Type.String({
        ...SEVERAL_LINES_OF(2000),
        minLength: 1,
        description: 'Why the item is not applicable.',
      }),
    ),
    comment: Type.Optional(Type.String({ ...SEVERAL_LINES_OF(2000), minLength: 1 })),
    owner: OptionalOrNull(
      Type.String({ ...ADDRESS, description: 'The email address of a member. Only of an internal item.' }),
    ),
    due_at: Type.Optional(
      Type.String({ minLength: 10, maxLength: 40, description: 'A date, or a date and time.' }),
    ),
  },
)

export type NewProgram = Static<typeof NewProgram>
export type NewProgramItem = Static<typeof NewProgramItem>
export type ProgramChange = Static<typeof ProgramChange>
export type Program = Static<typeof Program>
export type ProgramList = Static<typeof ProgramList>
export type Period = Static<typeof Period>
export type PeriodItem = Period['items'][number]
export type PeriodFile = PeriodItem['files'][number]
export type PeriodStatus = (typeof PERIOD_STATUSES)[number]
export type PeriodSummary = ProgramBoard['periods'][number]
export type ProgramBoard = Static<typeof ProgramBoard>
export type PeriodItemChange = Static<typeof PeriodItemChange>
