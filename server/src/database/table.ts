import { type Static, type TSchema, Type } from 'typebox'
import type { RefusalCode } from '../refusals.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'

/** What both databases store: booleans are 0 and 1, JSON and times are text. So rows are copied between them as they are. */
export type Stored = string | number | null

/** What a column that an insert leaves out is filled from. */
export interface Filling {
  readonly at: string
  readonly workspaceId: WorkspaceId | undefined
  id(prefix: string): string
}
export type Fill = (from: Filling) => unknown

/** Encrypts what is stored. `place` names table, row and column, so that a value cannot be moved to another. */
export interface Cipher {
  seal(text: string, place: string): string
  /** Undefined if it was encrypted with another passphrase, or for another place. */
  open(stored: string, place: string): string | undefined
}

/** A value of a sealed column. It is decrypted only when it is asked for, and no log or JSON shows it. */
export class Sealed {
  readonly #open: () => string | undefined

  constructor(open: () => string | undefined) {
    this.#open = open
  }

  reveal(): string | undefined {
    return this.#open()
  }

  toJSON(): string {
    return '[sealed]'
  }
}
export const sealed = (text: string): Sealed => new Sealed(() => text)

type Crypt = (text: string) => string
type Uncrypt = (stored: string) => string | undefined

interface Spec<V, S extends Stored> {
  /** In a response. */
  readonly shown: TSchema
  /** In the body of a request. */
  readonly asked: TSchema
  readonly sql: 'text' | 'bigint'
  readonly is?: 'id' | 'owner' | 'sealed' | 'touched' | 'numbered'
  /** The database accepts no others. */
  readonly values?: readonly string[]
  readonly isNullable?: boolean
  readonly references?: string
  encode(value: V, seal: Crypt): S
  decode(stored: Stored, open: Uncrypt): V
}

/** `F` is undefined for a column that every insert must name. */
export class Column<V = unknown, F extends Fill | undefined = Fill | undefined, S extends Stored = Stored> {
  readonly spec: Spec<V, S>
  readonly fill: F

  constructor(spec: Spec<V, S>, fill: F) {
    this.spec = spec
    this.fill = fill
  }

  default(value: V): Column<V, Fill, S> {
    return new Column(this.spec, () => value)
  }

  /** A description, in responses and in requests. */
  doc(description: string): Column<V, F, S> {
    const { shown, asked } = this.spec
    return new Column(
      { ...this.spec, shown: { ...shown, description }, asked: { ...asked, description } },
      this.fill,
    )
  }

  /** A description for those who send it. */
  hint(description: string): Column<V, F, S> {
    return new Column({ ...this.spec, asked: { ...this.spec.asked, description } }, this.fill)
  }

  nullable(): Column<V | null, Fill, S | null> {
    const { encode, decode, shown, asked } = this.spec
    const spec: Spec<V | null, S | null> = {
      ...this.spec,
      isNullable: true,
      shown: orNull(shown),
      asked: Type.Union([asked, Type.Null()], describing(asked)),
      encode: (value, seal) => (value === null ? null : encode(value, seal)),
      decode: (stored, open) => (stored === null ? null : decode(stored, open)),
    }
    return new Column(spec, () => null)
  }
}

const describing = (schema: TSchema): { readonly description?: string } =>
  'description' in schema && typeof schema.description === 'string' ? { description: schema.description } : {}

/** A list of two types is shorter than a union, and says the same of a plain value. */
const orNull = (schema: TSchema): TSchema =>
  'type' in schema && typeof schema.type === 'string' && !/^(array|object)$/.test(schema.type)
    ? Type.Unsafe({ ...schema, type: [schema.type, 'null'] })
    : Type.Union([schema, Type.Null()], describing(schema))

export type Columns = Readonly<Record<string, Column>>
export type Row<C extends Columns> = { readonly [N in keyof C]: ReturnType<C[N]['spec']['decode']> }
type Filled<C extends Columns> = { [N in keyof C]: C[N]['fill'] extends Fill ? N : never }[keyof C]
/** What an insert names: the columns without a default, and any others. */
export type New<C extends Columns> = Omit<Row<C>, Filled<C>> & Partial<Pick<Row<C>, Filled<C>>>
export type RowOf<T extends Table> = Row<T['columns']>
/** As Kysely reads and writes it. */
export type StoredRow<T extends Table> = {
  readonly [N in keyof T['columns']]: ReturnType<T['columns'][N]['spec']['encode']>
}

const same = <T extends TSchema>(schema: T) => ({ shown: schema, asked: schema })
const text = <V extends string>() => ({
  sql: 'text' as const,
  encode: (value: V): V => value,
  decode: (stored: Stored): V => String(stored) as V, // written by `encode`
})
const id = <V extends string>() => ({ ...same(Type.String()), ...text<V>() })
const time = { ...same(Type.String({ format: 'date-time' })), ...text<string>() }
const number = { sql: 'bigint', encode: (value: number): number => value, decode: Number } as const

export const column = {
  id: <V extends string = string>(prefix: string) =>
    new Column({ ...id<V>(), is: 'id' }, (from: Filling) => from.id(prefix)),
  /** The workspace that the row belongs to. A unit fills it in, and finds no row of another workspace. */
  owner: () =>
    new Column(
      { ...id<WorkspaceId>(), is: 'owner', references: 'workspaces (workspace_id)' },
      (from: Filling) => from.workspaceId,
    ),
  /** `refersTo('webhooks (webhook_id) on delete cascade')` */
  refersTo: <V extends string = string>(references: string) =>
    new Column({ ...id<V>(), references }, undefined),
  /** To a row that the database numbers. */
  refersToNumber: (references: string) =>
    new Column({ ...same(Type.Integer()), ...number, references }, undefined),
  /** `asked` are the JSON Schema keywords of what a request may send. */
  text: <V extends string = string>(asked: Parameters<typeof Type.String>[0] = {}) =>
    new Column({ shown: Type.String(), asked: Type.String(asked), ...text<V>() }, undefined),
  /** One of a closed set. */
  oneOf: <const V extends string>(...values: readonly V[]) =>
    new Column(
      { ...same(Type.Unsafe<V>({ type: 'string', enum: [...values] })), ...text<V>(), values },
      undefined,
    ),
  sealed: () =>
    new Column<Sealed, undefined, string>(
      {
        ...same(Type.String()),
        sql: 'text',
        is: 'sealed',
        encode: (value, seal) => seal(value.reveal() ?? ''),
        decode: (stored, open) => new Sealed(() => open(String(stored))),
      },
      undefined,
    ),
  time: () => new Column(time, undefined),
  /** When the unit that inserted the row began. */
  created: () => new Column(time, (from: Filling) => from.at),
  /** When the unit that changed the row last began. */
  updated: () => new Column({ ...time, is: 'touched' }, (from: Filling) => from.at),
  integer: (options: Parameters<typeof Type.Integer>[0] = {}) =>
    new Column({ ...same(Type.Integer(options)), ...number }, undefined),
  count: () => new Column({ ...same(Type.Integer({ minimum: 0 })), ...number }, undefined),
  /** The database numbers the rows. */
  numbered: () => new Column({ ...same(Type.Integer()), ...number, is: 'numbered' }, undefined),
  boolean: () =>
    new Column(
      {
        ...same(Type.Boolean()),
        sql: 'bigint',
        encode: (value: boolean): number => Number(value),
        decode: (stored) => Number(stored) === 1,
      },
      undefined,
    ),
  json: <S extends TSchema>(schema: S) =>
    new Column<Static<S>, undefined, string>(
      {
        ...same(schema),
        sql: 'text',
        encode: (value) => JSON.stringify(value),
        decode: (stored) => JSON.parse(String(stored)),
      },
      undefined,
    ),
}

/** What the database does at each change for which the SQL condition holds, about `new` and `old`. */
export interface Trigger {
  readonly name: string
  readonly on: string
  readonly event: 'insert' | 'update' | 'delete'
  readonly when: string
  /** The change is rejected with a message, or a statement follows it. */
  readonly does: { readonly reject: string } | { readonly run: string }
}

/** The SQL condition that one of the columns changes. */
export const changed = (...columns: readonly string[]): string =>
  columns.map((name) => `new.${name} is distinct from old.${name}`).join(' or ')

interface More {
  readonly key: readonly string[]
  /** As after `create`. */
  readonly indexes: readonly string[]
  readonly triggers: readonly Trigger[]
  readonly missing: readonly [code: RefusalCode, message: string]
}

export class Table<C extends Columns = Columns> {
  readonly name: string
  readonly columns: C
  readonly more: More

  constructor(name: string, columns: C, more: More) {
    this.name = name
    this.columns = columns
    this.more = more
  }

  #with(more: Partial<More>): Table<C> {
    return new Table(this.name, this.columns, { ...this.more, ...more })
  }

  /** `where` is SQL. The name is needed where another index has the same columns. */
  index(names: readonly (keyof C & string)[], where?: string, name?: string): Table<C> {
    return this.#indexed('index', names, where, name)
  }

  unique(names: readonly (keyof C & string)[], where?: string, name?: string): Table<C> {
    return this.#indexed('unique index', names, where, name)
  }

  #indexed(
    kind: string,
    names: readonly string[],
    where?: string,
    name = `${this.name}_by_${names.join('_')}`,
  ): Table<C> {
    const only = where === undefined ? '' : ` where ${where}`
    return this.indexOf(`${kind} ${name} on ${this.name} (${names.join(', ')})${only}`)
  }

  /** An index of expressions, as after `create`. */
  indexOf(definition: string): Table<C> {
    return this.#with({ indexes: [...this.more.indexes, definition] })
  }

  #trigger(what: string, event: Trigger['event'], does: Trigger['does'], when: string): Table<C> {
    const trigger = { name: `${this.name}_${what}`, on: this.name, event, when, does }
    return this.#with({ triggers: [...this.more.triggers, trigger] })
  }

  /** Rejects a change for which the condition holds, whatever the code does. */
  guard(what: string, event: Trigger['event'], reject: string, when: string): Table<C> {
    return this.#trigger(what, event, { reject }, when)
  }

  /** Rejects changes of these columns, and what else the condition says. */
  keeps(what: string, message: string, columns: readonly (keyof C & string)[], or?: string): Table<C> {
    const when = [changed(...columns), ...(or === undefined ? [] : [or])].join(' or ')
    return this.guard(what, 'update', message, when)
  }

  /** Rejects changes of all columns but these, and what else the condition says. */
  fixed(message: string, except: readonly (keyof C & string)[] = [], or?: string): Table<C> {
    const kept = Object.keys(this.columns).filter((name) => !except.includes(name))
    return this.keeps('fixed', message, kept, or)
  }

  /** Rejects other changes of a column than from one state to its next ones. */
  moves(
    state: keyof C & string,
    next: Readonly<Record<string, readonly string[]>>,
    message: string,
  ): Table<C> {
    const ways = Object.entries(next).map(
      ([from, to]) => `(old.${state} = '${from}' and new.${state} in ('${to.join("', '")}'))`,
    )
    const when = `new.${state} <> old.${state} and not (${ways.join(' or ')})`
    return this.guard('move', 'update', message, when)
  }

  /** A statement that follows a change for which the condition holds. */
  after(what: string, event: Trigger['event'], when: string, run: string): Table<C> {
    return this.#trigger(what, event, { run }, when)
  }

  /** No row is deleted. */
  stays(message: string): Table<C> {
    return this.guard('stay', 'delete', message, 'true')
  }

  primaryKey(...key: readonly (keyof C & string)[]): Table<C> {
    return this.#with({ key })
  }

  /** What a caller is told who names a row that is not there. */
  missing(...missing: More['missing']): Table<C> {
    return this.#with({ missing })
  }

  named(is: NonNullable<Spec<unknown, Stored>['is']>): readonly string[] {
    return Object.keys(this.columns).filter((name) => this.columns[name]?.spec.is === is)
  }

  column(name: string): Column {
    const found = this.columns[name]
    if (found === undefined) throw new Error(`${this.name} has no column ${name}`)
    return found
  }

  fill(values: New<C>, from: Filling): Row<C> {
    const row: Record<string, unknown> = { ...values }
    for (const [name, { fill }] of Object.entries(this.columns)) row[name] ??= fill?.(from)
    return row as Row<C> // `New` made sure that every column has a value or a fill
  }

  /** The name of the only column of the key. */
  get id(): string {
    const [only, ...others] = this.more.key
    if (only === undefined || others.length > 0) throw new Error(`${this.name} has no single key: use rows()`)
    return only
  }

  /** `key` is the row's, of which `values` may be a part. */
  encode(values: Partial<Row<C>>, cipher: Cipher, key: string): Record<string, Stored> {
    const stored: Record<string, Stored> = {}
    for (const [name, value] of Object.entries(values))
      if (value !== undefined)
        stored[name] = this.column(name).spec.encode(value, (plain) =>
          cipher.seal(plain, this.place(key, name)),
        )
    return stored
  }

  decode(stored: Readonly<Record<string, Stored>>, cipher: Cipher): Row<C> {
    const row: Record<string, unknown> = {}
    for (const [name, { spec }] of Object.entries(this.columns))
      row[name] = spec.decode(stored[name] ?? null, (sealedText) =>
        cipher.open(sealedText, this.place(this.keyOf(stored), name)),
      )
    return row as Row<C> // each column decodes to its own type
  }

  /** Where a sealed value is. */
  place(key: string, name: string): string {
    return `${this.name}/${key}/${name}`
  }

  keyOf(row: Readonly<Record<string, unknown>>): string {
    return this.more.key.map((name) => row[name]).join('/')
  }

  /** Names of the tables that rows refer to. */
  get parents(): readonly string[] {
    return Object.values(this.columns).flatMap(({ spec }) => spec.references?.split(' ', 1) ?? [])
  }

  /** The table and its indexes, each as after `create`. `types` are those of the database. */
  definitions(types: ColumnTypes): readonly string[] {
    const columns = Object.entries(this.columns)
    const lines = columns.map(([name, { spec }]) => {
      const type = types[spec.is === 'numbered' ? 'numbered' : spec.sql]
      const presence = spec.isNullable === true ? '' : ' not null'
      const check = spec.values === undefined ? '' : ` check (${name} in ('${spec.values.join("', '")}'))`
      return `${name} ${type}${presence}${spec.references === undefined ? '' : ` references ${spec.references}`}${check}`
    })
    const key = `constraint ${this.name}_primary_key primary key (${this.more.key.join(', ')})`
    const suffix = this.more.key.length === columns.length ? types.keyOnly : ''
    return [`table ${this.name} (\n  ${[...lines, key].join(', ')}\n)${suffix}`, ...this.more.indexes]
  }
}

/** What a database calls them. */
export interface ColumnTypes {
  readonly text: string
  readonly bigint: string
  readonly numbered: string
  /** After a table whose columns are its key. */
  readonly keyOnly: string
}

export const table = <C extends Columns>(name: string, columns: C): Table<C> =>
  new Table(name, columns, {
    key: Object.keys(columns).filter((each) => columns[each]?.spec.is === 'id'),
    indexes: [],
    triggers: [],
    missing: ['internal_error', `${name} has no such row`],
  })
